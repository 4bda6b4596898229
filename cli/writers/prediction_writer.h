// Predictions as CSV or JSON, written chunk by chunk.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/io/model_rows.h"
#include "bisector/model.h"
#include "bisector/predict.h"
#include "cli/writers/row_buffer.h"
#include "cli/writers/table_format.h"

namespace bisector::cli {

class PredictionWriter {
 public:
  /// `names` are those of the decision values.
  PredictionWriter(std::ostream& out, TableFormat format, const Model& model,
                   const std::vector<std::string>& names, std::vector<std::string> kept = {});

  /// `chunk` says where the rows stand in their file, and what is kept of them.
  void write(const ModelChunk& chunk, const Predictions& predictions);
  void finish();

 private:
  void write_csv(const ModelChunk& chunk, const Predictions& predictions, std::size_t r);
  void write_json(const ModelChunk& chunk, const Predictions& predictions, std::size_t r);
  void write_marked(const UnusableRow& row);
  const char* row_opening();

  RowBuffer buffer_;
  TableFormat format_;
  std::vector<std::string> labels_;  // as cells of the format; none for regressors
  std::size_t decisions_;
  std::vector<std::string> kept_;
  bool is_first_ = true;
};

}  // namespace bisector::cli
