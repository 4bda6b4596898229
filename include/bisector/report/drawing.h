// Drawings as SVG, built up from back to front.
#pragma once

#include <string>
#include <string_view>

#include "bisector/export.h"

namespace bisector::chart {

struct Point {
  double x = 0.0, y = 0.0;
};

struct Box {
  double x = 0.0, y = 0.0, width = 0.0, height = 0.0;
};

/// Colors are CSS texts, chosen by the program and never taken from data.
struct Stroke {
  std::string_view color = "#333";
  double width = 1.0;
  double opacity = 1.0;
};

struct TextStyle {
  enum class Anchor { start, middle, end };
  double size = 11.0;
  Anchor anchor = Anchor::start;
  bool is_bold = false;
  std::string_view color = "#222";
};

/// Coordinates are pixels from the upper left corner. Text is escaped.
class BISECTOR_EXPORT SvgDrawing {
 public:
  /// `title` is the text for screen readers.
  SvgDrawing(double width, double height, std::string_view title);

  void line(Point from, Point to, const Stroke& stroke = {});
  void circle(Point center, double radius, std::string_view fill, const Stroke& stroke);
  void rectangle(const Box& box, std::string_view fill, double opacity = 1.0);
  void text(Point at, std::string_view text, const TextStyle& style = {});

  /// A complete SVG file of everything drawn so far.
  std::string svg() const;

 private:
  std::string head_, body_;
};

}  // namespace bisector::chart
