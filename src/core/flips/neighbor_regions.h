// Neighbors that vote by Euclidean distances: the region of a class is a union of polyhedra, which
// bisectors of pairs of points bound.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bisector/model.h"
#include "core/flips/half_spaces.h"

namespace bisector::detail {

/// Adds |y - near|^2 <= |y - far|^2 for y = base + v, where v has the features in `free`; false if
/// the points do not differ there.
bool add_bisector(std::span<const double> base, std::span<const double> near,
                  std::span<const double> far, std::span<const std::size_t> free,
                  HalfSpaces& spaces);

class NeighborRegions {
 public:
  /// Null unless the k nearest points vote by Euclidean distances.
  static std::optional<NeighborRegions> of(const Model& model);

  const Model& model() const { return model_; }
  /// The class of each point.
  const std::vector<std::size_t>& classes() const { return *model_.point_classes(); }

  /// The points that are not of class `own` (or those of class `wanted`) nearest to a row of the
  /// model's space, nearest first.
  std::vector<std::size_t> nearest_others(std::span<const double> row, std::size_t own,
                                          std::optional<std::size_t> wanted,
                                          std::size_t count) const;

  /// True if there are two classes and every vote counts 1.
  bool has_majority() const;
  /// The votes of the other class that flip a prediction of class `own`; equal votes go to the
  /// first class.
  std::size_t votes_needed(std::size_t own) const;

  /// A radius around a row within which the prediction is `own`, by branch and bound with at most
  /// `work` multiplications; 0 unless has_majority().
  double radius(std::span<const double> row, std::size_t own, double work) const;

 private:
  class Bound;
  explicit NeighborRegions(const Model& model) : model_(model) {}

  /// Squared distances of all points from a row.
  std::vector<double> distances(std::span<const double> row) const;

  Model model_;
};

}  // namespace bisector::detail
