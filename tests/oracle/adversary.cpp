#include "oracle/adversary.h"

#include <algorithm>
#include <cmath>

#include "bisector/random.h"
#include "oracle/real.h"

namespace bisector::oracle {
namespace {

/// A machine in parts, to be changed.
struct Draft {
  Random random;
  Matrix points, rows;
  std::vector<double> coefficients;
  double gamma = 1.0, intercept = 0.0;

  Case finish() && {
    return {KernelMachine(std::move(points), std::move(coefficients), Kernel(gamma), intercept),
            std::move(rows)};
  }
};

constexpr std::size_t kRows = 10;

double log_uniform(Random& random, double low, double high) {
  return std::pow(10.0, low + (high - low) * random.uniform());
}

Matrix normal_matrix(Random& random, std::size_t rows, std::size_t cols) {
  Matrix m(rows, cols);
  for (std::size_t r = 0; r < rows; ++r) {
    for (double& value : m.row(r)) value = random.normal();
  }
  return m;
}

/// Nothing special: points and rows around the origin, an intercept in two cases of three.
Draft draft(std::uint64_t seed, std::size_t features = 0) {
  Draft d{Random(seed), {}, {}, {}};
  const std::size_t count = 2 + d.random.below(30);
  if (features == 0) features = 1 + d.random.below(12);
  d.points = normal_matrix(d.random, count, features);
  d.rows = normal_matrix(d.random, kRows, features);
  for (std::size_t n = 0; n < count; ++n) {
    const double sign = n == 0 || (n > 1 && d.random.below(2) == 0) ? 1.0 : -1.0;
    d.coefficients.push_back(sign * log_uniform(d.random, -2, 2));
  }
  d.gamma = log_uniform(d.random, -3, 2);
  d.intercept = static_cast<double>(static_cast<int>(seed % 3) - 1) * log_uniform(d.random, -2, 1);
  return d;
}

/// The intercept that makes f vanish at the first row, but for a relative error of 1e-4 to 1e-17.
void cancel_by_intercept(Draft& d) {
  Real sum = 0.0;
  for (std::size_t n = 0; n < d.points.rows(); ++n) {
    Real squared = 0.0;
    for (std::size_t c = 0; c < d.points.cols(); ++c) {
      const Real difference = Real(d.rows(0, c)) - d.points(n, c);
      squared += difference * difference;
    }
    sum += Real(d.coefficients[n]) * exp(Real(0.0) - Real(d.gamma) * squared);
  }
  d.intercept = -sum.to_double() * (1.0 + log_uniform(d.random, -17, -4));
}

/// Every point has a partner of the other sign, of nearly the same weight and in nearly the same
/// place.
void pair_up(Draft& d) {
  for (std::size_t n = 1; n < d.points.rows(); n += 2) {
    const double apart = d.random.below(3) == 0 ? 0.0 : log_uniform(d.random, -16, -2);
    for (std::size_t c = 0; c < d.points.cols(); ++c)
      d.points(n, c) = d.points(n - 1, c) + apart * d.random.normal();
    d.coefficients[n] = -d.coefficients[n - 1] * (1.0 + log_uniform(d.random, -16, -2));
  }
}

/// Copies of points, some of them under the other sign.
void duplicate(Draft& d) {
  for (std::size_t n = 2; n < d.points.rows(); ++n) {
    if (d.random.below(2) == 0) continue;
    const std::size_t original = d.random.below(n);
    std::ranges::copy(d.points.row(original), d.points.row(n).begin());
    if (d.random.below(2) == 0) d.coefficients[n] = d.coefficients[original];
  }
}

void put_rows_on_points(Draft& d) {
  for (std::size_t r = 0; r < d.rows.rows(); ++r)
    std::ranges::copy(d.points.row(d.random.below(d.points.rows())), d.rows.row(r).begin());
}

void move_rows_away(Draft& d, double decades) {
  for (std::size_t r = 0; r < d.rows.rows(); ++r) {
    const double far = log_uniform(d.random, 0, decades);
    for (double& value : d.rows.row(r)) value *= far;
  }
}

void draw_weights(Draft& d, double decades) {
  for (double& c : d.coefficients) c = std::copysign(log_uniform(d.random, -decades, decades), c);
  d.intercept = d.intercept == 0.0
                    ? 0.0
                    : std::copysign(log_uniform(d.random, -decades, decades), d.intercept);
}

/// All points and rows in one far place.
void move_everything(Draft& d, double decades) {
  const double far = log_uniform(d.random, 0, decades);
  for (std::size_t c = 0; c < d.points.cols(); ++c) {
    const double shift = far * d.random.normal();
    for (std::size_t n = 0; n < d.points.rows(); ++n) d.points(n, c) += shift;
    for (std::size_t r = 0; r < d.rows.rows(); ++r) d.rows(r, c) += shift;
  }
}

/// Some of the changes above, one after the other.
Case everything(std::uint64_t seed) {
  Draft d = draft(seed);
  if (d.random.below(2) == 0) d.gamma = log_uniform(d.random, -8, 8);
  if (d.random.below(2) == 0) draw_weights(d, 300);
  if (d.random.below(2) == 0) duplicate(d);
  if (d.random.below(2) == 0) pair_up(d);
  if (d.random.below(2) == 0) put_rows_on_points(d);
  if (d.random.below(3) == 0) move_everything(d, 8);
  if (d.random.below(3) == 0) move_rows_away(d, 90);
  return std::move(d).finish();
}

template <class Change>
Case made_hard(std::uint64_t seed, Change change) {
  Draft d = draft(seed);
  change(d);
  return std::move(d).finish();
}

}  // namespace

const std::vector<Family>& families() {
  using Seed = std::uint64_t;
  static const std::vector<Family> all = {
      {"random", [](Seed s) { return made_hard(s, [](Draft&) {}); }},
      {"f cancelled by the intercept", [](Seed s) { return made_hard(s, cancel_by_intercept); }},
      {"points in cancelling pairs", [](Seed s) { return made_hard(s, pair_up); }},
      {"duplicated points", [](Seed s) { return made_hard(s, duplicate); }},
      {"rows on points", [](Seed s) { return made_hard(s, put_rows_on_points); }},
      {"gamma 1e-8 to 1e8",
       [](Seed s) {
         return made_hard(s, [](Draft& d) { d.gamma = log_uniform(d.random, -8, 8); });
       }},
      {"weights 1e-300 to 1e300",
       [](Seed s) { return made_hard(s, [](Draft& d) { draw_weights(d, 300); }); }},
      {"rows far away, to 1e99",
       [](Seed s) { return made_hard(s, [](Draft& d) { move_rows_away(d, 99); }); }},
      {"everything off the origin, to 1e8",
       [](Seed s) { return made_hard(s, [](Draft& d) { move_everything(d, 8); }); }},
      {"far away from cancelling pairs",
       [](Seed s) {
         return made_hard(s, [](Draft& d) {
           pair_up(d);
           move_rows_away(d, 90);
         });
       }},
      {"300 features", [](Seed s) { return draft(s, 300).finish(); }},
      {"several of these at once", everything}};
  return all;
}

}  // namespace bisector::oracle
