#include "bisector/report/drawing.h"

#include <fmt/format.h>

#include "report/charts/svg_element.h"

namespace bisector::chart {
namespace {

Attributes with_stroke(Attributes attributes, const Stroke& stroke) {
  attributes.push_back({"stroke", std::string(stroke.color)});
  attributes.push_back({"stroke-width", hundredths(stroke.width)});
  if (stroke.opacity < 1.0) attributes.push_back({"stroke-opacity", hundredths(stroke.opacity)});
  if (stroke.is_dashed) attributes.push_back({"stroke-dasharray", "4 3"});
  return attributes;
}

Attributes box_attributes(const Box& box, std::string_view fill) {
  return {{"x", hundredths(box.x)},
          {"y", hundredths(box.y)},
          {"width", hundredths(box.width)},
          {"height", hundredths(box.height)},
          {"fill", std::string(fill)}};
}

std::string path_through(std::span<const Point> points) {
  std::string path;
  for (const Point& point : points)
    path +=
        fmt::format("{}{} {}", path.empty() ? 'M' : 'L', hundredths(point.x), hundredths(point.y));
  return path;
}

std::string anchor_name(TextStyle::Anchor anchor) {
  switch (anchor) {
    case TextStyle::Anchor::middle:
      return "middle";
    case TextStyle::Anchor::end:
      return "end";
    case TextStyle::Anchor::start:
      break;
  }
  return "start";
}

}  // namespace

SvgDrawing::SvgDrawing(double width, double height, std::string_view title)
    : head_(svg_opening(hundredths(width), hundredths(height),
                        {{"font-family", "Helvetica, Arial, sans-serif"}}) +
            element_with("title", {}, title) + '\n') {
  rectangle({0, 0, width, height}, "#fff");  // a page may be dark
}

void SvgDrawing::line(Point from, Point to, const Stroke& stroke) {
  const Point ends[] = {from, to};
  body_ += element("path", with_stroke({{"d", path_through(ends)}}, stroke)) + '\n';
}

void SvgDrawing::polyline(std::span<const Point> points, const Stroke& stroke) {
  if (points.empty()) return;
  body_ +=
      element("path", with_stroke({{"fill", "none"}, {"d", path_through(points)}}, stroke)) + '\n';
}

void SvgDrawing::circle(Point center, double radius, std::string_view fill, const Stroke& stroke) {
  body_ += element("circle", with_stroke({{"cx", hundredths(center.x)},
                                          {"cy", hundredths(center.y)},
                                          {"r", hundredths(radius)},
                                          {"fill", std::string(fill)}},
                                         stroke)) +
           '\n';
}

void SvgDrawing::rectangle(const Box& box, std::string_view fill, double opacity) {
  Attributes attributes = box_attributes(box, fill);
  if (opacity < 1.0) attributes.push_back({"fill-opacity", hundredths(opacity)});
  body_ += element("rect", attributes) + '\n';
}

void SvgDrawing::outline(const Box& box, const Stroke& stroke) {
  body_ += element("rect", with_stroke(box_attributes(box, "none"), stroke)) + '\n';
}

void SvgDrawing::dots(std::span<const Point> centers, double diameter, std::string_view color,
                      double opacity) {
  if (centers.empty()) return;
  std::string path;
  for (const Point& center : centers)
    path += 'M' + tenths(center.x) + ' ' + tenths(center.y) + "h0";
  body_ += element("path", with_stroke({{"stroke-linecap", "round"}, {"d", path}},
                                       {color, diameter, opacity})) +
           '\n';
}

void SvgDrawing::text(Point at, std::string_view text, const TextStyle& style) {
  Attributes attributes = {{"x", hundredths(at.x)},
                           {"y", hundredths(at.y)},
                           {"font-size", hundredths(style.size)},
                           {"fill", std::string(style.color)},
                           {"text-anchor", anchor_name(style.anchor)}};
  if (style.is_bold) attributes.push_back({"font-weight", "bold"});
  if (style.turn != 0.0)
    attributes.push_back({"transform", fmt::format("rotate({} {} {})", hundredths(style.turn),
                                                   hundredths(at.x), hundredths(at.y))});
  body_ += element_with("text", attributes, text) + '\n';
}

std::string SvgDrawing::svg() const { return head_ + body_ + closing("svg") + '\n'; }

}  // namespace bisector::chart
