#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bisector/report/chart.h"
#include "report/charts/chart_marks.h"
#include "report/charts/svg_element.h"

namespace bisector::chart {
namespace {

constexpr double kRight = 16, kTop = 30, kBottom = 48, kLegendLine = 18;
constexpr auto kInk = "#1b1d21", kSoft = "#555b63", kAxis = "#9aa1a9";

std::vector<Tick> ticks_of(const Axis& axis, double pixels) {
  if (!axis.ticks.empty()) return axis.ticks;
  if (!axis.is_log)
    return round_ticks(axis.low, axis.high, static_cast<std::size_t>(std::max(2.0, pixels / 75)));
  std::vector<Tick> ticks;
  for (double power = std::ceil(std::log10(axis.low) - 1e-9); power <= std::log10(axis.high) + 1e-9;
       power += 1.0)
    ticks.push_back({std::pow(10.0, power), fmt::format("{:g}", std::pow(10.0, power))});
  return ticks;
}

std::string axes(const Frame& frame) {
  const double bottom = frame.top + frame.height, right = frame.left + frame.width;
  std::string lines = opening("g", {{"stroke", kAxis}, {"fill", "none"}});
  lines += element("path", {{"d", 'M' + tenths(frame.left) + ' ' + tenths(frame.top) + 'V' +
                                      tenths(bottom) + 'H' + tenths(right)}});
  std::string words = opening("g", {{"fill", kSoft}, {"font-size", "11"}});
  const auto add = [&](double x, double y, const char* dash, Attributes at, const Tick& tick) {
    lines += element("path", {{"d", 'M' + tenths(x) + ' ' + tenths(y) + dash}});
    words += element_with("text", at, tick.text);
  };
  for (const Tick& tick : ticks_of(frame.panel.x, frame.width)) {
    const double x = frame.x(tick.at);
    add(x, bottom, "v5", {{"x", x}, {"y", bottom + 17}, {"text-anchor", "middle"}}, tick);
  }
  for (const Tick& tick : ticks_of(frame.panel.y, frame.height)) {
    const double y = frame.y(tick.at);
    add(frame.left, y, "h-5", {{"x", frame.left - 8}, {"y", y + 4}, {"text-anchor", "end"}}, tick);
  }
  return lines + closing("g") + '\n' + words + closing("g") + '\n';
}

double entry_width(const LegendEntry& entry) {
  return 44 + 6.6 * static_cast<double>(entry.name.size());
}

/// The number of lines of a legend above its panel.
std::size_t legend_lines(const Panel& panel, double width) {
  std::size_t lines = panel.legend.empty() ? 0 : 1;
  double used = 0.0;
  for (const LegendEntry& entry : panel.legend) {
    if (used > 0.0 && used + entry_width(entry) > width) {
      ++lines;
      used = 0.0;
    }
    used += entry_width(entry);
  }
  return lines;
}

std::string labels(const Frame& frame, double margin) {
  const std::string middle = tenths(frame.left + frame.width / 2);
  const double head =
      frame.top - 10 - kLegendLine * static_cast<double>(legend_lines(frame.panel, frame.width));
  const std::string x_label = element_with("text",
                                           {{"x", middle},
                                            {"y", frame.top + frame.height + 36},
                                            {"text-anchor", "middle"},
                                            {"fill", kSoft}},
                                           frame.panel.x.label);
  const std::string y_label =
      element_with("text",
                   {{"transform", "translate(" + tenths(frame.left - margin + 14) + ',' +
                                      tenths(frame.top + frame.height / 2) + ") rotate(-90)"},
                    {"text-anchor", "middle"},
                    {"fill", kSoft}},
                   frame.panel.y.label);
  const std::string title = element_with(
      "text", {{"x", middle}, {"y", head}, {"text-anchor", "middle"}, {"font-weight", "bold"}},
      frame.panel.title);
  return x_label + '\n' + y_label + '\n' + title + '\n';
}

std::string legend_sample(const LegendEntry& entry, double x, double y) {
  if (!entry.is_line)
    return element(
        "rect",
        {{"x", x + 12}, {"y", y - 10}, {"width", "12"}, {"height", "12"}, {"fill", entry.color}});
  Attributes attributes = {{"d", 'M' + tenths(x) + ' ' + tenths(y - 4) + "h24"},
                           {"stroke", entry.color},
                           {"stroke-width", "3"}};
  if (!entry.dash.empty()) attributes.push_back({"stroke-dasharray", entry.dash});
  return element("path", attributes);
}

std::string legend_entry(const LegendEntry& entry, double x, double y) {
  return legend_sample(entry, x, y) + element_with("text", {{"x", x + 30}, {"y", y}}, entry.name) +
         '\n';
}

/// The legend is above the panel.
std::string legend(const Frame& frame) {
  double x = frame.left;
  double y = frame.top - 8 -
             kLegendLine * (static_cast<double>(legend_lines(frame.panel, frame.width)) - 1.0);
  std::string text;
  for (const LegendEntry& entry : frame.panel.legend) {
    if (x > frame.left && x + entry_width(entry) > frame.left + frame.width) {
      x = frame.left;
      y += kLegendLine;
    }
    text += legend_entry(entry, x, y);
    x += entry_width(entry);
  }
  return text;
}

std::string panel_svg(const Frame& frame, double margin, std::size_t number) {
  const std::string name = fmt::format("panel{}", number);
  std::string text =
      opening("clipPath", {{"id", name}}) +
      element(
          "rect",
          {{"x", frame.left}, {"y", frame.top}, {"width", frame.width}, {"height", frame.height}}) +
      closing("clipPath") + '\n';
  text += opening("g", {{"clip-path", "url(#" + name + ")"}}) + '\n';
  for (const Mark& mark : frame.panel.marks) text += svg_mark(mark, frame);
  return text + closing("g") + '\n' + axes(frame) + labels(frame, margin) + legend(frame);
}

}  // namespace

std::vector<Tick> round_ticks(double low, double high, std::size_t count) {
  if (!(high > low)) return {{low, fmt::format("{:.4g}", low)}};
  const double rough = (high - low) / static_cast<double>(std::max<std::size_t>(count, 1));
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10.0 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) {
      step = factor * power;
      break;
    }
  }
  std::vector<Tick> ticks;
  // Integer multiples of the step: zero is exact.
  for (double n = std::ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n += 1.0)
    ticks.push_back({n * step, fmt::format("{:.6g}", n * step + 0.0)});
  return ticks;
}

