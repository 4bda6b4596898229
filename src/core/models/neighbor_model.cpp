#include "bisector/neighbor_model.h"

#include <fmt/format.h>

#include "bisector/error.h"
#include "core/models/checks.h"

namespace bisector {

using namespace detail;

NeighborModel::NeighborModel(SharedMatrix points, std::vector<std::size_t> classes,
                             std::vector<std::string> labels, std::size_t k)
    : points_(points), classes_(std::move(classes)), labels_(std::move(labels)), k_(k) {
  require_points(*points_, "training points");
  require_equal(classes_.size(), points_->rows(), "labels of points", "training points");
  if (k_ < 1 || k_ > points_->rows())
    throw InvalidModel(fmt::format("k is {}, expected a number from 1 to {}, the number of points",
                                   k_, points_->rows()));
  if (labels_.size() < 2)
    throw InvalidModel(fmt::format("{} classes, expected at least two", labels_.size()));
  require_distinct(labels_);
  std::vector<std::size_t> count(labels_.size(), 0);
  for (const std::size_t c : classes_) {
    if (c >= labels_.size())
      throw InvalidModel(
          fmt::format("a point has class {}, expected a number below {}", c, labels_.size()));
    ++count[c];
  }
  for (std::size_t c = 0; c < count.size(); ++c) {
    if (count[c] == 0)
      throw InvalidModel(fmt::format("class \"{}\" has no training point", labels_[c]));
  }
}

CentroidModel::CentroidModel(SharedMatrix centroids, std::vector<std::string> labels)
    : centroids_(centroids), labels_(std::move(labels)) {
  require_points(*centroids_, "centroids");
  if (centroids_->rows() < 2) throw InvalidModel("1 centroid, expected at least two");
  require_equal(labels_.size(), centroids_->rows(), "labels", "centroids");
  require_distinct(labels_);
}

}  // namespace bisector
