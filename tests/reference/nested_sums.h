// The paper's formulas as they stand: every pair of points of opposite pools, no algebra saved.
// Slow on purpose: the reference of the fast path.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "bisector/matrix.h"

namespace bisector::reference {

using Vector = std::vector<double>;

inline double squared_distance(std::span<const double> x, std::span<const double> u) {
  double sum = 0.0;
  for (std::size_t d = 0; d < x.size(); ++d) sum += (x[d] - u[d]) * (x[d] - u[d]);
  return sum;
}

/// smin^gamma{a} = -1/gamma log sum exp(-gamma a), with the smallest taken out first.
inline double soft_min(double gamma, const Vector& a) {
  const double smallest = *std::min_element(a.begin(), a.end());
  double sum = 0.0;
  for (const double value : a) sum += std::exp(-gamma * (value - smallest));
  return smallest - std::log(sum) / gamma;
}
inline double soft_max(double gamma, Vector a) {
  for (double& value : a) value = -value;
  return -soft_min(gamma, a);
}

/// A point of a pool with its weight alpha > 0.
struct Point {
  Vector u;
  double alpha;
};

/// P and N at a row x, with the intercept as a point at x itself (Note D).
struct Pools {
  std::vector<Point> positive, negative;
};

inline Pools pools_at(const Matrix& points, std::span<const double> coefficients, double intercept,
                      std::span<const double> x) {
  Pools pools;
  const auto add = [&](Vector u, double weight) {
    if (weight > 0.0) pools.positive.push_back({std::move(u), weight});
    if (weight < 0.0) pools.negative.push_back({std::move(u), -weight});
  };
  for (std::size_t n = 0; n < points.rows(); ++n)
    add(Vector(points.row(n).begin(), points.row(n).end()), coefficients[n]);
  add(Vector(x.begin(), x.end()), intercept);
  return pools;
}

/// f as Eq. 1 has it.
inline double decision(const Matrix& points, std::span<const double> coefficients, double gamma,
                       double intercept, std::span<const double> x) {
  double f = intercept;
  for (std::size_t n = 0; n < points.rows(); ++n)
    f += coefficients[n] * std::exp(-gamma * squared_distance(x, points.row(n)));
  return f;
}

/// w_ij = 2 (u_i - u_j), m_ij = (u_i + u_j) / 2.
inline Vector weight(const Point& i, const Point& j) {
  Vector w(i.u.size());
  for (std::size_t d = 0; d < w.size(); ++d) w[d] = 2.0 * (i.u[d] - j.u[d]);
  return w;
}
inline Vector midpoint(const Point& i, const Point& j) {
  Vector m(i.u.size());
  for (std::size_t d = 0; d < m.size(); ++d) m[d] = (i.u[d] + j.u[d]) / 2.0;
  return m;
}

/// Eq. 2a: z_ij = (x - m_ij) . w_ij + b_ij with b_ij = log(alpha_i / alpha_j) / gamma.
inline double detection(double gamma, std::span<const double> x, const Point& i, const Point& j) {
  const Vector w = weight(i, j), m = midpoint(i, j);
  double z = (std::log(i.alpha) - std::log(j.alpha)) / gamma;
  for (std::size_t d = 0; d < w.size(); ++d) z += (x[d] - m[d]) * w[d];
  return z;
}

/// The three layers at x: z_ij, h_j, g.
struct Layers {
  Matrix z;  // |P| x |N|
  Vector h;  // |N|
  double g;
};

inline Layers layers(double gamma, std::span<const double> x, const Pools& pools) {
  Layers out{Matrix(pools.positive.size(), pools.negative.size()), {}, 0.0};
  for (std::size_t j = 0; j < pools.negative.size(); ++j) {
    Vector column;
    for (std::size_t i = 0; i < pools.positive.size(); ++i)
      column.push_back(out.z(i, j) = detection(gamma, x, pools.positive[i], pools.negative[j]));
    out.h.push_back(soft_max(gamma, column));
  }
  out.g = soft_min(gamma, out.h);
  return out;
}

inline Vector soft_arg_max(double beta, const Vector& a) {
  const double largest = *std::max_element(a.begin(), a.end());
  Vector p;
  double sum = 0.0;
  for (const double value : a) {
    p.push_back(std::exp(beta * (value - largest)));
    sum += p.back();
  }
  for (double& value : p) value /= sum;
  return p;
}

/// Eq. 5's first factor for a given j: p_i, which Note C shows to be the same for all j.
inline Vector positive_weights(double beta, const Layers& net, std::size_t j) {
  Vector column;
  for (std::size_t i = 0; i < net.z.rows(); ++i) column.push_back(net.z(i, j));
  return soft_arg_max(beta, column);
}

/// Eq. 5's second factor: p_j = softargmin of the h_j. They are pooled with gamma in the forward
/// pass and with beta here; for beta != gamma METHOD defines p_j = softmax(-beta z_j), and z_j =
/// h_j + a constant.
inline Vector negative_weights(double beta, const Layers& net) {
  Vector negated;
  for (const double h : net.h) negated.push_back(-h);
  return soft_arg_max(beta, negated);
}

/// Eq. 7 for given responsibilities, measured from a reference point r:
/// sum_ij (x - r - eta (m_ij - r)) * w_ij p_i p_j.
inline Vector relevance(double eta, std::span<const double> x, std::span<const double> r,
                        const Pools& pools, const Vector& p_i, const Vector& p_j) {
  Vector e(x.size(), 0.0);
  for (std::size_t i = 0; i < pools.positive.size(); ++i) {
    for (std::size_t j = 0; j < pools.negative.size(); ++j) {
      const Vector w = weight(pools.positive[i], pools.negative[j]);
      const Vector m = midpoint(pools.positive[i], pools.negative[j]);
      for (std::size_t d = 0; d < x.size(); ++d)
        e[d] += (x[d] - r[d] - eta * (m[d] - r[d])) * w[d] * p_i[i] * p_j[j];
    }
  }
  return e;
}

/// The same behind x = A x0 + c: the detection units are linear in x0 with weights A^T w_ij, and
/// their midpoints go back by the pseudo-inverse. `a_transposed` and `a_inverse` are inputs x
/// outputs.
inline Vector relevance_behind(const Matrix& a_transposed, const Matrix& a_inverse, double eta,
                               std::span<const double> x0, std::span<const double> r0,
                               std::span<const double> r, const Pools& pools, const Vector& p_i,
                               const Vector& p_j) {
  const auto times = [](const Matrix& m, const Vector& v) {
    Vector out(m.rows(), 0.0);
    for (std::size_t d = 0; d < m.rows(); ++d) {
      for (std::size_t o = 0; o < m.cols(); ++o) out[d] += m(d, o) * v[o];
    }
    return out;
  };
  Vector e(x0.size(), 0.0);
  for (std::size_t i = 0; i < pools.positive.size(); ++i) {
    for (std::size_t j = 0; j < pools.negative.size(); ++j) {
      Vector m = midpoint(pools.positive[i], pools.negative[j]);
      for (std::size_t o = 0; o < m.size(); ++o) m[o] -= r[o];
      const Vector back = times(a_inverse, m);
      const Vector w = times(a_transposed, weight(pools.positive[i], pools.negative[j]));
      for (std::size_t d = 0; d < x0.size(); ++d)
        e[d] += (x0[d] - r0[d] - eta * back[d]) * w[d] * p_i[i] * p_j[j];
    }
  }
  return e;
}

/// A class's points by distance from x, equal distances by index.
inline std::vector<std::pair<double, std::size_t>> ranked(const Matrix& points,
                                                          std::span<const std::size_t> classes,
                                                          std::size_t wanted,
                                                          std::span<const double> x) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t n = 0; n < points.rows(); ++n) {
    if (classes[n] == wanted) order.emplace_back(squared_distance(x, points.row(n)), n);
  }
  std::sort(order.begin(), order.end());
  return order;
}

/// How many of the k nearest points each class has.
inline std::vector<std::size_t> votes(const Matrix& points, std::span<const std::size_t> classes,
                                      std::size_t class_count, std::size_t k,
                                      std::span<const double> x) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t n = 0; n < points.rows(); ++n)
    order.emplace_back(squared_distance(x, points.row(n)), n);
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> count(class_count, 0);
  for (std::size_t n = 0; n < k; ++n) ++count[classes[order[n].second]];
  return count;
}

/// The pools of a ranked contrast as weighted points: alpha is the responsibility, uniform over the
/// band of ranks around q.
inline std::vector<Point> band(const Matrix& points,
                               const std::vector<std::pair<double, std::size_t>>& order,
                               std::size_t q, std::size_t kappa) {
  std::vector<Point> members;
  for (std::size_t rank = 1; rank <= order.size(); ++rank) {
    if (rank + kappa < q || rank > q + kappa) continue;
    const auto u = points.row(order[rank - 1].second);
    members.push_back({Vector(u.begin(), u.end()), 1.0});
  }
  if (members.empty()) {
    const auto u = points.row(order.back().second);
    members.push_back({Vector(u.begin(), u.end()), 1.0});
  }
  return members;
}

}  // namespace bisector::reference
