// Predictions as CSV or JSON, written chunk by chunk.
#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/model.h"
#include "bisector/predict.h"
#include "cli/writers/json_rows.h"
#include "cli/writers/row_buffer.h"
#include "cli/writers/table_format.h"

namespace bisector::cli {

class PredictionWriter {
 public:
  /// `names` are those of the decision values, `target` that of the targets, where there are some.
  PredictionWriter(std::ostream& out, TableFormat format, const Model& model,
                   const std::vector<std::string>& names,
                   const std::optional<std::string>& target = {});

  /// `targets`: one for each row, or none at all.
  void write(std::size_t first_row, const Predictions& predictions,
             const std::vector<std::string>& targets = {});
  void finish();

 private:
  void write_csv(std::size_t row, const Predictions& predictions, std::size_t r,
                 const std::string* target);
  void write_json(std::size_t row, const Predictions& predictions, std::size_t r,
                  const std::string* target);

  RowBuffer buffer_;
  TableFormat format_;
  std::vector<std::string> labels_;     // as cells of the format; none for regressors
  std::vector<std::string> decisions_;  // their names, as texts of JSON
  JsonRows rows_;
};

}  // namespace bisector::cli
