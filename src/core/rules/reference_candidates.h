// Rows that stand for the data, drawn from a background or from the model's own points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector::detail {

/// The same rows in both spaces, the ones in the model's space being the images of the others.
struct DrawnRows {
  Matrix input_space, model_space;
};

/// At most `limit`, in the order of the draw. The model's own points are taken back through its
/// preprocessing.
DrawnRows draw_rows(const Model& model, const std::optional<Matrix>& background, std::size_t limit,
                    std::uint64_t seed);

/// So many are drawn where some are to be chosen as references; a side of the decision that has
/// less than a percent may be missed.
inline constexpr std::size_t kMaxReferenceCandidates = 1000;

/// `count` of the candidates in `list`, one after the other the one that brings the mean and the
/// variance of all chosen closest to that of the list; when all have served, they serve again.
std::vector<std::size_t> balanced_choice(const Matrix& candidates,
                                         const std::vector<std::size_t>& list, std::size_t count);

/// At most `count` rows in the input space, each once, that stand for the background or the model's
/// points.
Matrix balanced_references(const Model& model, const std::optional<Matrix>& background,
                           std::size_t count, std::uint64_t seed);

/// A row's features and their squares around the rows' mean, in standard deviations.
Matrix standard_moments(const Matrix& rows);

}  // namespace bisector::detail
