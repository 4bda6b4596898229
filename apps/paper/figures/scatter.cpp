#include "figures/scatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "bisector/random.h"
#include "common/statistics.h"

namespace bisector::paper {

using namespace chart;

namespace {

/// From data to pixels.
class Axes {
 public:
  Axes(const Box& box, const ScatterPanel& panel) : box_(box), panel_(panel) {}

  Point at(double x, double y) const {
    return {box_.x + box_.width * (x - panel_.x_low) / (panel_.x_high - panel_.x_low),
            box_.y + box_.height * (panel_.y_high - y) / (panel_.y_high - panel_.y_low)};
  }
  bool has(double x, double y) const {
    return x >= panel_.x_low && x <= panel_.x_high && y >= panel_.y_low && y <= panel_.y_high;
  }

 private:
  const Box& box_;
  const ScatterPanel& panel_;
};

std::vector<Point> some_points(const Axes& axes, const Cloud& cloud, std::size_t most) {
  std::vector<std::size_t> order(cloud.x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(0).shuffle(std::span(order));
  std::vector<Point> points;
  for (std::size_t n = 0; n < order.size() && n < most; ++n) {
    const double x = cloud.x[order[n]], y = cloud.y[order[n]];
    if (axes.has(x, y)) points.push_back(axes.at(x, y));
  }
  return points;
}

void draw_frame(SvgDrawing& drawing, const Box& box, const ScatterPanel& panel, const Axes& axes) {
  const Stroke dashed{"#888", 0.8, 1.0, true};
  if (panel.x_mean > panel.x_low && panel.x_mean < panel.x_high)
    drawing.line(axes.at(panel.x_mean, panel.y_low), axes.at(panel.x_mean, panel.y_high), dashed);
  drawing.line(axes.at(panel.x_low, 0), axes.at(panel.x_high, 0), dashed);
  drawing.outline(box, {"#444", 0.8});
  const TextStyle small{9, TextStyle::Anchor::middle};
  drawing.text({box.x + box.width / 2, box.y - 5}, panel.title,
               {10.5, TextStyle::Anchor::middle, true});
  const double below = box.y + box.height + 11;
  drawing.text({box.x, below}, fmt::format("{:.3g}", panel.x_low), small);
  drawing.text({box.x + box.width, below}, fmt::format("{:.3g}", panel.x_high), small);
  drawing.text({box.x + box.width / 2, below}, panel.x_label, small);
  const TextStyle left{9, TextStyle::Anchor::end};
  drawing.text({box.x - 3, box.y + 8}, fmt::format("{:.2g}", panel.y_high), left);
  drawing.text({box.x - 3, axes.at(panel.x_low, 0).y + 3}, "0", left);
  drawing.text({box.x - 3, box.y + box.height}, fmt::format("{:.2g}", panel.y_low), left);
  drawing.text({box.x - 26, box.y + box.height / 2}, panel.y_label,
               {9.5, TextStyle::Anchor::middle, false, "#222", -90});
}

}  // namespace

void draw_scatter(SvgDrawing& drawing, const Box& box, const ScatterPanel& panel,
                  const Cloud& cloud, std::size_t most_dots) {
  const Axes axes(box, panel);
  drawing.dots(some_points(axes, cloud, most_dots), 2.2, cloud.color, 0.45);
  draw_frame(drawing, box, panel, axes);
  const BinnedMeans means = binned_means(cloud.x, cloud.y, 20);
  std::vector<Point> line;
  for (std::size_t n = 0; n < means.x.size(); ++n) {
    if (axes.has(means.x[n], means.y[n])) line.push_back(axes.at(means.x[n], means.y[n]));
  }
  drawing.polyline(line, {"#c8281e", 1.8});
}

}  // namespace bisector::paper
