// The path rule from its definition: a pool is a list of points with responsibilities, and the rule
// asks for the pools at x and at the midpoints of the parts of the path.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include "reference/plain_machines.h"

namespace bisector::reference {

struct WeighedPool {
  std::vector<Vector> points;
  Vector weights;  // sum to one
};

struct PoolPair {
  WeighedPool positive, negative;
};

/// Responsibilities of a machine's points at x, the intercept as a point at x.
inline PoolPair soft_pools(const KernelMachine& machine, double beta, const Vector& x) {
  const auto pool = [&](double sign) {
    WeighedPool result;
    double total = 0.0;
    const auto add = [&](const Vector& u, double weight) {
      if (sign * weight <= 0.0) return;
      double squared = 0.0;
      for (std::size_t d = 0; d < x.size(); ++d) squared += (x[d] - u[d]) * (x[d] - u[d]);
      // exp(-beta z) with z = |x - u|^2 - log(alpha) / gamma.
      const double z = squared - std::log(std::abs(weight)) / machine.gamma();
      result.points.push_back(u);
      total += result.weights.emplace_back(std::exp(-beta * z));
    };
    for (std::size_t n = 0; n < machine.points().rows(); ++n)
      add(to_vector(machine.points().row(n)), machine.coefficients()[n]);
    add(x, machine.intercept());
    for (double& weight : result.weights) weight /= total;
    return result;
  };
  return {pool(1.0), pool(-1.0)};
}

/// The bands of ranks of two classes at x: sort, vote, compare at half of their votes.
inline PoolPair ranked_pools(const NeighborModel& model, std::size_t positive, std::size_t negative,
                             std::size_t kappa, const Vector& x) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t n = 0; n < model.points().rows(); ++n) {
    double squared = 0.0;
    for (std::size_t d = 0; d < x.size(); ++d)
      squared += (x[d] - model.points()(n, d)) * (x[d] - model.points()(n, d));
    order.emplace_back(squared, n);
  }
  std::sort(order.begin(), order.end());
  std::size_t votes = 0;
  for (std::size_t n = 0; n < model.k(); ++n) {
    const std::size_t c = model.classes()[order[n].second];
    if (c == positive || c == negative) ++votes;
  }
  const std::size_t rank = std::max<std::size_t>(1, (votes + 1) / 2);
  const auto band = [&](std::size_t wanted) {
    WeighedPool result;
    std::size_t seen = 0;
    for (const auto& [distance, n] : order) {
      if (model.classes()[n] != wanted) continue;
      ++seen;
      if (seen + kappa >= rank && seen <= rank + kappa)
        result.points.push_back(to_vector(model.points().row(n)));
    }
    result.weights.assign(result.points.size(), 1.0 / static_cast<double>(result.points.size()));
    return result;
  };
  return {band(positive), band(negative)};
}

/// One step of a path: at this fraction from the reference to the row.
struct PathStep {
  Vector reference;
  double fraction;
};

/// (1 - eta) (1/T) sum_t (x - r_t) 2 (mean_P u - mean_N u)(x_t)
///     + eta (sum_j p_j (x - u_j)^2 - sum_i p_i (x - u_i)^2).
inline Vector path_rule(const std::function<PoolPair(const Vector&)>& pools_at, const Vector& x,
                        const std::vector<PathStep>& steps, double eta) {
  Vector relevance(x.size(), 0.0);
  const auto add = [&](const WeighedPool& pool, const auto& term) {
    for (std::size_t k = 0; k < pool.points.size(); ++k) {
      for (std::size_t d = 0; d < x.size(); ++d)
        relevance[d] += pool.weights[k] * term(d, pool.points[k][d]);
    }
  };
  for (const PathStep& step : steps) {
    const Vector& r = step.reference;
    Vector on_the_way(x.size());
    for (std::size_t d = 0; d < x.size(); ++d)
      on_the_way[d] = (1.0 - step.fraction) * r[d] + step.fraction * x[d];
    const PoolPair pools = pools_at(on_the_way);
    const auto term = [&](double sign) {
      return [&, sign](std::size_t d, double u) {
        return sign * (1.0 - eta) * (x[d] - r[d]) * 2.0 * u / static_cast<double>(steps.size());
      };
    };
    add(pools.positive, term(1.0));
    add(pools.negative, term(-1.0));
  }
  const PoolPair pools = pools_at(x);
  add(pools.negative, [&](std::size_t d, double u) { return eta * (x[d] - u) * (x[d] - u); });
  add(pools.positive, [&](std::size_t d, double u) { return -eta * (x[d] - u) * (x[d] - u); });
  return relevance;
}

/// The midpoints of equal parts of the path from one reference.
inline std::vector<PathStep> steps_from(const Vector& r, std::size_t steps) {
  std::vector<PathStep> result;
  for (std::size_t t = 1; t <= steps; ++t)
    result.push_back({r, (static_cast<double>(t) - 0.5) / static_cast<double>(steps)});
  return result;
}

/// What is missing of `wanted`, spread in proportion to the relevance, at most nine tenths of it.
inline Vector corrected(Vector relevance, double wanted) {
  double sum = 0.0, size = 0.0;
  for (const double value : relevance) {
    sum += value;
    size += std::abs(value);
  }
  const double part = std::max(-0.9, std::min(0.9, (wanted - sum) / size));
  for (double& value : relevance) value = value > 0.0 ? value * (1.0 + part) : value * (1.0 - part);
  return relevance;
}

}  // namespace bisector::reference
