#include "figures/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bisector/report/chart.h"
#include "common/markdown.h"
#include "common/result_file.h"

namespace bisector::paper {

using namespace chart;

namespace {

/// Each value once, in the order of the first occurrence.
std::vector<std::string> distinct(const ResultFile& file, const std::string& column) {
  std::vector<std::string> values;
  for (std::size_t r = 0; r < file.rows(); ++r) {
    const std::string& value = file.text(r, column);
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  return values;
}

std::size_t place(const std::vector<std::string>& values, const std::string& value) {
  return static_cast<std::size_t>(std::ranges::find(values, value) - values.begin());
}

/// A standard error as a line through the end of a bar.
Line error_line(double x, double mean, double error) {
  return {{x, x}, {mean - error, mean + error}, "#1b1d21", 1.0};
}

}  // namespace

void draw_ablation(const std::filesystem::path& folder) {
  const ResultFile file(folder / "ablation.csv");
  const auto datasets = distinct(file, "dataset"), methods = distinct(file, "method");
  const double share = 0.8 / static_cast<double>(methods.size());
  Panel panel{"Gradient x input on f, on g, then LRP",
              {"dataset", -0.5, static_cast<double>(datasets.size()) - 0.5},
              {"AUFC (lower is better)", 0.0, 0.0},
              {},
              {}};
  for (std::size_t d = 0; d < datasets.size(); ++d)
    panel.x.ticks.push_back({static_cast<double>(d), datasets[d]});
  Bars bars;
  std::vector<Mark> errors;
  for (std::size_t r = 0; r < file.rows(); ++r) {
    const auto m = static_cast<double>(place(methods, file.text(r, "method")));
    const double left =
        static_cast<double>(place(datasets, file.text(r, "dataset"))) - 0.4 + share * m;
    const double mean = file.number(r, "aufc"), error = file.number(r, "standard_error");
    bars.bars.push_back(
        {left, left + 0.92 * share, 0.0, mean, line_color(place(methods, file.text(r, "method")))});
    errors.emplace_back(error_line(left + 0.46 * share, mean, error));
    panel.y.high = std::max(panel.y.high, 1.02 * (mean + error));
    panel.y.low = std::min(panel.y.low, 1.02 * (mean - error));
  }
  panel.marks.emplace_back(std::move(bars));
  panel.marks.insert(panel.marks.end(), errors.begin(), errors.end());
  for (std::size_t m = 0; m < methods.size(); ++m)
    panel.legend.push_back({methods[m], line_color(m)});
  const Chart chart{"Ablation",
                    "AUFC per dataset of gradient x input on f, on g, and of LRP, with standard "
                    "errors.",
                    {panel},
                    1,
                    145.0 * static_cast<double>(datasets.size()),
                    320};
  write_file(folder / "ablation.svg", svg(chart));
}

void draw_all(const std::filesystem::path& folder) {
  if (std::filesystem::exists(folder / "ablation.csv")) draw_ablation(folder);
  if (std::filesystem::exists(folder / "heuristics.csv")) draw_heuristics(folder);
  if (std::filesystem::exists(folder / "table.csv")) write_table_page(folder);
}

}  // namespace bisector::paper
