// A scatter plot of value against relevance.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/report/drawing.h"

namespace bisector::paper {

struct Cloud {
  std::span<const double> x, y;
  std::string_view color = "#5b7fa6";
};

struct ScatterPanel {
  std::string title, x_label, y_label;  // labels may be empty
  double x_low, x_high, y_low, y_high;
  double x_mean;  // a dashed line, as at y = 0
};

/// At most `most_dots` points of the cloud, drawn at random with a fixed seed, and the means of
/// twenty parts of all points as a line. Points outside the range are left out.
void draw_scatter(chart::SvgDrawing& drawing, const chart::Box& box, const ScatterPanel& panel,
                  const Cloud& cloud, std::size_t most_dots = 500);

}  // namespace bisector::paper
