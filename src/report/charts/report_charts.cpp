#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bisector/report/report.h"
#include "report/charts/row_charts.h"

namespace bisector {

using namespace report;
using namespace chart;

namespace {

constexpr auto kCutWords = " The outer hundredth on either side is drawn at the edge.";
constexpr std::size_t kBars = 20, kStrips = 12, kScatters = 6;

struct Sides {
  std::string positive, negative;
};

Sides sides_of(const Report& report) {
  const ExplainSettings& settings = report.settings;
  if (report.is_regressor) return {"raises the prediction", "lowers the prediction"};
  const auto toward = [](const std::string& label, const char* general) {
    return fmt::format("pushes toward {}", label.empty() ? general : label);
  };
  return {toward(settings.positive, "the predicted class"),
          toward(settings.negative, "the runner-up")};
}

std::vector<std::size_t> most_important(const Report& report, std::size_t count) {
  const auto& order = report.by_importance;
  return {order.begin(),
          order.begin() + static_cast<std::ptrdiff_t>(std::min(count, order.size()))};
}

std::string name_of(const Report& report, std::size_t column) {
  return report::shortened(report.columns[column].name);
}

/// Names at whole numbers, top to bottom.
std::vector<Tick> name_ticks(const Report& report, const std::vector<std::size_t>& columns) {
  std::vector<Tick> ticks;
  for (std::size_t i = 0; i < columns.size(); ++i)
    ticks.push_back({-static_cast<double>(i), name_of(report, columns[i])});
  return ticks;
}

Chart importance(const Report& report) {
  const auto columns = most_important(report, kBars);
  const Sides sides = sides_of(report);
  Bars bars;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const ColumnSummary& summary = report.summary[columns[i]];
    const double y = -static_cast<double>(i);
    bars.bars.push_back({0.0, summary.mean_for, y - 0.36, y + 0.36, for_color()});
    bars.bars.push_back(
        {summary.mean_for, summary.mean_absolute, y - 0.36, y + 0.36, against_color()});
  }
  const double most = report.summary[columns[0]].mean_absolute;
  Panel panel{
      "What matters",
      {fmt::format("mean effect ({})", report.unit.name), 0.0, most > 0.0 ? 1.05 * most : 1.0},
      {"", 0.4 - static_cast<double>(columns.size()), 0.6, name_ticks(report, columns)},
      {bars},
      {{sides.positive, for_color()}, {sides.negative, against_color()}}};
  return {"Importance of the features",
          fmt::format(
              "Mean absolute contribution over {} rows in {}; the most important feature is {}.",
              report.total_rows, report.unit.name, report.columns[columns[0]].name),
          {panel},
          1,
          520,
          22.0 * static_cast<double>(columns.size()),
          190};
}

/// The rank of every row's value, from 0 to 1.
std::vector<double> ranks(const Report& report, std::size_t column) {
  std::vector<std::size_t> order(report.values.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto value = [&](std::size_t row) { return report.values(row, column); };
  std::ranges::sort(order, {}, value);
  std::vector<double> result(order.size(), 0.5);
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last + 1 < order.size() && value(order[last + 1]) == value(order[first])) ++last;
    const double rank = static_cast<double>(first + last) / 2.0 /
                        static_cast<double>(std::max<std::size_t>(1, order.size() - 1));
    for (std::size_t i = first; i <= last; ++i) result[order[i]] = rank;
    first = last + 1;
  }
  return result;
}

std::vector<std::string> colors_by_rank(const Report& report, std::size_t column) {
  std::vector<std::string> colors;
  for (const double rank : ranks(report, column)) colors.push_back(sequential_color(rank));
  return colors;
}

std::pair<double, double> relevance_range(const Report& report,
                                          const std::vector<std::size_t>& columns) {
  double low = 0.0, high = 0.0;
  for (std::size_t row = 0; row < report.values.rows(); ++row) {
    for (const std::size_t column : columns) {
      low = std::min(low, report.explanation.relevance(row, column));
      high = std::max(high, report.explanation.relevance(row, column));
    }
  }
  const double margin = high > low ? 0.03 * (high - low) : 1.0;
  return {low - margin, high + margin};
}

/// The range of a beeswarm: the whole range, or the middle 98 % if the rest would more than double
/// it.
struct SwarmRange {
  double low, high;
  bool is_cut;
};

SwarmRange swarm_range(const Report& report, const std::vector<std::size_t>& columns) {
  const auto [low, high] = relevance_range(report, columns);
  std::vector<double> all{0.0};
  for (std::size_t row = 0; row < report.values.rows(); ++row) {
    for (const std::size_t column : columns)
      all.push_back(report.explanation.relevance(row, column));
  }
  std::ranges::sort(all);
  const std::size_t beyond = all.size() / 100;
  const double first = std::min(0.0, all[beyond]),
               last = std::max(0.0, all[all.size() - 1 - beyond]);
  if (last - first >= 0.5 * (high - low) || last == first) return {low, high, false};
  const double margin = 0.03 * (last - first);
  return {first - margin, last + margin, true};
}

/// Vertical offsets that keep points of one strip apart.
std::vector<double> fanned(const std::vector<double>& places, double low, double high) {
  constexpr double kBins = 170, kHalf = 0.42;
  std::vector<std::vector<std::size_t>> bins(static_cast<std::size_t>(kBins) + 1);
  for (std::size_t i = 0; i < places.size(); ++i)
    bins[static_cast<std::size_t>((places[i] - low) / (high - low) * kBins)].push_back(i);
  std::vector<double> offsets(places.size());
  for (const auto& members : bins) {
    const double step = std::min(0.09, 2.0 * kHalf / static_cast<double>(members.size() + 1));
    for (std::size_t m = 0; m < members.size(); ++m)
      offsets[members[m]] = (m % 2 == 0 ? 1.0 : -1.0) * static_cast<double>((m + 1) / 2) * step;
  }
  return offsets;
}

