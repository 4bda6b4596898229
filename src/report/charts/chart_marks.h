// Marks as SVG elements.
#pragma once

#include <string>

#include "bisector/report/chart.h"
#include "report/charts/chart_frame.h"

namespace bisector::chart {

std::string svg_mark(const Mark& mark, const Frame& frame);

}  // namespace bisector::chart
