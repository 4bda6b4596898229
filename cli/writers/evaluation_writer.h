// The result of evaluate: a table for people, CSV, JSON and the curves.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/evaluate.h"
#include "bisector/model.h"

namespace bisector::cli {

struct EvaluationReport {
  const Model& model;
  std::string model_file, data_file, background_file;
  std::size_t data_rows;
  std::size_t samples;
  std::uint64_t seed;
  Imputer imputer;
  Evaluation evaluation;

  /// Positions of the evaluated rows in the data, the same for every method.
  const std::vector<std::size_t>& rows() const { return evaluation.results.front().rows; }
  /// Positions of the methods, lowest AUFC first; equal ones in their order.
  std::vector<std::size_t> ranking() const;
};

void write_evaluation_text(std::ostream& out, const EvaluationReport& report);
void write_evaluation_csv(std::ostream& out, const EvaluationReport& report);
void write_evaluation_json(std::ostream& out, const EvaluationReport& report);
/// The mean curve of every method.
void write_curves_csv(std::ostream& out, const EvaluationReport& report);

}  // namespace bisector::cli
