// Charts as data, and their SVG: the figures of reports and of the paper.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "bisector/export.h"
#include "bisector/matrix.h"

namespace bisector::chart {

/// Colors are "#rrggbb". Coordinates of marks are those of the axes.
struct Points {
  std::vector<double> x, y;
  std::vector<std::string> colors;  // one for each point, or one for all
  double radius = 2.2;              // pixels
  bool is_outlined = false;
  bool is_square = false;
};

struct Line {
  std::vector<double> x, y;
  std::string color = "#1b1d21";
  double width = 2.0;
  std::string dash = {};  // lengths of dashes and gaps in SVG: "6 3"
};

struct Bar {
  double x0, x1, y0, y1;
  std::string color;
};
struct Bars {
  std::vector<Bar> bars;
};

struct Label {
  enum class Anchor { start, middle, end };
  double x, y;
  std::string text;
  Anchor anchor = Anchor::middle;
  bool is_bold = false;
};

/// Values on a grid, the rows from low to high y, at the middles of equal cells.
struct Field {
  Matrix values;
  double x0, x1, y0, y1;
};
/// Filled contours: colors[i] up to limits[i], the last above all limits.
struct Bands {
  Field grid;
  std::vector<double> limits;
  std::vector<std::string> colors;
};
/// The lines where the grid has the level.
struct Contour {
  Field grid;
  double level = 0.0;
  std::string color = "#1b1d21";
  double width = 2.0;
};

using Mark = std::variant<Bands, Contour, Bars, Line, Points, Label>;

struct Tick {
  double at;
  std::string text;
};

struct Axis {
  std::string label;
  double low = 0.0, high = 1.0;
  std::vector<Tick> ticks = {};  // none: round numbers
  bool is_log = false;           // base ten; low and high are above zero
};

struct LegendEntry {
  std::string name, color;
  bool is_line = false;
  std::string dash = {};
};

struct Panel {
  std::string title;
  Axis x, y;
  std::vector<Mark> marks;
  std::vector<LegendEntry> legend = {};
};

/// Panels in rows of `columns`.
struct Chart {
  std::string title, description;  // the text alternative; the title is not drawn
  std::vector<Panel> panels;
  std::size_t columns = 1;
  double panel_width = 520, panel_height = 340;  // pixels, without the margins
  double left_margin = 62;
};

/// A complete SVG document on a white background. Text is escaped.
BISECTOR_EXPORT std::string svg(const Chart& chart);

/// Round numbers within low and high, about `count` of them.
BISECTOR_EXPORT std::vector<Tick> round_ticks(double low, double high, std::size_t count = 5);

/// The color of a contribution from -1 to 1.
BISECTOR_EXPORT std::string diverging_color(double value);
/// From 0 (low) to 1 (high).
BISECTOR_EXPORT std::string sequential_color(double value);
/// Colors of lines.
BISECTOR_EXPORT std::string line_color(std::size_t index);
BISECTOR_EXPORT std::string for_color();
BISECTOR_EXPORT std::string against_color();

}  // namespace bisector::chart
