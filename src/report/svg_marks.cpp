#include "report/svg_marks.h"

#include <fmt/format.h>

#include <algorithm>

#include "bisector/markup.h"

namespace bisector::report {
namespace {

const std::string& colour_of(const Points& points, std::size_t i) {
  return points.colours[points.colours.size() == 1 ? 0 : i];
}

std::string draw(const Points& points, const Frame& frame) {
  std::string text =
      fmt::format("<g{}>", points.is_outlined ? " stroke=\"#ffffff\" stroke-width=\"0.8\""
                                              : " fill-opacity=\"0.8\"");
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    const double x = frame.x(points.x[i]), y = frame.y(points.y[i]), r = points.radius;
    if (points.is_square)
      text += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>", x - r,
          y - r, 2 * r, 2 * r, colour_of(points, i));
    else
      text += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\"/>", x, y, r,
                          colour_of(points, i));
  }
  return text + "</g>\n";
}

std::string draw(const Line& line, const Frame& frame) {
  std::string path;
  for (std::size_t i = 0; i < line.x.size(); ++i)
    path +=
        fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", frame.x(line.x[i]), frame.y(line.y[i]));
  const std::string dash =
      line.dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", escaped_markup(line.dash));
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", path,
                     line.colour, line.width, dash);
}

std::string draw(const Bars& bars, const Frame& frame) {
  std::string text;
  for (const Bar& bar : bars.bars) {
    const auto [left, right] = std::minmax({frame.x(bar.x0), frame.x(bar.x1)});
    const auto [top, bottom] = std::minmax({frame.y(bar.y0), frame.y(bar.y1)});
    text += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", left,
        top, right - left, bottom - top, bar.colour);
  }
  return text;
}

std::string draw(const Label& label, const Frame& frame) {
  constexpr const char* kAnchors[] = {"start", "middle", "end"};
  constexpr double kAway[] = {6.0, 0.0, -6.0};  // pixels, from what is labelled
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n",
                     frame.x(label.x) + kAway[static_cast<int>(label.anchor)],
                     frame.y(label.y) + 4.0, kAnchors[static_cast<int>(label.anchor)],
                     label.is_bold ? " font-weight=\"bold\"" : "", escaped_markup(label.text));
}

/// Edges of the grid's cells on the paper.
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

/// One path per colour, in which cells of a row that lie side by side are one rectangle.
std::string draw(const Bands& bands, const Frame& frame) {
  const Matrix& values = bands.grid.values;
  const Cells cells(bands.grid, frame);
  const auto band = [&](std::size_t row, std::size_t column) {
    return static_cast<std::size_t>(std::ranges::upper_bound(bands.limits, values(row, column)) -
                                    bands.limits.begin());
  };
  std::vector<std::string> paths(bands.colours.size());
  for (std::size_t row = 0; row < values.rows(); ++row) {
    for (std::size_t first = 0; first < values.cols();) {
      std::size_t last = first + 1;
      while (last < values.cols() && band(row, last) == band(row, first)) ++last;
      const double left = cells.x(static_cast<double>(first));
      const double top = cells.y(static_cast<double>(row + 1));
      paths[band(row, first)] += fmt::format("M{:.1f} {:.1f}h{:.1f}v{:.1f}h{:.1f}z", left, top,
                                             cells.x(static_cast<double>(last)) - left,
                                             cells.y(static_cast<double>(row)) - top,
                                             left - cells.x(static_cast<double>(last)));
      first = last;
    }
  }
  std::string text = "<g shape-rendering=\"crispEdges\">";
  for (std::size_t c = 0; c < paths.size(); ++c) {
    if (!paths[c].empty())
      text += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n", bands.colours[c], paths[c]);
  }
  return text + "</g>";
}

/// Marching squares: where the level crosses the edges of the square between four middles.
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
  struct Point {
    double row, column;
  };

  double at(std::size_t row, std::size_t column) const {
    return contour_.grid.values(row, column) - contour_.level;
  }

  void cross(std::vector<Point>& points, double a, double b, Point from, Point to) const {
    if ((a > 0.0) == (b > 0.0)) return;
    const double part = a / (a - b);
    points.push_back(
        {from.row + part * (to.row - from.row), from.column + part * (to.column - from.column)});
  }

  std::string square(std::size_t r, std::size_t c) const {
    const double row = static_cast<double>(r) + 0.5, column = static_cast<double>(c) + 0.5;
    const Point corners[] = {
        {row, column}, {row, column + 1}, {row + 1, column + 1}, {row + 1, column}};
    const double values[] = {at(r, c), at(r, c + 1), at(r + 1, c + 1), at(r + 1, c)};
    std::vector<Point> points;
    for (std::size_t i = 0; i < 4; ++i)
      cross(points, values[i], values[(i + 1) % 4], corners[i], corners[(i + 1) % 4]);
    std::string result;
    for (std::size_t i = 0; i + 1 < points.size(); i += 2)
      result += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", cells_.x(points[i].column),
                            cells_.y(points[i].row), cells_.x(points[i + 1].column),
                            cells_.y(points[i + 1].row));
    return result;
  }

  const Contour& contour_;
  Cells cells_;
};

std::string draw(const Contour& contour, const Frame& frame) {
  return fmt::format(
      "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\"/>\n",
      Crossings(contour, frame).path(), contour.colour, contour.width);
}

}  // namespace

std::string svg_mark(const Mark& mark, const Frame& frame) {
  return std::visit([&](const auto& own) { return draw(own, frame); }, mark);
}

}  // namespace bisector::report
