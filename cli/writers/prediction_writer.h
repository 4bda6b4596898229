// Predictions as CSV or JSON, written chunk by chunk.
#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/io/model_rows.h"
#include "bisector/model.h"
#include "bisector/predict.h"
#include "cli/writers/json_rows.h"
#include "cli/writers/row_buffer.h"
#include "cli/writers/table_format.h"

namespace bisector::cli {

/// What stands beside a prediction: kept columns, and the target, where there is one.
struct BesideNames {
  std::vector<std::string> kept;
  std::optional<std::string> target;
};

class PredictionWriter {
 public:
  /// `names` are those of the decision values.
  PredictionWriter(std::ostream& out, TableFormat format, const Model& model,
                   const std::vector<std::string>& names, const BesideNames& beside = {});

  /// `chunk` says where the rows stand in their file, and what goes along with them.
  void write(const ModelChunk& chunk, const Predictions& predictions);
  void finish();

 private:
  void write_csv(const ModelChunk& chunk, const Predictions& predictions, std::size_t r);
  void write_json(const ModelChunk& chunk, const Predictions& predictions, std::size_t r);
  void write_marked(const UnusableRow& row);

  RowBuffer buffer_;
  TableFormat format_;
  std::vector<std::string> labels_;     // as cells of the format; none for regressors
  std::vector<std::string> decisions_;  // their names, as texts of JSON
  BesideNames beside_;
  JsonRows rows_;
};

}  // namespace bisector::cli
