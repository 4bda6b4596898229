// Flips as text for people, as CSV with one line per answer, and as JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/flip.h"
#include "bisector/model.h"
#include "cli/writers/json_rows.h"
#include "cli/writers/row_buffer.h"
#include "cli/writers/row_values.h"
#include "cli/writers/table_format.h"

namespace bisector::cli {

/// What is the same for all rows.
struct FlipHead {
  const Model& model;
  std::vector<std::string> columns;   // names
  std::vector<std::size_t> examples;  // row numbers of RowFlips::example; empty: not in DATA
  std::optional<double> reach = {};   // FlipOptions::reach
  std::optional<std::size_t> to_class = {};
};

class FlipWriter {
 public:
  /// Without a format: text for people.
  FlipWriter(std::ostream& out, std::optional<TableFormat> format, FlipHead head);

  /// A row of the model's features, with its number in the file and its imputed columns.
  void write(std::size_t number, std::span<const double> row,
             const std::vector<std::size_t>& imputed, const RowFlips& found);
  /// Ends the output; JSON has the notes there.
  void finish(const std::vector<std::string>& notes);

 private:
  void write_text(std::size_t number, std::span<const double> row,
                  const std::vector<std::size_t>& imputed, const RowFlips& found);
  void write_csv(std::size_t number, const std::vector<std::size_t>& imputed,
                 const RowFlips& found);
  void write_json(std::size_t number, std::span<const double> row,
                  const std::vector<std::size_t>& imputed, const RowFlips& found);
  std::string prediction_text(std::size_t prediction, double value) const;
  /// "flips the prediction", or the value that a regressor reaches.
  std::string goal_text() const;
  std::optional<std::size_t> example_number(const RowFlips& found) const;

  RowBuffer buffer_;
  std::optional<TableFormat> format_;
  FlipHead head_;
  RowValues values_;
  std::vector<std::string> labels_;
  JsonRows rows_;
};

}  // namespace bisector::cli
