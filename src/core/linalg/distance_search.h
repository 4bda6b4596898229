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
#include "core/linalg/point_panels.h"
#include "core/linalg/power_proposals.h"

namespace bisector::linalg {

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
