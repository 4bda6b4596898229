// Flips against a grid search in two dimensions; every answer flips and keeps its constraints, and
// no random point within a radius flips.
#include "bisector/flip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bisector/error.h"
#include "bisector/predict.h"
#include "bisector/random.h"
#include "reference/error_of.h"
#include "reference/plain_machines.h"

namespace bisector {
namespace {

using reference::normal_rows;
using reference::plain_classifier;
using reference::plain_machine;
using reference::plain_neighbors;
using reference::three_classes;

struct Case {
  std::string name;
  Model model;
  std::optional<double> reach = {};
};

Model centroids(std::size_t features) {
  return Model(CentroidModel(normal_rows(5, 4, features), {"a", "b", "c", "d"}));
}

Model detector(std::size_t features, OutlierScore score) {
  const double threshold = score == OutlierScore::local_outlier_factor ? 1.2 : 0.9;
  return Model(OutlierDetector(normal_rows(6, 40, features), 3, score, threshold));
}

Model weighted_neighbors(std::size_t features) {
  std::vector<std::size_t> classes(40);
  for (std::size_t n = 0; n < 40; ++n) classes[n] = n % 2;
  NeighborVote vote;
  vote.weights = NeighborVote::Weights::distance;
  return Model(NeighborModel(normal_rows(8, 40, features), classes, {"a", "b"}, 5, vote));
}

Model neighbor_regressor(std::size_t features) {
  const Matrix points = normal_rows(9, 40, features);
  std::vector<double> targets;
  for (std::size_t n = 0; n < 40; ++n) targets.push_back(points(n, 0) + 0.3 * points(n, 1));
  return Model(NeighborRegressor(points, targets, 4));
}

Model manhattan_neighbors(std::size_t features) {
  std::vector<std::size_t> classes(40);
  for (std::size_t n = 0; n < 40; ++n) classes[n] = n % 2;
  NeighborVote vote;
  vote.distance = Distance::manhattan();
  return Model(NeighborModel(normal_rows(8, 40, features), classes, {"a", "b"}, 3, vote));
}

Model linear_machine(std::size_t features) {
  const KernelMachine machine = plain_machine(3, 12, features, 0.2);
  return plain_classifier(KernelMachine(machine.shared_points(), machine.coefficients(),
                                        Kernel(KernelTerm{KernelForm::polynomial, 1.0, 1.0}), 0.3));
}

std::vector<Case> every_kind(std::size_t features) {
  using enum OutlierScore;
  const AffineMap scaling(std::vector<double>(features, 0.1), std::vector<double>(features, 1.7));
  return {{"SVM", plain_classifier(plain_machine(1, 30, features, 0.1))},
          {"scaled SVM", plain_classifier(plain_machine(1, 30, features, 0.1), scaling)},
          {"linear SVM", linear_machine(features)},
          {"SVM of three classes", three_classes(2, features)},
          {"kernel regressor", Model(KernelRegressor(plain_machine(3, 30, features, 0.2))), 0.4},
          {"one-class SVM", Model(OneClassMachine{plain_machine(4, 30, features, -0.3)})},
          {"1-NN", plain_neighbors(5, 40, features, 2, 1)},
          {"5-NN", plain_neighbors(6, 60, features, 2, 5)},
          {"4-NN", plain_neighbors(6, 60, features, 2, 4)},
          {"5-NN of three classes", plain_neighbors(7, 60, features, 3, 5)},
          {"weighted 5-NN", weighted_neighbors(features)},
          {"3-NN by Manhattan distances", manhattan_neighbors(features)},
          {"KNN regressor", neighbor_regressor(features), 0.5},
          {"centroids", centroids(features)},
          {"k-th distance", detector(features, kth_distance)},
          {"mean distance", detector(features, mean_distance)},
          {"local outlier factor", detector(features, local_outlier_factor)}};
}

FlipOptions options_of(const Case& one) {
  FlipOptions options;
  options.reach = one.reach;
  options.threads = 1;
  return options;
}

/// The outcome that a flip has to change.
std::vector<bool> outcomes(const Case& one, MatrixView<const double> rows) {
  const Predictions predictions = predict(one.model, rows);
  std::vector<bool> result(rows.rows());
  for (std::size_t r = 0; r < rows.rows(); ++r)
    result[r] = one.reach ? predictions.decisions(r, 0) >= *one.reach : predictions.classes[r] == 0;
  return result;
}

/// The class, or 1 and 0 above and below the level.
std::vector<std::size_t> classes(const Case& one, MatrixView<const double> rows) {
  if (!one.reach) return predict(one.model, rows).classes;
  const std::vector<bool> above = outcomes(one, rows);
  return {above.begin(), above.end()};
}

double model_distance(const Model& model, std::span<const double> a, std::span<const double> b) {
  std::vector<double> first(model.model_features()), second(model.model_features());
  model.input().apply(a, first);
  model.input().apply(b, second);
  double squares = 0.0;
  for (std::size_t d = 0; d < first.size(); ++d)
    squares += (first[d] - second[d]) * (first[d] - second[d]);
  return std::sqrt(squares);
}

TEST(Flip, EveryAnswerFlipsAndHasItsDistance) {
  for (const Case& one : every_kind(4)) {
    SCOPED_TRACE(one.name);
    const Matrix rows = normal_rows(21, 12, 4);
    const auto found = FlipFinder(one.model, options_of(one))(rows);
    const auto own = classes(one, rows);
    std::size_t answers = 0;
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      for (const Flip& flip : found[r].flips) {
        ++answers;
        EXPECT_NE(classes(one, {flip.row.data(), 1, 4})[0], own[r]);
        EXPECT_NEAR(flip.distance, model_distance(one.model, rows.row(r), flip.row), 1e-12);
        EXPECT_LE(found[r].radius, flip.distance);
      }
    }
    EXPECT_GE(answers, 10u);
  }
}

/// A grid in two dimensions and its classes.
struct Grid {
  Matrix points;
  std::vector<std::size_t> classes;
};

Grid make_grid(const Case& one, double end) {
  constexpr std::size_t kSide = 201;
  Grid grid{Matrix(kSide * kSide, 2), {}};
  for (std::size_t i = 0; i < kSide; ++i) {
    for (std::size_t j = 0; j < kSide; ++j) {
      grid.points(i * kSide + j, 0) = end * (2.0 * static_cast<double>(i) / (kSide - 1) - 1.0);
      grid.points(i * kSide + j, 1) = end * (2.0 * static_cast<double>(j) / (kSide - 1) - 1.0);
    }
  }
  grid.classes = classes(one, grid.points);
  return grid;
}

double grid_distance(const Case& one, const Grid& grid, std::span<const double> row) {
  const std::size_t own = classes(one, {row.data(), 1, 2})[0];
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t p = 0; p < grid.points.rows(); ++p)
    if (grid.classes[p] != own)
      least = std::min(least, model_distance(one.model, row, grid.points.row(p)));
  return least;
}

