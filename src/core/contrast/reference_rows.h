// Rows that represent the data, drawn from a background or from the model's own points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector::detail {

/// Points of the input space that the preprocessing maps to these: the exact ones for feature-wise
/// maps, those of least norm around the shift for matrices.
Matrix back_through(const AffineMap& input, const Matrix& points);

/// Rows of a background; nothing if the model's points represent the data.
using OptionalRows = std::optional<MatrixView<const double>>;

/// The same rows in both spaces; those in the model's space are the images of the others.
struct DrawnRows {
  Matrix input_space, model_space;
};

/// At most `limit` of the positions below `count`, in random order.
std::vector<std::size_t> draw_positions(std::size_t count, std::size_t limit, std::uint64_t seed);

/// At most `limit` rows in the order of a random draw. Points of the model are mapped back through
/// its preprocessing.
DrawnRows draw_rows(const Model& model, OptionalRows background, std::size_t limit,
                    std::uint64_t seed);

/// The number of rows from which references are chosen. A side of the decision with less than one
/// percent of the rows may be missed.
inline constexpr std::size_t kMaxDrawnRows = 1000;

/// `count` of the rows in `list`. Each next one brings the mean and the variance of all
/// chosen ones closest to those of the list. If all are chosen, they are chosen again.
std::vector<std::size_t> balanced_choice(const Matrix& rows, const std::vector<std::size_t>& list,
                                         std::size_t count);

/// At most `count` different rows in the input space that represent the background or the model's
/// points.
Matrix balanced_references(const Model& model, OptionalRows background, std::size_t count,
                           std::uint64_t seed);

/// A row's features and their squares around the rows' mean, in standard deviations.
Matrix standard_moments(const Matrix& rows);

}  // namespace bisector::detail
