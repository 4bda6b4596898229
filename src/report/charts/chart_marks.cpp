#include "report/charts/chart_marks.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/charts/svg_element.h"

namespace bisector::chart {
namespace {

const std::string& color_of(const Points& points, std::size_t i) {
  return points.colors[points.colors.size() == 1 ? 0 : i];
}

std::string place(double x, double y) { return tenths(x) + ' ' + tenths(y); }

std::string svg_of(const Points& points, const Frame& frame) {
  std::string text = points.is_outlined
                         ? opening("g", {{"stroke", "#ffffff"}, {"stroke-width", "0.8"}})
                         : opening("g", {{"fill-opacity", "0.8"}});
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    const double x = frame.x(points.x[i]), y = frame.y(points.y[i]), r = points.radius;
    if (points.is_square)
      text += element("rect", {{"x", x - r},
                               {"y", y - r},
                               {"width", 2 * r},
                               {"height", 2 * r},
                               {"fill", color_of(points, i)}});
    else
      text += element("circle", {{"cx", x}, {"cy", y}, {"r", r}, {"fill", color_of(points, i)}});
  }
  return text + closing("g") + '\n';
}

std::string svg_of(const Line& line, const Frame& frame) {
  std::string path;
  for (std::size_t i = 0; i < line.x.size(); ++i)
    path += fmt::format("{}{}", i == 0 ? 'M' : 'L', place(frame.x(line.x[i]), frame.y(line.y[i])));
  Attributes attributes = {{"d", path},
                           {"fill", "none"},
                           {"stroke", line.color},
                           {"stroke-width", hundredths(line.width)}};
  if (!line.dash.empty()) attributes.push_back({"stroke-dasharray", line.dash});
  return element("path", attributes) + '\n';
}

std::string svg_of(const Bars& bars, const Frame& frame) {
  std::string text;
  for (const Bar& bar : bars.bars) {
    const auto [left, right] = std::minmax({frame.x(bar.x0), frame.x(bar.x1)});
    const auto [top, bottom] = std::minmax({frame.y(bar.y0), frame.y(bar.y1)});
    text += element("rect", {{"x", left},
                             {"y", top},
                             {"width", right - left},
                             {"height", bottom - top},
                             {"fill", bar.color}}) +
            '\n';
  }
  return text;
}

std::string svg_of(const Label& label, const Frame& frame) {
  constexpr const char* kAnchors[] = {"start", "middle", "end"};
  constexpr double kAway[] = {6.0, 0.0, -6.0};  // pixels from the labeled point
  const auto anchor = static_cast<std::size_t>(label.anchor);
  Attributes attributes = {{"x", frame.x(label.x) + kAway[anchor]},
                           {"y", frame.y(label.y) + 4.0},
                           {"text-anchor", kAnchors[anchor]}};
  if (label.is_bold) attributes.push_back({"font-weight", "bold"});
  return element_with("text", attributes, label.text) + '\n';
}

/// Edges of the grid's cells in pixels.
struct Cells {
  Cells(const Field& grid, const Frame& frame) : grid_(grid), frame_(frame) {}
  double x(double column) const {
    return frame_.x(grid_.x0 +
                    (grid_.x1 - grid_.x0) * column / static_cast<double>(grid_.values.cols()));
  }
  double y(double row) const {
    return frame_.y(grid_.y0 +
                    (grid_.y1 - grid_.y0) * row / static_cast<double>(grid_.values.rows()));
  }

 private:
  const Field& grid_;
  const Frame& frame_;
};

/// One path per color; adjacent cells of a row are one rectangle.
std::string svg_of(const Bands& bands, const Frame& frame) {
  const Matrix& values = bands.grid.values;
  const Cells cells(bands.grid, frame);
  const auto band = [&](std::size_t row, std::size_t column) {
    return static_cast<std::size_t>(std::ranges::upper_bound(bands.limits, values(row, column)) -
                                    bands.limits.begin());
  };
  std::vector<std::string> paths(bands.colors.size());
  for (std::size_t row = 0; row < values.rows(); ++row) {
    for (std::size_t first = 0; first < values.cols();) {
      std::size_t last = first + 1;
      while (last < values.cols() && band(row, last) == band(row, first)) ++last;
      const double left = cells.x(static_cast<double>(first));
      const double top = cells.y(static_cast<double>(row + 1));
      const double right = cells.x(static_cast<double>(last));
      paths[band(row, first)] += 'M' + place(left, top) + 'h' + tenths(right - left) + 'v' +
                                 tenths(cells.y(static_cast<double>(row)) - top) + 'h' +
                                 tenths(left - right) + 'z';
      first = last;
    }
  }
  std::string text = opening("g", {{"shape-rendering", "crispEdges"}});
  for (std::size_t c = 0; c < paths.size(); ++c) {
    if (!paths[c].empty())
      text += element("path", {{"fill", bands.colors[c]}, {"d", paths[c]}}) + '\n';
  }
  return text + closing("g");
}

/// Marching squares: the crossings of the level with the edges between cell centers.
class Crossings {
 public:
  Crossings(const Contour& contour, const Frame& frame)
      : contour_(contour), cells_(contour.grid, frame) {}

  std::string path() const {
    std::string result;
    const Matrix& values = contour_.grid.values;
    for (std::size_t r = 0; r + 1 < values.rows(); ++r) {
      for (std::size_t c = 0; c + 1 < values.cols(); ++c) result += square(r, c);
    }
    return result;
  }

 private:
  struct GridPoint {
    double row, column;
  };

  std::string on_paper(const GridPoint& point) const {
    return place(cells_.x(point.column), cells_.y(point.row));
  }

  double at(std::size_t row, std::size_t column) const {
    return contour_.grid.values(row, column) - contour_.level;
  }

  void cross(std::vector<GridPoint>& points, double a, double b, GridPoint from,
             GridPoint to) const {
    if ((a > 0.0) == (b > 0.0)) return;
    const double part = a / (a - b);
    points.push_back(
        {from.row + part * (to.row - from.row), from.column + part * (to.column - from.column)});
  }

  std::string square(std::size_t r, std::size_t c) const {
    const double row = static_cast<double>(r) + 0.5, column = static_cast<double>(c) + 0.5;
    const GridPoint corners[] = {
        {row, column}, {row, column + 1}, {row + 1, column + 1}, {row + 1, column}};
    const double values[] = {at(r, c), at(r, c + 1), at(r + 1, c + 1), at(r + 1, c)};
    std::vector<GridPoint> points;
    for (std::size_t i = 0; i < 4; ++i)
      cross(points, values[i], values[(i + 1) % 4], corners[i], corners[(i + 1) % 4]);
    std::string result;
    for (std::size_t i = 0; i + 1 < points.size(); i += 2)
      result += 'M' + on_paper(points[i]) + 'L' + on_paper(points[i + 1]);
    return result;
  }

  const Contour& contour_;
  Cells cells_;
};

std::string svg_of(const Contour& contour, const Frame& frame) {
  return element("path", {{"d", Crossings(contour, frame).path()},
                          {"fill", "none"},
                          {"stroke", contour.color},
                          {"stroke-width", hundredths(contour.width)},
                          {"stroke-linecap", "round"}}) +
         '\n';
}

}  // namespace

std::string svg_mark(const Mark& mark, const Frame& frame) {
  return std::visit([&](const auto& own) { return svg_of(own, frame); }, mark);
}

}  // namespace bisector::chart