TEST(Flip, IsAsNearAsTheNearestOfAGridInTwoDimensions) {
  for (const Case& one : every_kind(2)) {
    SCOPED_TRACE(one.name);
    FlipOptions options = options_of(one);
    options.columns = {{.features = {0}, .lowest = -3, .highest = 3, .decimals = 4},
                       {.features = {1}, .lowest = -3, .highest = 3, .decimals = 4}};
    const FlipFinder finder(one.model, options);
    const Grid grid_points = make_grid(one, 3.0);
    double sum = 0.0, reference = 0.0;
    const Matrix rows = normal_rows(33, 6, 2);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const double grid = grid_distance(one, grid_points, rows.row(r));
      const RowFlips found = finder({rows.row(r).data(), 1, 2})[0];
      EXPECT_LE(found.radius, grid);
      if (found.flips.empty() || !std::isfinite(grid)) continue;
      EXPECT_LT(found.flips[0].distance, 1.5 * grid + 0.1) << "row " << r;
      sum += found.flips[0].distance;
      reference += grid;
    }
    EXPECT_LT(sum, 1.1 * reference);
  }
}

TEST(Flip, NothingWithinARadiusFlips) {
  for (const Case& one : every_kind(3)) {
    SCOPED_TRACE(one.name);
    const std::size_t kRows = 20, kPoints = 5000;
    const Matrix rows = normal_rows(44, kRows, 3);
    const auto found = FlipFinder(one.model, options_of(one))(rows);
    const auto own = classes(one, rows);
    Random random(1);
    std::size_t violations = 0;
    for (std::size_t r = 0; r < kRows; ++r) {
      if (found[r].radius == 0.0) continue;
      ASSERT_TRUE(std::isfinite(found[r].radius));
      Matrix points(kPoints, 3);
      for (std::size_t p = 0; p < kPoints; ++p) {
        std::vector<double> direction(3), mapped(3);
        double squares = 0.0;
        for (double& entry : direction) squares += std::pow(entry = random.normal(), 2);
        // Most points are close to the surface, where flips are most likely.
        const double length = found[r].radius * std::pow(random.uniform(), 0.1);
        const double unit = one.model.input().is_identity() ? 1.0 : one.model.input().scale()[0];
        for (std::size_t d = 0; d < 3; ++d)
          points(p, d) = rows(r, d) + direction[d] / std::sqrt(squares) * length / unit;
      }
      for (const std::size_t other : classes(one, points)) violations += other != own[r];
    }
    EXPECT_EQ(violations, 0u);
  }
}

