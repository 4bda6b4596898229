// Note G's heat maps: how faithful a rule is over the model's parameter and its own.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "bisector/report/chart.h"
#include "common/markdown.h"
#include "common/result_file.h"
#include "figures/figures.h"

namespace bisector::paper {

using namespace chart;

namespace {

struct HeatMap {
  std::string model, parameter;
  std::map<std::pair<double, double>, double> cells;  // model parameter, rule parameter: AUFC
  std::map<double, double> heuristic;                 // model parameter: rule parameter
};

std::vector<HeatMap> read_maps(const std::filesystem::path& path) {
  const ResultFile file(path);
  std::vector<HeatMap> maps;
  for (std::size_t r = 0; r < file.rows(); ++r) {
    const std::string& model = file.text(r, "model");
    const std::string& parameter = file.text(r, "rule_parameter");
    auto found = std::ranges::find_if(
        maps, [&](const HeatMap& map) { return map.model == model && map.parameter == parameter; });
    if (found == maps.end()) found = maps.insert(maps.end(), {model, parameter, {}, {}});
    const double at = file.number(r, "model_parameter");
    found->cells[{at, file.number(r, "value")}] = file.number(r, "aufc");
    found->heuristic[at] = file.number(r, "heuristic");
  }
  return maps;
}

/// The interpolated index of a value in sorted values.
double place(const std::vector<double>& values, double value) {
  if (values.size() < 2 || value <= values.front()) return 0.0;
  const auto above = std::ranges::lower_bound(values, value);
  if (above == values.end()) return static_cast<double>(values.size() - 1);
  const auto i = static_cast<double>(above - values.begin());
  return i - (*above - value) / (*above - *(above - 1));
}

std::vector<Tick> ticks(const std::vector<double>& values) {
  std::vector<Tick> result;
  for (std::size_t i = 0; i < values.size(); ++i)
    result.push_back({static_cast<double>(i), fmt::format("{}", values[i])});
  return result;
}

struct Range {
  double low = 2.0, high = -2.0;
  /// From 0 at the low end to 1 at the high one.
  double share(double value) const { return high > low ? (value - low) / (high - low) : 0.0; }
};

Panel panel_of(const HeatMap& map) {
  std::set<double> across, up;
  std::map<double, Range> columns;  // one color scale per model parameter, as in the paper
  for (const auto& [place, aufc] : map.cells) {
    across.insert(place.first);
    up.insert(place.second);
    Range& range = columns[place.first];
    range = {std::min(range.low, aufc), std::max(range.high, aufc)};
  }
  const std::vector<double> x(across.begin(), across.end()), y(up.begin(), up.end());
  Bars cells;
  for (const auto& [at, aufc] : map.cells) {
    const double column = place(x, at.first), row = place(y, at.second);
    cells.bars.push_back({column - 0.5, column + 0.5, row - 0.5, row + 0.5,
                          sequential_color(columns.at(at.first).share(aufc))});
  }
  Line line{{}, {}, "#ffffff", 3.0, "6 3"};
  for (const auto& [parameter, value] : map.heuristic) {
    line.x.push_back(place(x, parameter));
    line.y.push_back(place(y, value));
  }
  const std::string rule = map.parameter == "beta" ? "beta / gamma" : map.parameter;
  return {fmt::format("{}: {}", map.model == "svm" ? "SVM" : "KNN", map.parameter),
          {map.model == "svm" ? "gamma" : "k", -0.5, static_cast<double>(x.size()) - 0.5, ticks(x)},
          {rule, -0.5, static_cast<double>(y.size()) - 0.5, ticks(y)},
          {cells, line},
          {{"lowest AUFC of a column", sequential_color(0.0)},
           {"highest", sequential_color(1.0)},
           {"the heuristic", "#888888", true, "6 3"}}};
}

}  // namespace

void draw_heuristics(const std::filesystem::path& folder) {
  Chart chart{"The rules' parameters on generated problems",
              "Mean AUFC over the model's parameter and the rule's, each column with a scale of "
              "its own, dark is better, with the line of the heuristic.",
              {},
              2,
              420,
              300};
  for (const HeatMap& map : read_maps(folder / "heuristics.csv"))
    chart.panels.push_back(panel_of(map));
  write_file(folder / "heuristics.svg", svg(chart));
}

}  // namespace bisector::paper
