// Charts of single rows.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bisector/report/report.h"

namespace bisector::report {

/// The rows with the largest g of either sign.
std::vector<std::size_t> telling_rows(const Report& report);

/// From the base value, feature by feature, to the output.
chart::Chart waterfall(const Report& report, std::size_t row);

/// A row that is an image, and its contributions.
chart::Chart picture(const Report& report, std::size_t row);

/// A name cut to fit next to a chart, between UTF-8 characters.
std::string shortened(const std::string& name);

}  // namespace bisector::report