TEST(Flip, RadiusOfTheNearestNeighborIsTheDistanceOfTheNearestFlip) {
  const Model model = plain_neighbors(5, 40, 3, 2, 1);
  const Matrix rows = normal_rows(12, 20, 3);
  FlipOptions options;
  for (std::size_t d = 0; d < 3; ++d)
    options.columns.push_back({.features = {d}, .lowest = -9, .highest = 9, .decimals = 6});
  for (const RowFlips& row : FlipFinder(model, options)(rows)) {
    ASSERT_FALSE(row.flips.empty());
    EXPECT_NEAR(row.radius, row.flips[0].distance, 1e-4);
  }
}

TEST(Flip, BranchAndBoundTightensTheRadiusOfNeighbors) {
  const Model model = plain_neighbors(6, 60, 3, 2, 5);
  const Matrix rows = normal_rows(12, 30, 3);
  double simple = 0.0, tightened = 0.0;
  for (const RowFlips& row : FlipFinder(model, {.bound_work = 0.0})(rows)) simple += row.radius;
  for (const RowFlips& row : FlipFinder(model, {})(rows)) tightened += row.radius;
  EXPECT_GT(tightened, 1.2 * simple);
}

TEST(Flip, FlipsAreTheSameWithoutARadius) {
  for (const Case& one : every_kind(3)) {
    SCOPED_TRACE(one.name);
    FlipOptions options = options_of(one);
    const Matrix rows = normal_rows(14, 6, 3);
    const auto with = FlipFinder(one.model, options)(rows);
    options.with_radius = false;
    const auto without = FlipFinder(one.model, options)(rows);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      EXPECT_EQ(without[r].radius, 0.0);
      ASSERT_EQ(with[r].flips.size(), without[r].flips.size());
      for (std::size_t n = 0; n < with[r].flips.size(); ++n)
        EXPECT_EQ(with[r].flips[n].row, without[r].flips[n].row);
    }
  }
}

