// Marks as SVG elements.
#pragma once

#include <string>

#include "bisector/chart.h"
#include "report/svg_frame.h"

namespace bisector::report {

std::string svg_mark(const Mark& mark, const Frame& frame);

}  // namespace bisector::report
