#include "io/onnx_linear.h"

#include <algorithm>

namespace bisector {
namespace {

double value_for(std::span<const double> values, std::size_t column) {
  return values.size() == 1 ? values[0] : values[column];
}

}  // namespace

LinearColumns::LinearColumns(std::size_t inputs, std::size_t first, std::size_t count)
    : inputs_(inputs) {
  columns_.reserve(count);
  for (std::size_t n = 0; n < count; ++n) columns_.push_back({first + n, 0.0, 1.0});
}

void LinearColumns::add(std::span<const double> values) {
  for (std::size_t n = 0; n < columns_.size(); ++n)
    columns_[n].shift -= value_for(values, n) / columns_[n].scale;
  for (std::size_t n = 0; n < offsets_.size(); ++n) offsets_[n] += value_for(values, n);
}

void LinearColumns::multiply(std::span<const double> values) {
  for (std::size_t n = 0; n < columns_.size(); ++n) columns_[n].scale *= value_for(values, n);
  for (std::size_t n = 0; n < offsets_.size(); ++n) {
    offsets_[n] *= value_for(values, n);
    for (double& weight : weights_.row(n)) weight *= value_for(values, n);
  }
}

LinearColumns LinearColumns::picked(std::span<const std::size_t> places) const {
  LinearColumns result(inputs_, 0, 0);
  if (!is_mixed()) {
    for (const std::size_t place : places) result.columns_.push_back(columns_[place]);
    return result;
  }
  result.weights_ = Matrix(places.size(), inputs_);
  for (std::size_t n = 0; n < places.size(); ++n) {
    std::ranges::copy(weights_.row(places[n]), result.weights_.row(n).begin());
    result.offsets_.push_back(offsets_[places[n]]);
  }
  return result;
}

void LinearColumns::append(const LinearColumns& others) {
  if (!is_mixed() && !others.is_mixed()) {
    columns_.insert(columns_.end(), others.columns_.begin(), others.columns_.end());
    return;
  }
  LinearColumns rest = others;
  rest.mix();
  mix();
  std::vector<double> weights = weights_.values();
  weights.insert(weights.end(), rest.weights_.values().begin(), rest.weights_.values().end());
  weights_ = Matrix(weights_.rows() + rest.weights_.rows(), inputs_, std::move(weights));
  offsets_.insert(offsets_.end(), rest.offsets_.begin(), rest.offsets_.end());
}

void LinearColumns::mix() {
  if (is_mixed()) return;
  weights_ = Matrix(columns_.size(), inputs_);
  offsets_.assign(columns_.size(), 0.0);
  for (std::size_t n = 0; n < columns_.size(); ++n) {
    weights_(n, columns_[n].source) = columns_[n].scale;
    offsets_[n] = -columns_[n].shift * columns_[n].scale;
  }
  columns_.clear();
}

LinearColumns LinearColumns::times(const Matrix& matrix) const {
  LinearColumns result(inputs_, 0, 0);
  result.weights_ = Matrix(matrix.cols(), inputs_);
  result.offsets_.assign(matrix.cols(), 0.0);
  for (std::size_t k = 0; k < matrix.rows(); ++k) {
    for (std::size_t n = 0; n < matrix.cols(); ++n) {
      const double factor = matrix(k, n);
      if (is_mixed()) {
        const auto from = weights_.row(k);
        const auto to = result.weights_.row(n);
        for (std::size_t d = 0; d < inputs_; ++d) to[d] += factor * from[d];
        result.offsets_[n] += factor * offsets_[k];
      } else {
        const Column& column = columns_[k];
        result.weights_(n, column.source) += factor * column.scale;
        result.offsets_[n] -= factor * column.scale * column.shift;
      }
    }
  }
  return result;
}

bool LinearColumns::is_every_input_in_order() const {
  if (columns_.size() != inputs_) return false;
  for (std::size_t n = 0; n < inputs_; ++n) {
    if (columns_[n].source != n) return false;
  }
  return true;
}

AffineMap LinearColumns::map() const {
  std::vector<double> shift(inputs_, 0.0), scale(inputs_, 1.0);
  if (needs_matrix()) {
    LinearColumns mixed = *this;
    mixed.mix();
    return {std::move(shift), std::move(scale), std::move(mixed.weights_),
            std::move(mixed.offsets_)};
  }
  bool is_identity = true;
  for (std::size_t n = 0; n < inputs_; ++n) {
    shift[n] = columns_[n].shift;
    scale[n] = columns_[n].scale;
    is_identity = is_identity && shift[n] == 0.0 && scale[n] == 1.0;
  }
  return is_identity ? AffineMap() : AffineMap(std::move(shift), std::move(scale));
}

}  // namespace bisector
