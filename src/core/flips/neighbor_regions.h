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

class NeighborRegions {
 public:
  /// Null unless the k nearest points vote by Euclidean distances.
  static std::optional<NeighborRegions> of(const Model& model);

  /// The points that are not of class `own` (or those of class `wanted`) nearest to a row of the
  /// model's space, nearest first.
  std::vector<std::size_t> nearest_others(std::span<const double> row, std::size_t own,
                                          std::optional<std::size_t> wanted,
                                          std::size_t count) const;

  /// The point nearest to `row` in the polyhedron around `inside`, whose neighbors vote for
  /// `winner`: there, the neighbors of that class stay nearer than all other points that do not
  /// vote at `inside`. Only the features in `free` move, by at least `lowest` and at most
  /// `highest`. The result may miss the polyhedron by rounding.
  std::vector<double> nearest_in_polyhedron(std::span<const double> row,
                                            std::span<const double> inside, std::size_t winner,
                                            std::span<const std::size_t> free,
                                            std::vector<double> lowest,
                                            std::vector<double> highest) const;

  /// A radius around a row within which the prediction is `own`, by branch and bound with at most
  /// `work` multiplications; 0 unless there are two classes and every vote counts 1.
  double radius(std::span<const double> row, std::size_t own, double work) const;

 private:
  class Bound;
  explicit NeighborRegions(const Model& model, const NeighborModel& neighbors)
      : model_(model), neighbors_(&neighbors) {}

  /// Squared distances of all points from a row.
  std::vector<double> distances(std::span<const double> row) const;

  Model model_;
  const NeighborModel* neighbors_;  // of model_
};

}  // namespace bisector::detail
