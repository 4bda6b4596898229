#include "core/flips/half_spaces.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/linalg/vectors.h"

namespace bisector::detail {
namespace {

/// A constraint holds if it is violated by less than this fraction of the solution's length.
constexpr double kTolerance = 1e-10;
/// A normal depends on others if less than this fraction of its square is orthogonal to them.
constexpr double kDependent = 1e-18;
/// Factors below this are rounding errors.
constexpr double kNoFactor = 1e-13;
/// A projection that leaves less than this fraction of the square is repeated, which removes what
/// rounding leaves of the basis.
constexpr double kCancels = 0.5;

/// The inner product in four sums, because every addition to a single one waits for the last.
double product(const double* a, const double* b, std::size_t count) {
  double sums[4] = {};
  std::size_t d = 0;
  for (; d + 4 <= count; d += 4)
    for (std::size_t i = 0; i < 4; ++i) sums[i] += a[d + i] * b[d + i];
  for (; d < count; ++d) sums[0] += a[d] * b[d];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

HalfSpaces::HalfSpaces(std::size_t dimensions) : solution_(dimensions, 0.0) {}

HalfSpaces::HalfSpaces(std::vector<double> lowest, std::vector<double> highest)
    : lowest_(std::move(lowest)), highest_(std::move(highest)), solution_(lowest_.size(), 0.0) {}

bool HalfSpaces::add(std::span<const double> normal, double bound) {
  const double length = std::sqrt(linalg::squared_norm(normal));
  if (!(length > 0.0)) return false;
  const std::size_t first = normals_.size();
  normals_.resize(first + normal.size());
  for (std::size_t d = 0; d < normal.size(); ++d) normals_[first + d] = normal[d] / length;
  bounds_.push_back(bound / length);
  return true;
}

std::vector<double> HalfSpaces::multipliers() const {
  std::vector<double> result(bounds_.size(), 0.0);
  for (std::size_t i = 0; i < active_.size(); ++i)
    if (active_[i].kind == Constraint::Kind::half_space)
      result[active_[i].number] = multipliers_[i];
  return result;
}

std::vector<double> HalfSpaces::normal_of(const Constraint& constraint) const {
  const std::size_t n = solution_.size();
  if (constraint.kind == Constraint::Kind::half_space) {
    const double* first = normals_.data() + constraint.number * n;
    return {first, first + n};
  }
  std::vector<double> normal(n, 0.0);
  normal[constraint.number] = constraint.kind == Constraint::Kind::upper ? 1.0 : -1.0;
  return normal;
}

double HalfSpaces::bound_of(const Constraint& constraint) const {
  if (constraint.kind == Constraint::Kind::lower) return -lowest_[constraint.number];
  if (constraint.kind == Constraint::Kind::upper) return highest_[constraint.number];
  return bounds_[constraint.number];
}

double HalfSpaces::excess(const Constraint& constraint) const {
  const std::size_t n = solution_.size();
  if (constraint.kind == Constraint::Kind::half_space)
    return product(normals_.data() + constraint.number * n, solution_.data(), n) -
           bounds_[constraint.number];
  const double value = solution_[constraint.number];
  return constraint.kind == Constraint::Kind::upper ? value - highest_[constraint.number]
                                                    : lowest_[constraint.number] - value;
}

HalfSpaces::Projection HalfSpaces::project(std::vector<double> normal) {
  Projection result{std::vector<double>(basis_.size(), 0.0), std::move(normal)};
  const std::size_t n = result.rest.size();
  double left = 1.0;  // of the square
  for (int pass = 0; pass < 2 && (pass == 0 || left < kCancels); ++pass) {
    for (std::size_t j = 0; j < basis_.size(); ++j) {
      const double part = product(basis_[j].data(), result.rest.data(), n);
      result.products[j] += part;
      for (std::size_t d = 0; d < n; ++d) result.rest[d] -= part * basis_[j][d];
    }
    left = linalg::squared_norm(result.rest);
    work_ += static_cast<double>(2 * basis_.size() * n);
  }
  return result;
}

std::vector<double> HalfSpaces::factors(std::vector<double> products) const {
  for (std::size_t i = products.size(); i-- > 0;) {
    products[i] /= triangle_[i][i];
    for (std::size_t j = 0; j < i; ++j) products[j] -= triangle_[i][j] * products[i];
  }
  return products;
}

void HalfSpaces::activate(const Constraint& constraint, double multiplier, Projection projection) {
  const double length = std::sqrt(linalg::squared_norm(projection.rest));
  for (double& entry : projection.rest) entry /= length;
  projection.products.push_back(length);
  basis_.push_back(std::move(projection.rest));
  triangle_.push_back(std::move(projection.products));
  active_.push_back(constraint);
  multipliers_.push_back(multiplier);
}

void HalfSpaces::drop(std::size_t position) {
  const std::vector<Constraint> later(active_.begin() + static_cast<std::ptrdiff_t>(position) + 1,
                                      active_.end());
  const std::vector<double> multipliers(
      multipliers_.begin() + static_cast<std::ptrdiff_t>(position) + 1, multipliers_.end());
  active_.resize(position);
  multipliers_.resize(position);
  basis_.resize(position);
  triangle_.resize(position);
  for (std::size_t i = 0; i < later.size(); ++i)
    activate(later[i], multipliers[i], project(normal_of(later[i])));
}

double HalfSpaces::contradiction(const Constraint& entering,
                                 std::span<const double> factors) const {
  std::vector<double> sum = normal_of(entering);
  double bound = bound_of(entering), sizes = std::abs(bound), total = 1.0;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const double weight = std::max(-factors[i], 0.0);
    const std::vector<double> normal = normal_of(active_[i]);
    for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += weight * normal[d];
    bound += weight * bound_of(active_[i]);
    sizes += weight * std::abs(bound_of(active_[i]));
    total += weight;
  }
  constexpr double kError = 1e-14;
  const double needed = -bound - kError * sizes;
  return needed > 0.0 ? needed / (std::sqrt(linalg::squared_norm(sum)) + kError * total) : 0.0;
}

bool HalfSpaces::enforce(const Constraint& entering) {
  double multiplier = 0.0;
  while (true) {
    Projection projection = project(normal_of(entering));
    const std::vector<double> decrease = factors(projection.products);
    const double square = linalg::squared_norm(projection.rest);
    constexpr double kNever = std::numeric_limits<double>::infinity();
    const double full = square > kDependent ? std::max(excess(entering), 0.0) / square : kNever;
    double step = full;
    std::size_t blocking = active_.size();
    for (std::size_t i = 0; i < decrease.size(); ++i) {
      if (!(decrease[i] > kNoFactor) || !(multipliers_[i] / decrease[i] < step)) continue;
      step = multipliers_[i] / decrease[i];
      blocking = i;
    }
    if (step == kNever) {
      empty_length_ = std::max(empty_length_, contradiction(entering, decrease));
      return false;
    }
    if (full < kNever)
      for (std::size_t d = 0; d < solution_.size(); ++d) solution_[d] -= step * projection.rest[d];
    for (std::size_t i = 0; i < decrease.size(); ++i)
      multipliers_[i] = std::max(multipliers_[i] - step * decrease[i], 0.0);
    multiplier += step;
    if (blocking == active_.size()) {
      activate(entering, multiplier, std::move(projection));
      return true;
    }
    drop(blocking);
  }
}

bool HalfSpaces::solve() {
  using enum Constraint::Kind;
  // The dual value increases with every step, so that only rounding errors could go on for ever.
  const std::size_t most = 10 * (bounds_.size() + 2 * solution_.size()) + 50;
  for (std::size_t step = 0; step < most; ++step) {
    Constraint worst{half_space, 0};
    double largest = 0.0;
    const auto consider = [&](const Constraint& constraint) {
      const double own = excess(constraint);
      if (own > largest) {
        largest = own;
        worst = constraint;
      }
    };
    for (std::size_t c = 0; c < bounds_.size(); ++c) consider({half_space, c});
    for (std::size_t d = 0; d < lowest_.size(); ++d) {
      consider({lower, d});
      consider({upper, d});
    }
    work_ += static_cast<double>(bounds_.size() * solution_.size());
    if (largest <= kTolerance * std::sqrt(linalg::squared_norm(solution_))) break;
    if (!enforce(worst)) return false;
  }
  return true;
}

double HalfSpaces::least_length() const {
  // The dual value is -|sum of multipliers times normals|^2 / 2 - sum of multipliers times bounds.
  std::vector<double> sum(solution_.size(), 0.0);
  double bounds = 0.0, sizes = 0.0, total = 0.0;
  for (std::size_t i = 0; i < active_.size(); ++i) {
    const std::vector<double> normal = normal_of(active_[i]);
    const double part = multipliers_[i] * bound_of(active_[i]);
    for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += multipliers_[i] * normal[d];
    bounds += part;
    sizes += std::abs(part);
    total += multipliers_[i];
  }
  const double square = linalg::squared_norm(sum);
  constexpr double kError = 1e-14;
  const double value = -0.5 * square - bounds - kError * (sizes + total * std::sqrt(square));
  return std::max(value > 0.0 ? std::sqrt(2.0 * value) : 0.0, empty_length_);
}

}  // namespace bisector::detail
