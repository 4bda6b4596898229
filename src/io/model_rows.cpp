#include "bisector/io/model_rows.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace bisector {

std::size_t column_count(const Model& model) {
  return model.encoding() ? model.encoding()->columns().size() : model.features();
}

std::vector<std::string> column_names(const Model& model) {
  if (!model.encoding()) return model.feature_names();
  return model.encoding()->has_names() ? model.encoding()->column_names()
                                       : std::vector<std::string>{};
}

ModelRows::ModelRows(DataReader& reader, std::string source, const Model& model,
                     const std::vector<std::string>& dropped,
                     const std::vector<std::size_t>& carried)
    : reader_(reader),
      source_(std::move(source)),
      encoding_(model.encoding()),
      features_(model.features()),
      columns_(match_features(reader, source_, column_names(model), column_count(model), dropped)),
      carried_(carried.size()) {
  ColumnSelection selection;
  (encoding_ ? selection.text : selection.numbers) = columns_;
  selection.text.insert(selection.text.end(), carried.begin(), carried.end());
  reader_.select(std::move(selection));
}

Matrix ModelRows::next(std::size_t max_rows) {
  DataChunk chunk = reader_.read(max_rows);
  const auto own = chunk.text.end() - static_cast<std::ptrdiff_t>(carried_.size());
  std::move(own, chunk.text.end(), carried_.begin());
  chunk.text.erase(own, chunk.text.end());
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
