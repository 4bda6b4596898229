// The table encoding in a bundle's `meta`: a list of columns.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "bisector/table_encoding.h"

namespace bisector::io {

nlohmann::ordered_json encoding_json(const TableEncoding& encoding);

/// Calls `fail`, which must not return, with the problem. Throws InvalidModel as TableEncoding
/// does.
TableEncoding parse_encoding(const nlohmann::json& columns,
                             const std::function<void(const std::string&)>& fail);

}  // namespace bisector::io
