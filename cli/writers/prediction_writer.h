// Writes predictions as CSV or JSON, chunk by chunk.
#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/io/model_rows.h"
#include "bisector/io/svm_probabilities.h"
#include "bisector/model.h"
#include "bisector/predict.h"
#include "cli/writers/json_rows.h"
#include "cli/writers/row_buffer.h"
#include "cli/writers/table_format.h"

namespace bisector::cli {

/// Columns beside a prediction: kept columns, and the target if there is one.
struct BesideNames {
  std::vector<std::string> kept;
  std::optional<std::string> target;
};

class PredictionWriter {
 public:
  /// `names` are the names of the decision values, which are written if `has_decisions`. With
  /// `probabilities`, the probability of every class follows them.
  PredictionWriter(std::ostream& out, TableFormat format, const Model& model,
                   const std::vector<std::string>& names, bool has_decisions = true,
                   const BesideNames& beside = {},
                   std::optional<SvmProbabilities> probabilities = std::nullopt);

  /// `chunk` has the numbers of the rows in the file, kept cells and targets.
  void write(const ModelChunk& chunk, const Predictions& predictions);
  void finish();

 private:
  /// `shares` has the probabilities of the rows; it is empty without them.
  void write_csv(const ModelChunk& chunk, const Predictions& predictions, const Matrix& shares,
                 std::size_t r);
  void write_json(const ModelChunk& chunk, const Predictions& predictions, const Matrix& shares,
                  std::size_t r);
  void write_marked(const UnusableRow& row);

  RowBuffer buffer_;
  TableFormat format_;
  std::vector<std::string> labels_;     // quoted for the format; empty for regressors
  std::vector<std::string> decisions_;  // names, quoted for JSON; empty: they are not written
  BesideNames beside_;
  std::optional<SvmProbabilities> probabilities_;
  JsonRows rows_;
};

}  // namespace bisector::cli
