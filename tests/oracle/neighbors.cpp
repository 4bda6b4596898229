#include "oracle/neighbors.h"

#include <algorithm>
#include <cmath>

#include "bisector/explain.h"
#include "bisector/random.h"
#include "oracle/real.h"
#include "reference/in_g.h"

namespace bisector::oracle {
namespace {

constexpr std::size_t kRows = 10;

struct Draft {
  Random random;
  Matrix points, rows;
};

Draft draft(std::uint64_t seed) {
  Draft d{Random(seed), {}, {}};
  const std::size_t count = 12 + d.random.below(60), features = 1 + d.random.below(12);
  for (Matrix* matrix : {&d.points, &d.rows}) {
    *matrix = Matrix(matrix == &d.rows ? kRows : count, features);
    for (std::size_t r = 0; r < matrix->rows(); ++r) {
      for (double& value : matrix->row(r)) value = d.random.normal();
    }
  }
  return d;
}

void round_everything(Draft& d) {
  for (Matrix* matrix : {&d.points, &d.rows}) {
    for (std::size_t r = 0; r < matrix->rows(); ++r) {
      for (double& value : matrix->row(r)) value = std::round(value);
    }
  }
}

void duplicate(Draft& d) {
  for (std::size_t n = 1; n < d.points.rows(); ++n) {
    if (d.random.below(2) == 0) std::ranges::copy(d.points.row(n - 1), d.points.row(n).begin());
  }
}

/// All points at all but the same distance from the first row.
void surround(Draft& d) {
  const double apart = std::pow(10.0, -2.0 - 15.0 * d.random.uniform());
  for (std::size_t n = 0; n < d.points.rows(); ++n) {
    double squared = 0.0;
    for (const double value : d.points.row(n)) squared += value * value;
    const double scale = (1.0 + apart * d.random.normal()) / std::sqrt(squared);
    for (std::size_t c = 0; c < d.points.cols(); ++c)
      d.points(n, c) = d.rows(0, c) + scale * d.points(n, c);
  }
}

void move_everything(Draft& d) {
  const double far = std::pow(10.0, 12.0 * d.random.uniform());
  for (Matrix* matrix : {&d.points, &d.rows}) {
    for (std::size_t r = 0; r < matrix->rows(); ++r) {
      for (double& value : matrix->row(r)) value += far;
    }
  }
}

void move_rows_away(Draft& d) {
  for (std::size_t r = 0; r < d.rows.rows(); ++r) {
    const double far = std::pow(10.0, 20.0 * d.random.uniform());
    for (double& value : d.rows.row(r)) value *= far;
  }
}

template <class Change>
NeighborCase made_hard(std::uint64_t seed, Change change) {
  Draft d = draft(seed);
  change(d);
  std::vector<std::size_t> classes;
  for (std::size_t n = 0; n < d.points.rows(); ++n) classes.push_back(n % 2);
  const std::size_t k = 2 * d.random.below(6) + 1;
  return {NeighborModel(std::move(d.points), std::move(classes), {"against", "for"}, k),
          std::move(d.rows)};
}

/// The squared distances of each class, ascending.
struct ExactNeighbors {
  std::vector<Real> of_class[2];
};

ExactNeighbors neighbors_of(const NeighborModel& model, std::span<const double> x) {
  ExactNeighbors exact;
  for (std::size_t n = 0; n < model.points().rows(); ++n) {
    Real squared = 0.0;
    for (std::size_t d = 0; d < x.size(); ++d) {
      const Real difference = Real(x[d]) - model.points()(n, d);
      squared += difference * difference;
    }
    exact.of_class[model.classes()[n]].push_back(squared);
  }
  for (auto& distances : exact.of_class) std::sort(distances.begin(), distances.end());
  return exact;
}

int sign_of(double value) { return value > 0.0 ? 1 : value < 0.0 ? -1 : 0; }

void compare_row(const NeighborModel& model, std::span<const double> x, const Explanation& result,
                 std::size_t row, NeighborComparison& comparison) {
  const ExactNeighbors exact = neighbors_of(model, x);
  const std::size_t q = (model.k() + 1) / 2;
  const Real &against = exact.of_class[0][q - 1], &its_own = exact.of_class[1][q - 1];
  // The class with the nearer q-th point has the majority of the k nearest.
  const int sign = (against - its_own).sign() > 0 ? 1 : -1;
  const Real moved = Real(0x1p-53 * static_cast<double>(x.size() + 8)) * (against + its_own);
  const bool is_right = sign_of(result.g[row]) == sign && sign_of(result.decision[row]) == sign &&
                        result.prediction[row] == (sign > 0 ? 1u : 0u);
  if (moved < abs(against - its_own)) {
    ++comparison.decided;
    comparison.wrong += !is_right;
  } else {
    comparison.unlucky += sign_of(result.g[row]) != (against - its_own).sign();
  }
}

bool is_same(const Explanation& a, const Explanation& b, std::size_t row) {
  return a.g[row] == b.g[row] && a.prediction[row] == b.prediction[row] &&
         std::ranges::equal(a.relevance.row(row), b.relevance.row(row));
}

}  // namespace

const std::vector<NeighborFamily>& neighbor_families() {
  using Seed = std::uint64_t;
  static const std::vector<NeighborFamily> all = {
      {"random", [](Seed s) { return made_hard(s, [](Draft&) {}); }},
      {"whole numbers, which tie", [](Seed s) { return made_hard(s, round_everything); }},
      {"duplicated points in both classes", [](Seed s) { return made_hard(s, duplicate); }},
      {"all points equally far, nearly", [](Seed s) { return made_hard(s, surround); }},
      {"everything off the origin, to 1e12", [](Seed s) { return made_hard(s, move_everything); }},
      {"rows far away, to 1e20", [](Seed s) { return made_hard(s, move_rows_away); }}};
  return all;
}

NeighborComparison compare(const NeighborFamily& family, std::size_t models, std::uint64_t seed) {
  NeighborComparison comparison;
  for (std::size_t m = 0; m < models; ++m) {
    const NeighborCase given = family.make(seed + m);
    const Model model(given.model);
    ExplainOptions single = in_g();
    single.precision = Precision::float32;
    const Explanation in_double = explain(model, given.rows.view(), EtaRule{}, in_g());
    const Explanation in_single = explain(model, given.rows.view(), EtaRule{}, single);
    ++comparison.models;
    for (std::size_t r = 0; r < given.rows.rows(); ++r) {
      ++comparison.rows;
      compare_row(given.model, given.rows.row(r), in_double, r, comparison);
      comparison.differing += !is_same(in_double, in_single, r);
    }
  }
  return comparison;
}

}  // namespace bisector::oracle