Line zero_line(double x0, double x1, double y0, double y1) {
  return {{x0, x1}, {y0, y1}, "#555b63", 1.0, "3 3"};
}

Chart beeswarm(const Report& report) {
  const auto columns = most_important(report, kStrips);
  const Sides sides = sides_of(report);
  const auto [low, high, is_cut] = swarm_range(report, columns);
  const double bottom = 0.4 - static_cast<double>(columns.size());
  Panel panel{"Effects in all rows",
              {fmt::format("← {} · contribution ({}) · {} →", sides.negative, report.unit.name,
                           sides.positive),
               low, high},
              {"", bottom, 0.6, name_ticks(report, columns)},
              {zero_line(0.0, 0.0, bottom, 0.6)},
              {{"lowest value", sequential_color(0.0)}, {"highest value", sequential_color(1.0)}}};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::vector<double> x, y;
    for (std::size_t row = 0; row < report.values.rows(); ++row)
      x.push_back(std::clamp(report.explanation.relevance(row, columns[i]), low, high));
    for (const double offset : fanned(x, low, high)) y.push_back(offset - static_cast<double>(i));
    panel.marks.push_back(Points{x, y, colors_by_rank(report, columns[i]), 1.8});
  }
  return {"Contributions to every row",
          std::string("A strip of points for each important feature; a point is a row, its color "
                      "the value.") +
              (is_cut ? kCutWords : ""),
          {panel},
          1,
          560,
          34.0 * static_cast<double>(columns.size()),
          190};
}

/// `explained` may be a group; its relevance is drawn against the values of its first column.
Panel scatter(const Report& report, std::size_t explained) {
  const auto& members = report.columns[explained].members;
  const std::size_t column = members.empty() ? explained : members.front();
  std::vector<double> x, y;
  for (std::size_t row = 0; row < report.values.rows(); ++row) {
    x.push_back(report.values(row, column));
    y.push_back(report.explanation.relevance(row, explained));
  }
  const auto [least, most] = std::ranges::minmax(x);
  const double margin = most > least ? 0.03 * (most - least) : 1.0;
  const auto [low, high] = relevance_range(report, {explained});
  const std::size_t partner = report.interactions[column].partner;
  Axis across{name_of(report, column), least - margin, most + margin};
  for (std::size_t level = 0; level < report.columns[column].levels.size(); ++level)
    across.ticks.push_back({static_cast<double>(level), report.columns[column].levels[level]});
  return {
      "",
      across,
      {members.empty()
           ? fmt::format("contribution ({})", report.unit.name)
           : fmt::format("contribution of {} ({})", name_of(report, explained), report.unit.name),
       low, high},
      {zero_line(across.low, across.high, 0.0, 0.0), Points{x, y, colors_by_rank(report, partner)}},
      {{"low " + name_of(report, partner), sequential_color(0.0)},
       {"high " + name_of(report, partner), sequential_color(1.0)}}};
}

Chart dependence(const Report& report) {
  Chart chart{
      "Effect by value",
      "For each important feature its contribution against its value, colored by the feature "
      "with the strongest interaction.",
      {},
      2,
      380,
      260};
  for (const std::size_t column : most_important(report, kScatters))
    chart.panels.push_back(scatter(report, column));
  return chart;
}

Chart flipping_curves(const PixelFlippingReport& flipping) {
  Panel panel{"How soon do predictions change?",
              {"features removed", 0.0, 1.0},
              {"same class (+1) ... changed (-1)", 0.0, 1.02},
              {},
              {}};
  constexpr const char* kDashes[] = {"", "6 3", "2 3", "8 3 2 3"};
  for (std::size_t i = 0; i < flipping.curves.size(); ++i) {
    const MethodCurve& curve = flipping.curves[i];
    // Methods with the same color have different dashes.
    const std::string dash = kDashes[(i / 2 + i / 8) % std::size(kDashes)];
    panel.x.high = std::max(panel.x.high, curve.removed.back());
    panel.y.low = std::min(panel.y.low, std::ranges::min(curve.mean));
    panel.marks.push_back(Line{curve.removed, curve.mean, line_color(i), i == 0 ? 3.0 : 2.0, dash});
    panel.legend.push_back(
        {fmt::format("{} {:.3f}", curve.method, curve.aufc), line_color(i), true, dash});
  }
  return {"Flipping curves",
          fmt::format("Mean over {} rows; the legend has the area under each curve, lower is "
                      "better.",
                      flipping.rows),
          {panel}};
}

}  // namespace

std::vector<NamedChart> report_charts(const Report& report) {
  std::vector<NamedChart> charts{{"importance", importance(report)},
                                 {"beeswarm", beeswarm(report)},
                                 {"dependence", dependence(report)}};
  for (const std::size_t row : report::telling_rows(report)) {
    const std::string number = std::to_string(report.row_numbers[row]);
    charts.push_back({"row-" + number, report::waterfall(report, row)});
    if (report.options.image) charts.push_back({"picture-" + number, report::picture(report, row)});
  }
  if (report.pixel_flipping)
    charts.push_back({"pixel_flipping", flipping_curves(*report.pixel_flipping)});
  return charts;
}

}  // namespace bisector
