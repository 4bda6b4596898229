// Note G's heat maps: how faithful a rule is over the model's parameter and its own.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "bisector/chart.h"
#include "bisector/explain.h"
#include "figures.h"
#include "markdown.h"
#include "result_file.h"

namespace bisector::paper {
namespace {

struct HeatMap {
  std::string model, parameter;
  std::map<std::pair<double, double>, double> cells;  // model parameter, rule parameter: AUFC
};

std::vector<HeatMap> read_maps(const std::filesystem::path& path) {
  const ResultFile file(path);
  std::vector<HeatMap> maps;
  for (std::size_t r = 0; r < file.rows(); ++r) {
    const std::string& model = file.text(r, "model");
    const std::string& parameter = file.text(r, "rule_parameter");
    auto found = std::ranges::find_if(
        maps, [&](const HeatMap& map) { return map.model == model && map.parameter == parameter; });
    if (found == maps.end()) found = maps.insert(maps.end(), {model, parameter, {}});
    found->cells[{file.number(r, "model_parameter"), file.number(r, "value")}] =
        file.number(r, "aufc");
  }
  return maps;
}

/// What the library itself picks for a model with this parameter.
ExplainSettings heuristic(const HeatMap& map, double parameter) {
  ExplainOptions options;
  const auto explain = [&](const Model& model) {
    return (map.parameter == "path eta" ? Explainer(model, options, PathRule{})
                                        : Explainer(model, options))
        .settings();
  };
  if (map.model == "svm") {
    const KernelMachine machine(Matrix(2, 1, {0.0, 1.0}), {1.0, -1.0}, parameter, 0.0);
    return explain(Model(KernelClassifier::two_class(machine, "a", "b"), {}, {}, 1.0));
  }
  const auto k = static_cast<std::size_t>(parameter);
  Matrix points(2 * k, 1);
  std::vector<std::size_t> classes(2 * k);
  for (std::size_t n = 0; n < 2 * k; ++n) {
    points(n, 0) = static_cast<double>(n);
    classes[n] = n % 2;
  }
  return explain(Model(NeighborModel(points, classes, {"a", "b"}, k)));
}

double heuristic_value(const HeatMap& map, double parameter) {
  const ExplainSettings settings = heuristic(map, parameter);
  if (map.parameter == "beta") return *settings.beta / *settings.gamma;
  if (map.parameter == "kappa") return static_cast<double>(*settings.kappa);
  return settings.eta;
}

/// Where a value lies among sorted ones: whole numbers at them, between them in between.
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
  std::map<double, Range> columns;  // as in the paper, a model's parameter has a scale of its own
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
                          sequential_colour(columns.at(at.first).share(aufc))});
  }
  Line line{{}, {}, "#ffffff", 3.0, "6 3"};
  for (const double parameter : x) {
    line.x.push_back(place(x, parameter));
    line.y.push_back(place(y, heuristic_value(map, parameter)));
  }
  const std::string rule = map.parameter == "beta" ? "beta / gamma" : map.parameter;
  return {fmt::format("{}: {}", map.model == "svm" ? "SVM" : "KNN", map.parameter),
          {map.model == "svm" ? "gamma" : "k", -0.5, static_cast<double>(x.size()) - 0.5, ticks(x)},
          {rule, -0.5, static_cast<double>(y.size()) - 0.5, ticks(y)},
          {cells, line},
          {{"lowest AUFC of a column", sequential_colour(0.0)},
           {"highest", sequential_colour(1.0)},
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
