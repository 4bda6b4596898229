// The nearest points of every group, exactly, by bounds from 8-bit codes: integer products of codes
// bound all distances (point_codes.h), and distances from the stored rows decide among the points
// that the bounds cannot discard. It finds what ProductSearch finds, bit for bit, with a quarter
// of its memory, and faster where there are many features.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "core/linalg/lines.h"
#include "core/linalg/neighbor.h"
#include "core/linalg/point_codes.h"

namespace bisector::linalg {

class CodeSearch {
 public:
  /// Coordinates are at most kLargestForSingle, and the features at most kMostCodedFeatures.
  explicit CodeSearch(std::vector<PointGroup> groups);

  /// The `count` nearest points of each group (all of a smaller group) for every row. Rows for
  /// which the codes cannot discard enough points are given up and listed in `crowded`.
  std::vector<GroupedNeighbors> search(MatrixView<const double> rows, std::size_t count,
                                       unsigned threads, std::vector<std::size_t>& crowded) const;
  /// The same at the points on the lines to the rows: one entry for every row and step. The
  /// products of a point on a line are a blend of those of its ends, and so are their bounds.
  std::vector<GroupedNeighbors> search_on_lines(MatrixView<const double> rows,
                                                const Lines<double>& lines, std::size_t count,
                                                unsigned threads,
                                                std::vector<std::size_t>& crowded) const;

  /// Bytes of memory beside the points themselves.
  std::size_t bytes() const;
  /// The mean number of distances that decide, per row and group, among `count` neighbors.
  double survivors(MatrixView<const double> rows, std::size_t count) const;

 private:
  struct Bounds;
  class PossibleNeighbors;
  struct Workspace;

  void set_limits(const CodedRows& rows, const GroupPart& part, Workspace& space) const;
  void propose(const CodedRows& rows, std::size_t count, const GroupPart& part,
               Workspace& space) const;
  void propose_on_lines(const CodedRows& rows, const CodedRows& starts,
                        std::span<const LineStep> steps, std::size_t count, const GroupPart& part,
                        Workspace& space) const;

  std::vector<PointGroup> groups_;
  std::vector<PointCodes> codes_;  // one per group
};

}  // namespace bisector::linalg
