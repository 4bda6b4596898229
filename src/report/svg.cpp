#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bisector/chart.h"
#include "bisector/markup.h"
#include "report/svg_frame.h"
#include "report/svg_marks.h"

namespace bisector {
namespace {

using report::Frame;

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
  std::string text =
      fmt::format("<g stroke=\"{}\" fill=\"none\"><path d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\"/>",
                  kAxis, frame.left, frame.top, bottom, right);
  std::string words = fmt::format("<g fill=\"{}\" font-size=\"11\">", kSoft);
  for (const Tick& tick : ticks_of(frame.panel.x, frame.width)) {
    const double x = frame.x(tick.at);
    text += fmt::format("<path d=\"M{:.1f} {:.1f}v5\"/>", x, bottom);
    words += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", x,
                         bottom + 17, escaped_markup(tick.text));
  }
  for (const Tick& tick : ticks_of(frame.panel.y, frame.height)) {
    const double y = frame.y(tick.at);
    text += fmt::format("<path d=\"M{:.1f} {:.1f}h-5\"/>", frame.left, y);
    words += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
                         frame.left - 8, y + 4, escaped_markup(tick.text));
  }
  return text + "</g>\n" + words + "</g>\n";
}

double entry_width(const LegendEntry& entry) {
  return 44 + 6.6 * static_cast<double>(entry.name.size());
}

/// How many lines a legend takes above its panel.
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
  const double middle_x = frame.left + frame.width / 2, middle_y = frame.top + frame.height / 2;
  const double side = frame.left - margin + 14;
  return fmt::format(
      "<text x=\"{0:.1f}\" y=\"{1:.1f}\" text-anchor=\"middle\" fill=\"{2}\">{3}</text>\n"
      "<text transform=\"translate({4:.1f},{5:.1f}) rotate(-90)\" text-anchor=\"middle\" "
      "fill=\"{2}\">{6}</text>\n"
      "<text x=\"{0:.1f}\" y=\"{7:.1f}\" text-anchor=\"middle\" font-weight=\"bold\">{8}</text>\n",
      middle_x, frame.top + frame.height + 36, kSoft, escaped_markup(frame.panel.x.label), side,
      middle_y, escaped_markup(frame.panel.y.label),
      frame.top - 10 - kLegendLine * static_cast<double>(legend_lines(frame.panel, frame.width)),
      escaped_markup(frame.panel.title));
}

std::string legend_entry(const LegendEntry& entry, double x, double y) {
  const std::string dash =
      entry.dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", escaped_markup(entry.dash));
  const std::string sample =
      entry.is_line
          ? fmt::format("<path d=\"M{:.1f} {:.1f}h24\" stroke=\"{}\" stroke-width=\"3\"{}/>", x,
                        y - 4, entry.colour, dash)
          : fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"12\" fill=\"{}\"/>",
                        x + 12, y - 10, entry.colour);
  return sample + fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x + 30, y,
                              escaped_markup(entry.name));
}

/// Above the panel, where it hides nothing.
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

std::string draw(const Frame& frame, double margin, std::size_t number) {
  std::string text = fmt::format(
      "<clipPath id=\"panel{}\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
      "height=\"{:.1f}\"/></clipPath>\n<g clip-path=\"url(#panel{})\">\n",
      number, frame.left, frame.top, frame.width, frame.height, number);
  for (const Mark& mark : frame.panel.marks) text += svg_mark(mark, frame);
  return text + "</g>\n" + axes(frame) + labels(frame, margin) + legend(frame);
}

}  // namespace

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
  const double width = step_x * static_cast<double>(columns);
  const double height = step_y * static_cast<double>(rows);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" role=\"img\" aria-labelledby=\"title description\" "
      "font-family=\"sans-serif\" font-size=\"12\" fill=\"{2}\">\n<title "
      "id=\"title\">{3}</title>\n<desc id=\"description\">{4}</desc>\n<rect width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" fill=\"#ffffff\"/>\n",
      width, height, kInk, escaped_markup(chart.title), escaped_markup(chart.description));
  for (std::size_t i = 0; i < chart.panels.size(); ++i) {
    const Frame frame{
        chart.panels[i], chart.left_margin + step_x * static_cast<double>(i % columns),
        top + step_y * static_cast<double>(i / columns), chart.panel_width, chart.panel_height};
    text += draw(frame, chart.left_margin, i);
  }
  return text + "</svg>\n";
}

}  // namespace bisector
