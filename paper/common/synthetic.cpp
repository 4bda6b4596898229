#include "common/synthetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "bisector/error.h"
#include "bisector/random.h"

namespace bisector::paper {
namespace {

Matrix normal_matrix(Random& random, std::size_t rows, std::size_t cols) {
  Matrix m(rows, cols);
  for (std::size_t r = 0; r < rows; ++r) {
    for (double& value : m.row(r)) value = random.normal();
  }
  return m;
}

Matrix uniform_matrix(Random& random, std::size_t rows, std::size_t cols) {
  Matrix m(rows, cols);
  for (std::size_t r = 0; r < rows; ++r) {
    for (double& value : m.row(r)) value = 2.0 * random.uniform() - 1.0;
  }
  return m;
}

/// row * matrix.
std::vector<double> times(std::span<const double> row, const Matrix& matrix) {
  std::vector<double> out(matrix.cols(), 0.0);
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    for (std::size_t j = 0; j < matrix.cols(); ++j) out[j] += row[i] * matrix(i, j);
  }
  return out;
}

/// Different corners of the cube {-s, s}^d, as bit patterns.
std::vector<std::uint64_t> draw_corners(Random& random, std::size_t dimensions, std::size_t count) {
  std::vector<std::uint64_t> corners;
  while (corners.size() < count) {
    const std::uint64_t corner = random.bits() & ((std::uint64_t{1} << dimensions) - 1);
    if (std::ranges::find(corners, corner) == corners.end()) corners.push_back(corner);
  }
  return corners;
}

std::vector<std::string> class_names(std::size_t classes) {
  if (classes == 2) return {"negative", "positive"};
  std::vector<std::string> names;
  for (std::size_t c = 0; c < classes; ++c) names.push_back(fmt::format("class {}", c));
  return names;
}

}  // namespace

Dataset make_classification(const SyntheticOptions& o) {
  const std::size_t clusters = o.classes * o.clusters_per_class;
  if (o.informative > 60 || (std::size_t{1} << o.informative) < clusters ||
      o.informative + o.redundant > o.features)
    throw InvalidInput(
        fmt::format("{} informative and {} redundant of {} features for {} clusters, "
                    "expected a corner of the cube for each cluster",
                    o.informative, o.redundant, o.features, clusters));
  Random random(o.seed);
  const auto corners = draw_corners(random, o.informative, clusters);
  std::vector<Matrix> shapes;  // a random linear map for each cluster
  for (std::size_t c = 0; c < clusters; ++c)
    shapes.push_back(uniform_matrix(random, o.informative, o.informative));
  const Matrix mixing = uniform_matrix(random, o.informative, o.redundant);
  std::vector<std::size_t> columns(o.features);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  random.shuffle(std::span(columns));

  Dataset dataset{{}, Matrix(o.rows, o.features), {{}, class_names(o.classes)}};
  for (std::size_t r = 0; r < o.rows; ++r) {
    const std::size_t label = o.classes > 2                         ? random.below(o.classes)
                              : random.uniform() < o.positive_share ? 1
                                                                    : 0;
    const std::size_t cluster = o.classes * random.below(o.clusters_per_class) + label;
    const Matrix draw = normal_matrix(random, 1, o.informative);
    std::vector<double> values = times(draw.row(0), shapes[cluster]);
    for (std::size_t d = 0; d < o.informative; ++d)
      values[d] += (corners[cluster] >> d & 1) != 0 ? o.separation : -o.separation;
    const std::vector<double> redundant = times(values, mixing);
    values.insert(values.end(), redundant.begin(), redundant.end());
    while (values.size() < o.features) values.push_back(random.normal());
    for (std::size_t d = 0; d < o.features; ++d) dataset.rows(r, columns[d]) = values[d];
    const bool is_wrong = random.uniform() < o.wrong_labels;
    dataset.target.classes.push_back(is_wrong ? random.below(o.classes) : label);
  }
  return dataset;
}

SyntheticOptions study_problem(std::size_t index) {
  Random random(derived_seed(20250, index));
  const auto pick = [&](std::initializer_list<double> values) {
    return values.begin()[random.below(values.size())];
  };
  SyntheticOptions o;
  o.informative = static_cast<std::size_t>(pick({2, 4, 6, 10, 14}));
  o.redundant = static_cast<std::size_t>(pick({0, 2, 4}));
  o.clusters_per_class = static_cast<std::size_t>(pick({1, 2, 4}));
  while (2 * o.clusters_per_class > std::size_t{1} << o.informative) --o.clusters_per_class;
  o.positive_share = pick({0.5, 0.35, 0.2});
  o.wrong_labels = pick({0.0, 0.02, 0.1});
  o.separation = pick({0.6, 1.0, 1.5});
  o.seed = index;
  return o;
}

}  // namespace bisector::paper
