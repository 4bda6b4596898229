#include "report/charts/row_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bisector::report {

using namespace chart;

namespace {

constexpr std::size_t kSteps = 12;
constexpr auto kRemainder = "unexplained";

std::string value_text(const ReportColumn& column, double value) {
  const auto level = static_cast<std::size_t>(std::max(0.0, std::round(value)));
  return level < column.levels.size() ? column.levels[level] : fmt::format("{:.4g}", value);
}

/// Rounding is no remainder, and an infinite one has no bar.
bool is_visible(double remainder, double output) {
  return std::isfinite(remainder) && std::abs(remainder) > 1e-9 * std::abs(output);
}

struct Step {
  std::string name;
  double part;
};

/// The largest contributions, the others together, and the unexplained part.
std::vector<Step> steps_of(const Report& report, std::size_t row) {
  const auto relevance = report.explanation.relevance.row(row);
  std::vector<std::size_t> order = report.by_importance;
  std::ranges::sort(order);
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t c) { return std::abs(relevance[c]); });
  const std::size_t own = order.size() <= kSteps + 1 ? order.size() : kSteps;
  std::vector<Step> steps;
  for (std::size_t i = 0; i < own; ++i) {
    const ReportColumn& column = report.columns[order[i]];
    const std::string value =
        column.members.empty() ? " = " + value_text(column, report.values(row, order[i])) : "";
    steps.push_back({shortened(column.name) + value, relevance[order[i]]});
  }
  if (own < order.size()) {
    double rest = 0.0;
    for (std::size_t i = own; i < order.size(); ++i) rest += relevance[order[i]];
    steps.push_back({fmt::format("{} other features", order.size() - own), rest});
  }
  const Explanation& e = report.explanation;
  if (is_visible(e.remainder[row], e.output[row])) steps.push_back({kRemainder, e.remainder[row]});
  return steps;
}

std::string prediction_text(const Report& report, std::size_t row) {
  const Explanation& e = report.explanation;
  return report.is_regressor ? fmt::format("{:.4g}", e.value[row])
                             : report.labels[e.prediction[row]];
}

std::string signed_text(double value) { return fmt::format("{:+.4g}", value); }

Bands heat(const Matrix& values, double largest, bool is_relevance) {
  Bands bands{
      {values, 0.0, static_cast<double>(values.cols()), 0.0, static_cast<double>(values.rows())},
      {},
      {}};
  constexpr int kColors = 32;
  for (int i = 0; i < kColors; ++i) {
    const double middle = (i + 0.5) / kColors;
    const int gray = static_cast<int>(std::lround(255.0 * middle));
    bands.colors.push_back(is_relevance ? diverging_color(2.0 * middle - 1.0)
                                        : fmt::format("#{0:02x}{0:02x}{0:02x}", gray));
    if (i + 1 < kColors)
      bands.limits.push_back(is_relevance ? largest * (2.0 * (i + 1) / kColors - 1.0)
                                          : largest * (i + 1) / kColors);
  }
  return bands;
}

}  // namespace

std::string shortened(const std::string& name) {
  constexpr std::size_t kLongest = 26;
  if (name.size() <= kLongest) return name;
  std::size_t end = kLongest - 1;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0u) == 0x80u) --end;
  return name.substr(0, end) + "…";
}

std::vector<std::size_t> telling_rows(const Report& report) {
  const auto& g = report.explanation.g;
  const auto [least, most] = std::ranges::minmax_element(g);
  const auto first = static_cast<std::size_t>(most - g.begin());
  const auto second = static_cast<std::size_t>(least - g.begin());
  if (first == second) return {first};
  return {first, second};
}

Chart waterfall(const Report& report, std::size_t row) {
  const std::vector<Step> steps = steps_of(report, row);
  const double base = report.explanation.base[row], output = report.explanation.output[row];
  double at = base, low = std::min(0.0, at), high = std::max(0.0, at);
  Bars bars;
  std::vector<Mark> words{Label{at, 0.0, signed_text(at), Label::Anchor::start, true}};
  std::vector<Tick> names{{0.0, report.settings.unit == Unit::decision ? "average row" : "start"}};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double y = -static_cast<double>(i + 1), to = at + steps[i].part;
    bars.bars.push_back({at, to, y - 0.34, y + 0.34,
                         steps[i].name == kRemainder ? "#8a9099"
                         : steps[i].part >= 0.0      ? for_color()
                                                     : against_color()});
    words.push_back(Label{std::max(at, to), y, signed_text(steps[i].part), Label::Anchor::start});
    names.push_back({y, steps[i].name});
    at = to;
    low = std::min(low, at);
    high = std::max(high, at);
  }
  const double last = -static_cast<double>(steps.size() + 1);
  names.push_back({last, report.unit.output});
  words.push_back(Label{at, last, signed_text(output), Label::Anchor::start, true});
  const double margin = high > low ? 0.04 * (high - low) : 1.0;
  Panel panel{
      fmt::format("Row {}: predicted {}", report.row_numbers[row], prediction_text(report, row)),
      {report.unit.name, low - margin, high + 4.0 * margin},
      {"", last - 0.6, 0.6, names},
      {Line{{0.0, 0.0}, {last - 0.6, 0.6}, "#555b63", 1.0, "3 3"}, bars},
      {}};
  for (const auto& [value, y] : {std::pair{base, 0.0}, std::pair{at, last}})
    panel.marks.push_back(Line{{value, value}, {y - 0.4, y + 0.4}, "#1b1d21", 3.0});
  panel.marks.insert(panel.marks.end(), words.begin(), words.end());
  return {panel.title,
          fmt::format("Contributions in {}, from {} to {} {}.", report.unit.name, signed_text(base),
                      report.unit.output, signed_text(output)),
          {panel},
          1,
          480,
          24.0 * static_cast<double>(names.size()),
          270};
}

Chart picture(const Report& report, std::size_t row) {
  const auto [height, width] = *report.options.image;
  Matrix values(height, width), relevance(height, width);
  double largest = 0.0;
  const auto [low, high] = std::ranges::minmax(report.values.row(row));
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      // The rows of a grid go upward.
      const std::size_t pixel = (height - 1 - y) * width + x;
      values(y, x) = report.values(row, pixel) - low;
      relevance(y, x) = report.explanation.relevance(row, pixel);
      largest = std::max(largest, std::abs(relevance(y, x)));
    }
  }
  const Axis across{"pixel", 0.0, static_cast<double>(width)},
      up{"", 0.0, static_cast<double>(height)};
  const double side = 260.0, tall = side * static_cast<double>(height) / static_cast<double>(width);
  return {fmt::format("Row {} as an image", report.row_numbers[row]),
          fmt::format("The image and its contributions; full color at {:.3g} {}.", largest,
                      report.unit.name),
          {{"the image", across, up, {heat(values, std::max(high - low, 1e-300), false)}},
           {fmt::format("contributions, predicted {}", prediction_text(report, row)),
            across,
            up,
            {heat(relevance, std::max(largest, 1e-300), true)}}},
          2,
          side,
          tall,
          48};
}

}  // namespace bisector::report
