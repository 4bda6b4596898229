// Marks as SVG elements.
#pragma once

#include <string>

#include "bisector/chart.h"
#include "draw/chart_frame.h"

namespace bisector::draw {

std::string svg_mark(const Mark& mark, const Frame& frame);

}  // namespace bisector::draw