/// Numbers, whole numbers, an ordered column, a category and a one-hot column.
std::vector<FlipColumn> mixed_columns() {
  return {{.features = {0}, .lowest = -2, .highest = 2, .decimals = 2},
          {.features = {1}, .lowest = -3, .highest = 3, .decimals = 0},
          {.features = {2}, .levels = Matrix(3, 1, {-1, 0, 1})},
          {.features = {3, 4, 5}, .levels = Matrix(3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1})},
          {.features = {6}, .lowest = -1, .highest = 1, .decimals = 1}};
}

Matrix mixed_rows(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  Matrix rows(count, 7);
  for (std::size_t r = 0; r < count; ++r) {
    rows(r, 0) = std::round(100.0 * std::clamp(random.normal(), -2.0, 2.0)) / 100.0;
    rows(r, 1) = std::round(std::clamp(random.normal(), -3.0, 3.0));
    rows(r, 2) = static_cast<double>(random.below(3)) - 1.0;
    rows(r, 3 + random.below(3)) = 1.0;
    rows(r, 6) = std::round(10.0 * (2.0 * random.uniform() - 1.0)) / 10.0;
  }
  return rows;
}

void expect_constraints(const std::vector<FlipColumn>& columns, std::span<const double> x,
                        const Flip& flip) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const FlipColumn& column = columns[c];
    const std::size_t d = column.features[0];
    const bool is_changed = std::ranges::find(flip.changed, c) != flip.changed.end();
    bool differs = false;
    for (const std::size_t f : column.features) differs |= flip.row[f] != x[f];
    EXPECT_EQ(differs, is_changed);
    if (!differs) continue;
    EXPECT_NE(column.change, AllowedChange::none);
    if (column.is_number()) {
      const double unit = std::pow(10.0, column.decimals.value_or(0));
      if (column.decimals) {
        EXPECT_EQ(flip.row[d], std::round(flip.row[d] * unit) / unit);
      }
      EXPECT_GE(flip.row[d], std::min(column.lowest, x[d]));
      EXPECT_LE(flip.row[d], std::max(column.highest, x[d]));
      if (column.change == AllowedChange::increase) {
        EXPECT_GT(flip.row[d], x[d]);
      }
      if (column.change == AllowedChange::decrease) {
        EXPECT_LT(flip.row[d], x[d]);
      }
      continue;
    }
    bool is_level = false;
    for (std::size_t l = 0; l < column.levels.rows(); ++l) {
      bool is_own = true;
      for (std::size_t i = 0; i < column.features.size(); ++i)
        is_own &= column.levels(l, i) == flip.row[column.features[i]];
      is_level |= is_own;
    }
    EXPECT_TRUE(is_level);
  }
}

TEST(Flip, ConstraintsAreKept) {
  for (const Case& one : every_kind(7)) {
    SCOPED_TRACE(one.name);
    const Matrix rows = mixed_rows(3, 5);
    for (std::size_t fixed = 0; fixed < 5; ++fixed) {
      FlipOptions options = options_of(one);
      options.columns = mixed_columns();
      options.columns[fixed].change = AllowedChange::none;
      options.columns[(fixed + 1) % 5].change = AllowedChange::increase;
      options.columns[(fixed + 2) % 5].change = AllowedChange::decrease;
      options.examples = mixed_rows(4, 40);
      options.count = 2;
      const auto found = FlipFinder(one.model, options)(rows);
      const auto own = classes(one, rows);
      for (std::size_t r = 0; r < rows.rows(); ++r) {
        for (const Flip& flip : found[r].flips) {
          EXPECT_NE(classes(one, {flip.row.data(), 1, 7})[0], own[r]);
          // Levels have no greater and smaller value here, but a later and an earlier one.
          expect_constraints(options.columns, rows.row(r), flip);
        }
      }
    }
  }
}

