// The nearest points by any distance. Manhattan distances, distances of categories and powers that
// are products are computed for all points by vector code, with the bits of the plain sum. For
// other powers, single precision proposes possible neighbors and double precision decides among
// them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/distance.h"
#include "bisector/matrix.h"
#include "core/linalg/neighbor.h"
#include "core/linalg/point_set.h"
#include "core/linalg/possible_neighbors.h"

namespace bisector::linalg {

// Proposes the nearest points by Minkowski distances of powers that are no products: sums of powers
// in single precision, by logarithms, and a bound of what they err by. Lengths of differences obey
// the triangle inequality, so the bound is one of lengths: rounded coordinates move a length by no
// more than the length of what they were rounded by.

/// The sum up to which points may be among the nearest of a row whose count-th smallest sum this
/// is.
struct PowerSlack {
  double power, scale;  // sums are of differences over the scale
  double relative;      // of lengths
  double absolute;      // of lengths, twice
  double flushed;       // of sums: what has no number
  double least;         // lengths below it may be equal in sums that decide

  float operator()(float sum) const;
};

class PowerProposals {
 public:
  /// Points per tile, a multiple of the panel width.
  static constexpr std::size_t kTile = 480;

  /// True where sums of this power can be proposed by; products are as fast without.
  static bool serve(const Distance& distance);

  PowerProposals(const PointGroup& group, double power);

  struct Workspace {
    AlignedVector<float> rows, sums, shifts, panels;
  };
  using Proposed = PossibleNeighbors<float, PowerSlack>;
  /// For every row, at most kRowTile of them and none of numbers beyond single precision, the
  /// `count` points from `first` on that may be among the `wanted` nearest of them.
  std::vector<Proposed> propose(MatrixView<const double> rows, std::size_t first, std::size_t count,
                                std::size_t wanted, Workspace& space) const;

 private:
  Proposed start(std::span<const double> row, std::size_t first, std::size_t count,
                 std::size_t wanted) const;

  SharedPoints points_;
  PointPanels<float> panels_;
  double power_, radius_;
};

class DistanceSearch {
 public:
  DistanceSearch(std::span<const PointGroup> groups, const Distance& distance);

  /// The same as ProductSearch::search.
  void search(MatrixView<const double> rows, std::size_t count, unsigned threads,
              std::vector<GroupedNeighbors>& found) const;

 private:
  struct Part;
  struct Workspace;
  void set_sums(MatrixView<const double> rows, const Part& tile, Workspace& space) const;
  std::vector<std::vector<Neighbor>> search_part(MatrixView<const double> rows, const Part& part,
                                                 std::size_t count, Workspace& space) const;
  std::vector<std::vector<Neighbor>> search_all(MatrixView<const double> rows, const Part& part,
                                                std::size_t count, Workspace& space) const;
  std::vector<std::vector<Neighbor>> decide_proposed(MatrixView<const double> rows,
                                                     const Part& part, std::size_t count,
                                                     Workspace& space) const;
  std::vector<Part> parts_for(unsigned threads) const;

  std::vector<SharedPoints> groups_;  // relative to zero
  Distance distance_;
  std::vector<PointPanels<double>> panels_;  // where vector code computes the distances
  std::vector<PowerProposals> proposals_;    // where it proposes, and all points fit
};

}  // namespace bisector::linalg
