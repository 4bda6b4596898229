#include "wine/wine.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "bisector/random.h"
#include "bisector/report/chart.h"
#include "bisector/train/targets.h"
#include "common/statistics.h"
#include "wine/wine_statements.h"

namespace bisector::paper {

using namespace chart;

namespace {

constexpr std::size_t kDots = 500, kGroups = 20;

/// The middle 99 % of value and relevance, which are symmetric around a relevance of 0.
Panel empty_panel(const std::string& title, std::span<const double> x, std::span<const double> y) {
  const double most = std::max({percentile(y, 99.5), -percentile(y, 0.5), 1e-6});
  return {title,
          {"", percentile(x, 0.5), percentile(x, 99.5)},
          {"relevance", -most, most, round_ticks(-most, most, 3)},
          {}};
}

/// Adds some points, drawn at random, and the means of groups of all points.
void add_points(Panel& panel, std::span<const double> x, std::span<const double> y,
                const std::string& color) {
  const auto has = [&](double a, double b) {
    return a >= panel.x.low && a <= panel.x.high && b >= panel.y.low && b <= panel.y.high;
  };
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(0).shuffle(std::span(order));
  order.resize(std::min(order.size(), kDots));
  Points dots{{}, {}, {color}, 1.3};
  for (const std::size_t n : order) {
    if (!has(x[n], y[n])) continue;
    dots.x.push_back(x[n]);
    dots.y.push_back(y[n]);
  }
  const BinnedMeans groups = binned_means(x, y, kGroups);
  Line means{{}, {}, "#c8281e", 1.8};
  for (std::size_t n = 0; n < groups.x.size(); ++n) {
    if (!has(groups.x[n], groups.y[n])) continue;
    means.x.push_back(groups.x[n]);
    means.y.push_back(groups.y[n]);
  }
  panel.x.ticks = round_ticks(panel.x.low, panel.x.high, 3);
  panel.marks = {dots, Line{{panel.x.low, panel.x.high}, {0, 0}, "#888888", 0.8, "4 3"}, means};
}

void add_model(Chart& chart, const WineStudy& study, const WineModel& model) {
  const Matrix relevance = model.normalized();
  for (std::size_t f = 0; f < study.features.size(); ++f) {
    const std::vector<double> x = study.values(f), y = column(relevance, f);
    chart.panels.push_back(
        empty_panel(fmt::format("{} (gamma {})", study.features[f], model.gamma), x, y));
    add_points(chart.panels.back(), x, y, "#5b7fa6");
  }
}

void add_interaction(Chart& chart, const WineStudy& study, const std::string& feature,
                     const std::string& by) {
  const WineInteraction wines = split_by(study, study.detailed, feature, by);
  std::vector<double> x = wines.low.x, y = wines.low.y;
  x.insert(x.end(), wines.high.x.begin(), wines.high.x.end());
  y.insert(y.end(), wines.high.y.begin(), wines.high.y.end());
  for (const WineHalf* half : {&wines.low, &wines.high}) {
    chart.panels.push_back(empty_panel(fmt::format("{}, {}", feature, half->name), x, y));
    add_points(chart.panels.back(), half->x, half->y, half == &wines.low ? "#3a8f6b" : "#8a5fb0");
  }
}

}  // namespace

std::string wine_figure(const WineStudy& study) {
  Chart chart{"What makes a wine good",
              "Value of each chemical property against its normalized relevance for a good white "
              "wine, for a smooth and a detailed model, and two interactions of the detailed "
              "model. Dots: up to 500 wines. Red: means of 20 groups of equal size.",
              {},
              6,
              190,
              115};
  add_model(chart, study, study.smooth);
  add_model(chart, study, study.detailed);
  add_interaction(chart, study, "residual sugar", "chlorides");
  add_interaction(chart, study, "pH", "residual sugar");
  return svg(chart);
}

}  // namespace bisector::paper
