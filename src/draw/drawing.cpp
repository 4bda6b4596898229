#include "bisector/drawing.h"

#include <fmt/format.h>

#include <iterator>

#include "bisector/markup.h"

namespace bisector {
namespace {

/// Hundredths of a pixel, without needless digits.
std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string stroke_attributes(const Stroke& stroke) {
  std::string text =
      fmt::format("stroke=\"{}\" stroke-width=\"{}\"", stroke.colour, number(stroke.width));
  if (stroke.opacity < 1.0) text += fmt::format(" stroke-opacity=\"{}\"", number(stroke.opacity));
  if (stroke.is_dashed) text += " stroke-dasharray=\"4 3\"";
  return text;
}

std::string_view anchor_name(TextStyle::Anchor anchor) {
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

SvgDrawing::SvgDrawing(double width, double height, std::string_view title) {
  head_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" role=\"img\" font-family=\"Helvetica, Arial, sans-serif\">\n"
      "<title>{2}</title>\n",
      number(width), number(height), escaped_markup(title));
  rectangle({0, 0, width, height}, "#fff");  // a page may be dark
}

void SvgDrawing::line(Point from, Point to, const Stroke& stroke) {
  fmt::format_to(std::back_inserter(body_), "<path d=\"M{} {}L{} {}\" {}/>\n", number(from.x),
                 number(from.y), number(to.x), number(to.y), stroke_attributes(stroke));
}

void SvgDrawing::polyline(std::span<const Point> points, const Stroke& stroke) {
  if (points.empty()) return;
  body_ += "<path fill=\"none\" d=\"";
  const char* step = "M";
  for (const Point& point : points) {
    fmt::format_to(std::back_inserter(body_), "{}{} {}", step, number(point.x), number(point.y));
    step = "L";
  }
  body_ += "\" " + stroke_attributes(stroke) + "/>\n";
}

void SvgDrawing::circle(Point centre, double radius, std::string_view fill, const Stroke& stroke) {
  fmt::format_to(std::back_inserter(body_),
                 "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" {}/>\n", number(centre.x),
                 number(centre.y), number(radius), fill, stroke_attributes(stroke));
}

void SvgDrawing::rectangle(const Box& box, std::string_view fill, double opacity) {
  fmt::format_to(std::back_inserter(body_),
                 "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"", number(box.x),
                 number(box.y), number(box.width), number(box.height), fill);
  if (opacity < 1.0)
    fmt::format_to(std::back_inserter(body_), " fill-opacity=\"{}\"", number(opacity));
  body_ += "/>\n";
}

void SvgDrawing::outline(const Box& box, const Stroke& stroke) {
  fmt::format_to(std::back_inserter(body_),
                 "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" {}/>\n",
                 number(box.x), number(box.y), number(box.width), number(box.height),
                 stroke_attributes(stroke));
}

void SvgDrawing::dots(std::span<const Point> centres, double diameter, std::string_view colour,
                      double opacity) {
  if (centres.empty()) return;
  body_ += "<path stroke-linecap=\"round\" d=\"";
  for (const Point& centre : centres)
    fmt::format_to(std::back_inserter(body_), "M{:.1f} {:.1f}h0", centre.x, centre.y);
  body_ += "\" " + stroke_attributes({colour, diameter, opacity}) + "/>\n";
}

void SvgDrawing::text(Point at, std::string_view text, const TextStyle& style) {
  fmt::format_to(std::back_inserter(body_),
                 "<text x=\"{0}\" y=\"{1}\" font-size=\"{2}\" fill=\"{3}\" text-anchor=\"{4}\"",
                 number(at.x), number(at.y), number(style.size), style.colour,
                 anchor_name(style.anchor));
  if (style.is_bold) body_ += " font-weight=\"bold\"";
  if (style.turn != 0.0)
    fmt::format_to(std::back_inserter(body_), " transform=\"rotate({} {} {})\"", number(style.turn),
                   number(at.x), number(at.y));
  body_ += ">" + escaped_markup(text) + "</text>\n";
}

std::string SvgDrawing::svg() const { return head_ + body_ + "</svg>\n"; }

}  // namespace bisector
