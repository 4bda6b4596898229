// Explained rows as text for people: the strongest features with bars, in color on a terminal.
#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace bisector::cli {

/// The data that all rows share.
struct TextTable {
  std::vector<std::string> features;
  std::vector<std::string> averages;  // empty for a column of text
  std::string unit;                   // "votes"
  std::size_t top = 8;                // features per row
  bool in_color = false;
  std::string start = "average output";  // what the base value is
};

struct TextRow {
  std::string title;                // "Row 5: predicted benign, actual malignant"
  std::vector<std::string> values;  // one per feature
  std::vector<double> relevance;
  double base = 0.0, remainder = 0.0, output = 0.0;
  std::string positive, negative;     // what positive and negative contributions push toward
  std::vector<bool> is_imputed = {};  // one per feature: the value was missing; or empty
  bool is_unusual = false;            // far from the training data, an outlier, or a tie
};

/// The features with the largest contributions of a row, with bars to both sides of zero, and the
/// sums that lead from the base value to the result.
void write_row_text(std::ostream& out, const TextTable& table, const TextRow& row);

/// The features with the largest mean size of the contributions.
void write_importance_text(std::ostream& out, const TextTable& table,
                           std::span<const double> mean_sizes, std::size_t rows);

/// Pairs of features, the strongest first.
struct PairTable {
  std::vector<std::string> names;    // "cement × age"
  std::vector<double> sizes, means;  // mean absolute interaction and mean interaction
  std::string title, unit;
  bool in_color = false;
  bool is_one_row = false;
  std::size_t others = 0;  // pairs that are not shown
};
void write_pairs_text(std::ostream& out, const PairTable& table);

/// Text of several lines for people; control characters other than line ends are shown as \x1b.
std::string printable_lines(const std::string& text);

/// A number of a table's cell for people: four significant digits, or all digits before the point.
std::string short_number(double value);

/// True if standard output is a terminal that shows colors, and NO_COLOR is not set.
bool wants_color();

}  // namespace bisector::cli
