// The preprocessing of an ONNX graph, composed into one linear map of the columns.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/affine_map.h"
#include "bisector/matrix.h"

namespace bisector::io {

/// Columns that are linear functions of the data's columns. It starts with some data columns and
/// applies the operations of a graph. Until a matrix mixes columns, each one is a shifted and
/// scaled data column. A matrix keeps the scaling before it separate, because relevance is mapped
/// back through the matrix in scaled units.
class LinearColumns {
 public:
  /// `count` columns from `first` on, out of `inputs`.
  LinearColumns(std::size_t inputs, std::size_t first, std::size_t count);

  std::size_t count() const { return is_mixed() ? weights_.rows() : columns_.size(); }
  bool is_mixed() const { return weights_.rows() > 0; }

  /// Each of these takes one value for all columns or one per column.
  void add(std::span<const double> values);
  void multiply(std::span<const double> values);

  /// Only these columns, in this order; each has to be below count().
  LinearColumns picked(std::span<const std::size_t> places) const;
  /// Appends columns of the same inputs.
  void append(const LinearColumns& others);
  /// Multiplies by a matrix of count() rows.
  LinearColumns times(const Matrix& matrix) const;

  /// True if map() needs a matrix: columns are mixed, omitted or reordered.
  bool needs_matrix() const { return is_mixed() || !is_every_input_in_order(); }
  /// Throws InvalidModel for numbers that are not finite.
  AffineMap map() const;

 private:
  struct Scaling {
    double shift = 0.0, scale = 1.0;  // (x - shift) * scale
    bool operator==(const Scaling&) const = default;
  };
  struct Column {
    std::size_t source;
    Scaling scaling;
  };

  struct Term {  // weight * scaled input[source] + offset
    std::size_t source;
    double weight, offset;
  };

  /// Takes out the scalings of columns that are the only ones of their input.
  std::vector<Term> terms(std::vector<Scaling>& scalings) const;
  void mix();
  bool is_every_input_in_order() const;
  bool uses(std::size_t input) const;
  void fold_scaling(std::size_t input);
  static void share_scaling(LinearColumns& a, LinearColumns& b);

  std::size_t inputs_;
  std::vector<Column> columns_;  // until columns are mixed
  // After mixing: weights * (scaled inputs) + offsets.
  Matrix weights_;  // columns x inputs
  std::vector<double> offsets_;
  std::vector<Scaling> scalings_;  // of every input
};

}  // namespace bisector::io
