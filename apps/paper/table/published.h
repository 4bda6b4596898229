// The numbers of the paper's Table 2.
#pragma once

#include <optional>
#include <string>

#include "common/dataset.h"

namespace bisector::paper {

/// The published AUFC; nothing if the paper has none.
std::optional<double> published_aufc(const DatasetInfo& info, const std::string& kind,
                                     const std::string& method);

}  // namespace bisector::paper
