// Drawings as SVG, built up from back to front.
#pragma once

#include <span>
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
  bool is_dashed = false;
};

struct TextStyle {
  enum class Anchor { start, middle, end };
  double size = 11.0;
  Anchor anchor = Anchor::start;
  bool is_bold = false;
  std::string_view color = "#222";
  double turn = 0.0;  // degrees, clockwise
};

/// Coordinates are pixels from the upper left corner. Text is escaped: whatever it holds is shown.
class BISECTOR_EXPORT SvgDrawing {
 public:
  /// `title` is what a screen reader says.
  SvgDrawing(double width, double height, std::string_view title);

  void line(Point from, Point to, const Stroke& stroke = {});
  void polyline(std::span<const Point> points, const Stroke& stroke = {});
  void circle(Point center, double radius, std::string_view fill, const Stroke& stroke);
  void rectangle(const Box& box, std::string_view fill, double opacity = 1.0);
  void outline(const Box& box, const Stroke& stroke = {});
  /// Many dots at little cost in bytes.
  void dots(std::span<const Point> centers, double diameter, std::string_view color,
            double opacity = 1.0);
  void text(Point at, std::string_view text, const TextStyle& style = {});

  /// The drawing so far, as a whole file.
  std::string svg() const;

 private:
  std::string head_, body_;
};

}  // namespace bisector::chart
