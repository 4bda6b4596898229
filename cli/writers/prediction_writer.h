// Predictions as CSV or JSON, written chunk by chunk.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/model.h"
#include "bisector/predict.h"
#include "cli/writers/row_buffer.h"
#include "cli/writers/table_format.h"

namespace bisector::cli {

class PredictionWriter {
 public:
  /// `names` are those of the decision values.
  PredictionWriter(std::ostream& out, TableFormat format, const Model& model,
                   const std::vector<std::string>& names);

  void write(std::size_t first_row, const Predictions& predictions);
  void finish();

 private:
  void write_csv(std::size_t row, const Predictions& predictions, std::size_t r);
  void write_json(std::size_t row, const Predictions& predictions, std::size_t r);

  RowBuffer buffer_;
  TableFormat format_;
  std::vector<std::string> labels_;  // as cells of the format; none for regressors
  bool is_first_ = true;
};

}  // namespace bisector::cli
