// Explained rows for people: the strongest features with bars, in color on a terminal.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/matrix.h"

namespace bisector::cli {

/// One row to show.
struct ShownRow {
  std::string title;  // what is special about it
  std::size_t row;
};

struct ExplainedTable {
  std::vector<std::string> features;
  Matrix values;                   // rows x features, as measured
  std::vector<double> typical;     // the features' means
  Matrix relevance;                // rows x features
  std::string positive, negative;  // what relevance above and below zero speaks for
};

/// The `top` features of largest |relevance| of each row, with bars to either side of zero.
void show_rows(std::ostream& out, const ExplainedTable& table, const std::vector<ShownRow>& rows,
               std::size_t top, bool in_color);

}  // namespace bisector::cli
