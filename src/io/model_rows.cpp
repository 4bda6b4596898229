#include "bisector/model_rows.h"

#include <utility>

namespace bisector {

ModelRows::ModelRows(DataReader& reader, std::string source, const Model& model,
                     const std::vector<std::string>& dropped)
    : reader_(reader),
      source_(std::move(source)),
      encoding_(model.encoding()),
      features_(model.features()) {
  if (!encoding_) {
    reader_.select(
        {match_features(reader_, source_, model.feature_names(), features_, dropped), {}});
    return;
  }
  const std::vector<std::string> names =
      encoding_->has_names() ? encoding_->column_names() : std::vector<std::string>{};
  reader_.select(
      {{}, match_features(reader_, source_, names, encoding_->columns().size(), dropped)});
}

Matrix ModelRows::next(std::size_t max_rows) {
  DataChunk chunk = reader_.read(max_rows);
  if (!encoding_) return std::move(chunk.numbers);
  if (chunk.rows() == 0) return Matrix(0, features_);
  Matrix encoded = encoding_->encode(chunk.text, source_, rows_read_);
  rows_read_ += encoded.rows();
  return encoded;
}

Matrix ModelRows::rest() {
  constexpr std::size_t kChunk = 4096;
  std::vector<double> values;
  std::size_t rows = 0;
  for (Matrix chunk = next(kChunk); chunk.rows() > 0; chunk = next(kChunk)) {
    rows += chunk.rows();
    values.insert(values.end(), chunk.values().begin(), chunk.values().end());
  }
  return Matrix(rows, features_, std::move(values));
}

}  // namespace bisector