std::string svg(const Chart& chart) {
  const std::size_t columns =
      std::max<std::size_t>(1, std::min(chart.columns, chart.panels.size()));
  const std::size_t rows = (chart.panels.size() + columns - 1) / columns;
  const double step_x = chart.left_margin + chart.panel_width + kRight;
  std::size_t lines = 0;
  for (const Panel& panel : chart.panels)
    lines = std::max(lines, legend_lines(panel, chart.panel_width));
  const double top = kTop + kLegendLine * static_cast<double>(lines);
  const double step_y = top + chart.panel_height + kBottom;
  const auto pixels = [](double length) { return fmt::format("{:.0f}", length); };
  const std::string width = pixels(step_x * static_cast<double>(columns));
  const std::string height = pixels(step_y * static_cast<double>(rows));
  std::string text = svg_opening(width, height,
                                 {{"aria-labelledby", "title description"},
                                  {"font-family", "sans-serif"},
                                  {"font-size", "12"},
                                  {"fill", kInk}});
  text += element_with("title", {{"id", "title"}}, chart.title) + '\n';
  text += element_with("desc", {{"id", "description"}}, chart.description) + '\n';
  text += element("rect", {{"width", width}, {"height", height}, {"fill", "#ffffff"}}) + '\n';
  for (std::size_t i = 0; i < chart.panels.size(); ++i) {
    const Frame frame{
        chart.panels[i], chart.left_margin + step_x * static_cast<double>(i % columns),
        top + step_y * static_cast<double>(i / columns), chart.panel_width, chart.panel_height};
    text += panel_svg(frame, chart.left_margin, i);
  }
  return text + closing("svg") + '\n';
}

}  // namespace bisector::chart
