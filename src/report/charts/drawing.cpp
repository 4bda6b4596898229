#include "bisector/report/drawing.h"

#include <fmt/format.h>

#include "report/charts/svg_element.h"

namespace bisector::chart {
namespace {

Attributes with_stroke(Attributes attributes, const Stroke& stroke) {
  attributes.push_back({"stroke", std::string(stroke.color)});
  attributes.push_back({"stroke-width", hundredths(stroke.width)});
  if (stroke.opacity < 1.0) attributes.push_back({"stroke-opacity", hundredths(stroke.opacity)});
  return attributes;
}

}  // namespace

SvgDrawing::SvgDrawing(double width, double height, std::string_view title)
    : head_(svg_opening(hundredths(width), hundredths(height),
                        {{"font-family", "Helvetica, Arial, sans-serif"}}) +
            element_with("title", {}, title) + '\n') {
  rectangle({0, 0, width, height}, "#fff");  // a page may be dark
}

void SvgDrawing::line(Point from, Point to, const Stroke& stroke) {
  const std::string path = fmt::format("M{} {}L{} {}", hundredths(from.x), hundredths(from.y),
                                       hundredths(to.x), hundredths(to.y));
  body_ += element("path", with_stroke({{"d", path}}, stroke)) + '\n';
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
  Attributes attributes = {{"x", hundredths(box.x)},
                           {"y", hundredths(box.y)},
                           {"width", hundredths(box.width)},
                           {"height", hundredths(box.height)},
                           {"fill", std::string(fill)}};
  if (opacity < 1.0) attributes.push_back({"fill-opacity", hundredths(opacity)});
  body_ += element("rect", attributes) + '\n';
}

void SvgDrawing::text(Point at, std::string_view text, const TextStyle& style) {
  constexpr const char* kAnchors[] = {"start", "middle", "end"};
  Attributes attributes = {{"x", hundredths(at.x)},
                           {"y", hundredths(at.y)},
                           {"font-size", hundredths(style.size)},
                           {"fill", std::string(style.color)},
                           {"text-anchor", kAnchors[static_cast<std::size_t>(style.anchor)]}};
  if (style.is_bold) attributes.push_back({"font-weight", "bold"});
  body_ += element_with("text", attributes, text) + '\n';
}

std::string SvgDrawing::svg() const { return head_ + body_ + closing("svg") + '\n'; }

}  // namespace bisector::chart
