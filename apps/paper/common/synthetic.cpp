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

/// Every pair of features has the correlation.
Matrix correlated_rows(Random& random, std::size_t rows, std::size_t features, double correlation) {
  Matrix m(rows, features);
  for (std::size_t r = 0; r < rows; ++r) {
    const double common = std::sqrt(correlation) * random.normal();
    for (double& value : m.row(r)) value = common + std::sqrt(1.0 - correlation) * random.normal();
  }
  return m;
}

double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

/// Noise in deviations of the target; classes: above the median or not.
Dataset numbers_dataset(Matrix rows, std::vector<double> target, double noise, Random& random) {
  const auto count = static_cast<double>(target.size());
  const double mean = std::accumulate(target.begin(), target.end(), 0.0) / count;
  double squares = 0.0;
  for (const double value : target) squares += (value - mean) * (value - mean);
  for (double& value : target) value += noise * std::sqrt(squares / count) * random.normal();
  ClassTarget classes = classes_above(target, percentile(target, 50));
  return {{}, std::move(rows), std::move(classes), std::move(target), {}};
}

/// f_d(x), of mean zero under the standard normal distribution.
double effect(std::size_t feature, double x) {
  switch (feature) {
    case 0:
      return x;
    case 1:
      return -x;
    case 2:
      return 1.5 * std::tanh(2.0 * x);
    case 3:
      return -1.5 * std::tanh(2.0 * x);
    case 4:
      return 0.7 * (x * x - 1.0);
    case 5:
      return 1.2 * std::sin(2.0 * x);
    default:
      return 0.0;
  }
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

AdditiveProblem make_additive(std::size_t rows, double correlation, std::uint64_t seed) {
  constexpr double kNoise = 0.1;
  Random random(derived_seed(20260, seed));
  AdditiveProblem problem{correlated_rows(random, rows, AdditiveProblem::kFeatures, correlation),
                          Matrix(rows, AdditiveProblem::kFeatures), std::vector<double>(rows)};
  for (std::size_t r = 0; r < rows; ++r) {
    problem.target[r] = kNoise * random.normal();
    for (std::size_t d = 0; d < AdditiveProblem::kFeatures; ++d)
      problem.target[r] += problem.effects(r, d) = effect(d, problem.rows(r, d));
  }
  return problem;
}

Dataset AdditiveProblem::dataset() const {
  return {{}, rows, classes_above(target, percentile(target, 50)), target, {}};
}

Dataset make_bumps(const NumberOptions& o) {
  constexpr std::size_t kBumps = 25;
  Random random(derived_seed(20262, o.seed));
  Matrix rows = correlated_rows(random, o.rows, o.features, o.correlation);
  std::vector<double> heights(kBumps), target(o.rows, 0.0);
  for (double& height : heights) height = random.normal();
  const auto typical = 2.0 * static_cast<double>(o.features) * (1.0 - o.correlation);
  for (std::size_t r = 0; r < o.rows; ++r) {
    for (std::size_t b = 0; b < kBumps; ++b) {
      // From narrow to wide: e^-1 at a quarter of the typical squared distance up to all of it.
      const double part = 0.25 + 0.75 * static_cast<double>(b) / (kBumps - 1);
      target[r] +=
          heights[b] * std::exp(-squared_distance(rows.row(r), rows.row(b)) / (part * typical));
    }
  }
  return numbers_dataset(std::move(rows), std::move(target), o.noise, random);
}

Dataset make_products(const NumberOptions& o) {
  constexpr std::size_t kFeatures = 10;
  Random random(derived_seed(20263, o.seed));
  Matrix rows(o.rows, kFeatures);
  std::vector<double> target(o.rows);
  for (std::size_t r = 0; r < o.rows; ++r) {
    const auto x = rows.row(r);
    for (double& value : x) value = random.uniform();
    target[r] = 10.0 * std::sin(std::numbers::pi * x[0] * x[1]) +
                20.0 * (x[2] - 0.5) * (x[2] - 0.5) + 10.0 * x[3] + 5.0 * x[4];
  }
  return numbers_dataset(std::move(rows), std::move(target), o.noise, random);
}

DisplacedProblem make_displaced(std::size_t usual, std::size_t displaced, double correlation,
                                std::uint64_t seed) {
  constexpr std::size_t kFeatures = 8, kDisplaced = 2;
  Random random(derived_seed(20261, seed));
  DisplacedProblem problem{correlated_rows(random, usual, kFeatures, correlation),
                           correlated_rows(random, displaced, kFeatures, correlation),
                           Matrix(displaced, kFeatures)};
  std::vector<std::size_t> order(kFeatures);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t r = 0; r < displaced; ++r) {
    random.shuffle(std::span(order));
    for (const std::size_t d : std::span(order).first(kDisplaced)) {
      const double by = (3.0 + 2.0 * random.uniform()) * (random.uniform() < 0.5 ? -1.0 : 1.0);
      problem.rows(r, d) += by;
      problem.effects(r, d) = -0.5 * by * by;
    }
  }
  return problem;
}

}  // namespace bisector::paper
