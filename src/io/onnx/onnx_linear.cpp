#include "io/onnx/onnx_linear.h"

#include <algorithm>
#include <utility>

namespace bisector::io {
namespace {

double value_for(std::span<const double> values, std::size_t column) {
  return values.size() == 1 ? values[0] : values[column];
}

}  // namespace

LinearColumns::LinearColumns(std::size_t inputs, std::size_t first, std::size_t count)
    : inputs_(inputs) {
  columns_.reserve(count);
  for (std::size_t n = 0; n < count; ++n) columns_.push_back({first + n, {}});
}

void LinearColumns::add(std::span<const double> values) {
  for (std::size_t n = 0; n < columns_.size(); ++n)
    columns_[n].scaling.shift -= value_for(values, n) / columns_[n].scaling.scale;
  for (std::size_t n = 0; n < offsets_.size(); ++n) offsets_[n] += value_for(values, n);
}

void LinearColumns::multiply(std::span<const double> values) {
  for (std::size_t n = 0; n < columns_.size(); ++n)
    columns_[n].scaling.scale *= value_for(values, n);
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
  result.weights_ = gather_rows(weights_, places);
  result.scalings_ = scalings_;
  for (const std::size_t place : places) result.offsets_.push_back(offsets_[place]);
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
  share_scaling(*this, rest);
  std::vector<double> weights = weights_.values();
  weights.insert(weights.end(), rest.weights_.values().begin(), rest.weights_.values().end());
  weights_ = Matrix(weights_.rows() + rest.weights_.rows(), inputs_, std::move(weights));
  offsets_.insert(offsets_.end(), rest.offsets_.begin(), rest.offsets_.end());
}

std::vector<LinearColumns::Term> LinearColumns::terms(std::vector<Scaling>& scalings) const {
  std::vector<std::size_t> times_used(inputs_);
  for (const Column& column : columns_) ++times_used[column.source];
  scalings.assign(inputs_, {});
  std::vector<Term> result;
  result.reserve(columns_.size());
  for (const auto& [source, scaling] : columns_) {
    if (times_used[source] > 1) {
      result.push_back({source, scaling.scale, -scaling.shift * scaling.scale});
    } else {
      scalings[source] = scaling;
      result.push_back({source, 1.0, 0.0});
    }
  }
  return result;
}

void LinearColumns::mix() {
  if (is_mixed()) return;
  const std::vector<Term> from = terms(scalings_);
  weights_ = Matrix(from.size(), inputs_);
  offsets_.clear();
  for (std::size_t n = 0; n < from.size(); ++n) {
    weights_(n, from[n].source) = from[n].weight;
    offsets_.push_back(from[n].offset);
  }
  columns_.clear();
}

bool LinearColumns::uses(std::size_t input) const {
  for (std::size_t n = 0; n < weights_.rows(); ++n) {
    if (weights_(n, input) != 0.0) return true;
  }
  return false;
}

/// Into the weights and offsets.
void LinearColumns::fold_scaling(std::size_t input) {
  const auto [shift, scale] = std::exchange(scalings_[input], {});
  for (std::size_t n = 0; n < weights_.rows(); ++n) {
    weights_(n, input) *= scale;
    offsets_[n] -= weights_(n, input) * shift;
  }
}

void LinearColumns::share_scaling(LinearColumns& a, LinearColumns& b) {
  for (std::size_t d = 0; d < a.inputs_; ++d) {
    if (a.scalings_[d] == b.scalings_[d]) continue;
    if (!a.uses(d)) {
      a.scalings_[d] = b.scalings_[d];
    } else if (!b.uses(d)) {
      b.scalings_[d] = a.scalings_[d];
    } else {
      a.fold_scaling(d);
      b.fold_scaling(d);
    }
  }
}

LinearColumns LinearColumns::times(const Matrix& matrix) const {
  LinearColumns result(inputs_, 0, 0);
  result.weights_ = Matrix(matrix.cols(), inputs_);
  result.offsets_.assign(matrix.cols(), 0.0);
  result.scalings_ = scalings_;
  // Straight from the terms: mixing the columns first would take a matrix of inputs x inputs.
  const std::vector<Term> from = is_mixed() ? std::vector<Term>() : terms(result.scalings_);
  for (std::size_t n = 0; n < matrix.cols(); ++n) {
    const auto to = result.weights_.row(n);
    for (std::size_t k = 0; k < matrix.rows(); ++k) {
      const double factor = matrix(k, n);
      if (is_mixed()) {
        const auto row = weights_.row(k);
        for (std::size_t d = 0; d < inputs_; ++d) to[d] += factor * row[d];
      } else {
        to[from[k].source] += factor * from[k].weight;
      }
      result.offsets_[n] += factor * (is_mixed() ? offsets_[k] : from[k].offset);
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
  std::vector<double> shift, scale;
  const auto add = [&](const Scaling& scaling) {
    shift.push_back(scaling.shift);
    scale.push_back(scaling.scale);
  };
  if (needs_matrix()) {
    LinearColumns mixed = *this;
    mixed.mix();
    std::ranges::for_each(mixed.scalings_, add);
    return {std::move(shift), std::move(scale), std::move(mixed.weights_),
            std::move(mixed.offsets_)};
  }
  const auto is_plain = [](const Column& column) { return column.scaling == Scaling(); };
  if (std::ranges::all_of(columns_, is_plain)) return {};
  for (const Column& column : columns_) add(column.scaling);
  return {std::move(shift), std::move(scale)};
}

}  // namespace bisector::io
