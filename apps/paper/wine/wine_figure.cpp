#include "wine/wine_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bisector/report/drawing.h"
#include "bisector/train/targets.h"
#include "common/statistics.h"
#include "figures/scatter.h"
#include "wine/wine_statements.h"

namespace bisector::paper {

using namespace chart;

namespace {

constexpr double kWidth = 190, kHeight = 115;             // of a panel
constexpr double kStepX = 222, kStepY = 158, kLeft = 48;  // from panel to panel
constexpr std::size_t kColumns = 6;

/// Sets the range to the middle 99 % of the points.
void set_range(ScatterPanel& panel, std::span<const double> x, std::span<const double> y) {
  panel.x_low = percentile(x, 0.5);
  panel.x_high = percentile(x, 99.5);
  panel.y_high = std::max({percentile(y, 99.5), -percentile(y, 0.5), 1e-6});
  panel.y_low = -panel.y_high;
}

Box panel_box(double top, std::size_t index) {
  return {kLeft + static_cast<double>(index % kColumns) * kStepX,
          top + static_cast<double>(index / kColumns) * kStepY, kWidth, kHeight};
}

void draw_model(SvgDrawing& drawing, double top, const WineStudy& study, const WineModel& model) {
  drawing.text({kLeft, top - 24},
               fmt::format("gamma = {}, C = {}: relevance for quality above 5, normalized",
                           model.gamma, model.cost),
               {14, TextStyle::Anchor::start, true});
  const Matrix relevance = model.normalized();
  for (std::size_t f = 0; f < study.features.size(); ++f) {
    const std::vector<double> x = study.values(f), y = column(relevance, f);
    ScatterPanel panel{study.features[f],
                       "",
                       f % kColumns == 0 ? "relevance" : "",
                       0,
                       0,
                       0,
                       0,
                       binned_means(x, y, 1).x.at(0)};
    set_range(panel, x, y);
    draw_scatter(drawing, panel_box(top, f), panel, {x, y});
  }
}

void draw_interaction(SvgDrawing& drawing, double top, std::size_t index, const std::string& name,
                      const WineInteraction& wines) {
  std::vector<double> x = wines.low.x, y = wines.low.y;
  x.insert(x.end(), wines.high.x.begin(), wines.high.x.end());
  y.insert(y.end(), wines.high.y.begin(), wines.high.y.end());
  ScatterPanel panel{"", name, index == 0 ? "relevance" : "", 0, 0,
                     0,  0,    binned_means(x, y, 1).x.at(0)};
  set_range(panel, x, y);
  for (const WineHalf* half : {&wines.low, &wines.high}) {
    panel.title = fmt::format("{}, {}", name, half->name);
    panel.y_label = index == 0 ? "relevance" : "";
    draw_scatter(drawing, panel_box(top, index++), panel,
                 {half->x, half->y, half == &wines.low ? "#3a8f6b" : "#8a5fb0"}, 700);
  }
}

}  // namespace

std::string wine_figure(const WineStudy& study) {
  SvgDrawing drawing(kLeft + kColumns * kStepX, 930,
                     "Value of each chemical property against its relevance for a good white wine, "
                     "for a smooth and a detailed model, and two interactions");
  draw_model(drawing, 50, study, study.smooth);
  draw_model(drawing, 392, study, study.detailed);
  drawing.text({kLeft, 710}, "gamma = 0.2: interactions", {14, TextStyle::Anchor::start, true});
  draw_interaction(drawing, 738, 0, "residual sugar",
                   split_by(study, study.detailed, "residual sugar", "chlorides"));
  draw_interaction(drawing, 738, 2, "pH", split_by(study, study.detailed, "pH", "residual sugar"));
  drawing.text(
      {kLeft, 906},
      "Dots: 500 wines (700 below). Red: means of twenty equal parts of all wines. Dashed: "
      "mean value and zero relevance. Ranges leave out 1 % of the wines.",
      {11});
  return drawing.svg();
}

}  // namespace bisector::paper
