// Panels and marks as SVG elements.
#pragma once

#include <cmath>
#include <string>

#include "bisector/report/chart.h"

namespace bisector::chart {

/// The mapping from a panel's coordinates to pixels.
struct Frame {
  const Panel& panel;
  double left, top, width, height;  // pixels

  double x(double value) const { return left + width * share(panel.x, value); }
  double y(double value) const { return top + height * (1.0 - share(panel.y, value)); }

 private:
  static double share(const Axis& axis, double value) {
    if (axis.is_log) return std::log(value / axis.low) / std::log(axis.high / axis.low);
    return (value - axis.low) / (axis.high - axis.low);
  }
};

std::string svg_mark(const Mark& mark, const Frame& frame);

}  // namespace bisector::chart