/// The search may miss a flip, but hardly one to which the allowed values of an example lead.
TEST(Flip, FartherExamplesAreTriedIfNoNearOneFlips) {
  for (const Case& one : every_kind(7)) {
    SCOPED_TRACE(one.name);
    std::size_t missed = 0;
    const Matrix rows = mixed_rows(5, 12), examples = mixed_rows(6, 150);
    for (std::size_t fixed = 0; fixed < 5; ++fixed) {
      FlipOptions options = options_of(one);
      options.columns = mixed_columns();
      options.columns[fixed].change = AllowedChange::none;
      options.columns[(fixed + 1) % 5].change = AllowedChange::none;
      options.columns[(fixed + 2) % 5].change = AllowedChange::none;
      options.examples = examples;
      options.with_radius = false;
      const auto found = FlipFinder(one.model, options)(rows);
      const auto own = classes(one, rows), theirs = classes(one, examples);
      for (std::size_t r = 0; r < rows.rows(); ++r) {
        Matrix allowed = examples;
        for (std::size_t e = 0; e < examples.rows(); ++e)
          for (const FlipColumn& column : options.columns)
            for (const std::size_t d : column.features)
              if (column.change == AllowedChange::none) allowed(e, d) = rows(r, d);
        const auto outcomes = classes(one, allowed);
        bool is_possible = false;
        for (std::size_t e = 0; e < examples.rows(); ++e)
          is_possible |= theirs[e] != own[r] && outcomes[e] != own[r];
        missed += is_possible && found[r].flips.empty();
      }
    }
    EXPECT_LE(missed, 1u);  // of 60
  }
}

TEST(Flip, NoChangeIsUnneeded) {
  for (const Case& one : every_kind(5)) {
    SCOPED_TRACE(one.name);
    const Matrix rows = normal_rows(15, 8, 5);
    const auto found = FlipFinder(one.model, options_of(one))(rows);
    const auto own = classes(one, rows);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      for (const Flip& flip : found[r].flips) {
        for (const std::size_t d : flip.changed) {
          std::vector<double> without = flip.row;
          without[d] = rows(r, d);
          EXPECT_EQ(classes(one, {without.data(), 1, 5})[0], own[r]);
        }
      }
    }
  }
}

TEST(Flip, AnswersDifferInTheirColumns) {
  const Model model = plain_classifier(plain_machine(1, 30, 4, 0.1));
  const auto found = FlipFinder(model, {.count = 3})(normal_rows(21, 10, 4));
  std::size_t several = 0;
  for (const RowFlips& row : found) {
    std::set<std::vector<std::size_t>> sets;
    for (std::size_t n = 0; n < row.flips.size(); ++n) {
      sets.insert(row.flips[n].changed);
      if (n > 0) {
        EXPECT_GE(row.flips[n].distance, row.flips[n - 1].distance);
      }
    }
    EXPECT_EQ(sets.size(), row.flips.size());
    several += sets.size() > 1;
  }
  EXPECT_GE(several, 8u);
}

TEST(Flip, OneAnswerIsAsNearAsTheBestOfSeveral) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const std::size_t features = 2 + seed % 4;
    for (const Model& model :
         {three_classes(seed, features), plain_neighbors(seed, 60, features, 3 + seed % 3, 5)}) {
      const Matrix rows = normal_rows(30 + seed, 12, features);
      const auto one = FlipFinder(model)(rows), several = FlipFinder(model, {.count = 3})(rows);
      for (std::size_t r = 0; r < rows.rows(); ++r) {
        ASSERT_EQ(one[r].flips.size(), 1u);
        ASSERT_FALSE(several[r].flips.empty());
        EXPECT_LE(one[r].flips[0].distance, several[r].flips[0].distance) << "seed " << seed;
      }
    }
  }
}

TEST(Flip, FewChangesOnRequest) {
  for (const Case& one : every_kind(6)) {
    SCOPED_TRACE(one.name);
    FlipOptions options = options_of(one);
    options.most_changes = 2;
    for (const RowFlips& row : FlipFinder(one.model, options)(normal_rows(22, 10, 6)))
      for (const Flip& flip : row.flips) EXPECT_LE(flip.changed.size(), 2u);
  }
}

