// Charts of single rows.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bisector/report/report.h"

namespace bisector::report {

/// The surest row of either side.
std::vector<std::size_t> telling_rows(const Report& report);

/// From what the features leave open, feature by feature, to g.
chart::Chart waterfall(const Report& report, std::size_t row);

/// A row that is a picture, and its relevance beside it.
chart::Chart picture(const Report& report, std::size_t row);

/// A name that fits beside a chart; cut between the characters of UTF-8.
std::string shortened(const std::string& name);

}  // namespace bisector::report