TEST(Flip, ReachesTheClassThatIsAskedFor) {
  const Model model = three_classes(2, 3);
  const Matrix rows = normal_rows(23, 12, 3);
  const auto own = predict(model, rows).classes;
  FlipOptions options;
  options.to_class = 2;
  const auto found = FlipFinder(model, options)(rows);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    EXPECT_EQ(found[r].flips.empty(), own[r] == 2);
    for (const Flip& flip : found[r].flips) EXPECT_EQ(flip.prediction, 2u);
  }
}

TEST(Flip, ResultsDoNotDependOnThreads) {
  for (const Case& one : every_kind(4)) {
    SCOPED_TRACE(one.name);
    const Matrix rows = normal_rows(24, 6, 4);
    FlipOptions options = options_of(one);
    const auto first = FlipFinder(one.model, options)(rows);
    options.threads = 3;
    const auto second = FlipFinder(one.model, options)(rows);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      EXPECT_EQ(first[r].radius, second[r].radius);
      ASSERT_EQ(first[r].flips.size(), second[r].flips.size());
      for (std::size_t n = 0; n < first[r].flips.size(); ++n)
        EXPECT_EQ(first[r].flips[n].row, second[r].flips[n].row);
    }
  }
}

TEST(Flip, TheNearestExampleHasTheOtherOutcome) {
  const Model model = plain_classifier(plain_machine(1, 30, 4, 0.1));
  FlipOptions options;
  options.examples = normal_rows(31, 50, 4);
  const Matrix rows = normal_rows(32, 5, 4);
  const auto own = predict(model, rows).classes, theirs = predict(model, options.examples).classes;
  const auto found = FlipFinder(model, options)(rows);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    ASSERT_TRUE(found[r].example.has_value());
    EXPECT_NE(theirs[*found[r].example], own[r]);
    for (std::size_t e = 0; e < 50; ++e)
      if (theirs[e] != own[r]) {
        EXPECT_LE(found[r].example_distance,
                  model_distance(model, rows.row(r), options.examples.row(e)) + 1e-12);
      }
  }
}

TEST(FlipColumns, RangesAndDecimalsAreThoseOfTheData) {
  const Model model = plain_neighbors(5, 10, 3, 2, 1);
  const Matrix rows(2, 3, {1, 0.25, -70000, 12, 0.5, 70000.5});
  const Matrix whole(1, 3, {1, 2, 3});
  const auto scaled = AffineMap({1, 2, 3}, {0.3, 0.7, 0.01});
  const Model of_whole(
      NeighborModel(Matrix(2, 3, {0.3, 0.7, 0.01, 0.6, 1.4, 0.5}), {0, 1}, {"a", "b"}, 1), scaled);
  const auto columns = flip_columns(of_whole, rows.view());
  EXPECT_EQ(columns[0].decimals, 0);
  EXPECT_EQ(columns[0].lowest, 1.0);
  EXPECT_EQ(columns[0].highest, 12.0);
  EXPECT_EQ(columns[1].decimals, 2);
  EXPECT_EQ(columns[1].highest, 4.0);
  EXPECT_EQ(columns[2].decimals, 0);  // five significant digits of the range
}

TEST(Flip, RefusesWhatItCannotDo) {
  const Model regressor(KernelRegressor(plain_machine(3, 20, 2, 0.2)));
  EXPECT_NE(error_of([&] { FlipFinder{regressor}; }).find("the value to reach"), std::string::npos);
  const Model classifier = plain_classifier(plain_machine(3, 20, 2, 0.2));
  FlipOptions options;
  options.to_class = 2;
  EXPECT_THROW(FlipFinder(classifier, options), InvalidInput);
  options = {};
  options.columns = {{.features = {0}}};
  EXPECT_THROW(FlipFinder(classifier, options), InvalidInput);
}

}  // namespace
}  // namespace bisector
