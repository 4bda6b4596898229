#include "judge/exact_row.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bisector::judge {
namespace {

std::vector<double> mean_of(const Matrix& points) {
  std::vector<double> mean(points.cols(), 0.0);
  for (std::size_t n = 0; n < points.rows(); ++n) {
    for (std::size_t d = 0; d < mean.size(); ++d)
      mean[d] += points(n, d) / static_cast<double>(points.rows());
  }
  return mean;
}

double distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return std::sqrt(sum);
}

}  // namespace

ExactRow::ExactRow(const KernelMachine& machine, std::span<const double> x)
    : x_(x.begin(), x.end()) {
  mean_ = mean_of(machine.points());
  const std::vector<double>& mean = mean_;
  double radius = 0.0;
  for (std::size_t n = 0; n < machine.points().rows(); ++n)
    radius = std::max(radius, distance(machine.points().row(n), mean));
  const double row_norm = distance(x, mean);
  const double by_products = machine.intercept() != 0.0 ? std::numeric_limits<double>::infinity()
                                                        : radius * (radius + 2.0 * row_norm);
  for (std::size_t n = 0; n < machine.points().rows(); ++n) {
    const double c = machine.coefficients()[n];
    if (c == 0.0) continue;
    Term term{c > 0.0 ? 1 : -1, 0.0, 0.0, {}};
    Real squared = 0.0;
    for (std::size_t d = 0; d < x.size(); ++d) {
      term.from_x.push_back(Real(machine.points()(n, d)) - x[d]);
      squared += term.from_x.back() * term.from_x.back();
    }
    const Real log_weight = log(abs(Real(c)));
    term.exponent = log_weight - Real(machine.gamma()) * squared;
    const double root = sqrt(squared).to_double();
    const double near = root * root + root * (row_norm + distance(machine.points().row(n), mean));
    term.moved = std::abs(log_weight.to_double()) + machine.gamma() * std::min(near, by_products);
    terms_.push_back(std::move(term));
  }
  if (machine.intercept() != 0.0) {
    const Real exponent = log(abs(Real(machine.intercept())));
    terms_.push_back({machine.intercept() > 0.0 ? 1 : -1, exponent, std::abs(exponent.to_double()),
                      std::vector<Real>(x.size())});
  }
  Real largest = terms_.front().exponent, sum = 0.0;
  for (const Term& term : terms_) largest = max(largest, term.exponent);
  for (const Term& term : terms_) sum += Real(term.side) * exp(term.exponent - largest);
  sign_ = sum.sign() > 0 ? 1 : sum.sign() < 0 ? -1 : 0;
}

ExactRow::Pool ExactRow::pool(int side) const {
  Pool pool;
  for (const Term& term : terms_) {
    if (term.side == side) pool.push_back(&term);
  }
  return pool;
}

double ExactRow::delta(const Term& term, const Arithmetic& arithmetic) const {
  return static_cast<double>(x_.size() + 8) * (arithmetic.tau + 0x1p-53 * term.moved);
}

/// The log of a pool's sum with every exponent moved by its delta.
Real ExactRow::log_sum(const Pool& pool, double direction, const Arithmetic& arithmetic) const {
  std::vector<Real> moved;
  for (const Term* term : pool)
    moved.push_back(term->exponent + Real(direction * delta(*term, arithmetic)));
  Real largest = moved.front(), sum = 0.0;
  for (const Real& exponent : moved) largest = max(largest, exponent);
  for (const Real& exponent : moved) sum += exp(exponent - largest);
  return largest + log(sum);
}

bool ExactRow::exceeds_bound(const Arithmetic& arithmetic) const {
  if (sign_ == 0) return false;
  return log_sum(pool(-sign_), 1.0, arithmetic) < log_sum(pool(sign_), -1.0, arithmetic);
}

std::vector<Real> ExactRow::responsibilities(const Pool& pool) const {
  Real largest = pool.front()->exponent, sum = 0.0;
  for (const Term* term : pool) largest = max(largest, term->exponent);
  std::vector<Real> p;
  for (const Term* term : pool) sum += p.emplace_back(exp(term->exponent - largest));
  for (Real& value : p) value /= sum;
  return p;
}

std::vector<double> ExactRow::moved_weights(const Pool& pool, const Arithmetic& arithmetic) const {
  std::vector<double> exponents, deltas, moved;
  Real largest = pool.front()->exponent;
  for (const Term* term : pool) largest = max(largest, term->exponent);
  for (const Term* term : pool) {
    exponents.push_back((term->exponent - largest).to_double());
    deltas.push_back(delta(*term, arithmetic));
  }
  // The share of term k when it moves one way and all others move the other.
  const auto share = [&](std::size_t k, double direction) {
    double others = 0.0;
    for (std::size_t l = 0; l < pool.size(); ++l) {
      if (l == k) continue;
      others += std::exp(exponents[l] - exponents[k] - direction * (deltas[l] + deltas[k]));
    }
    return 1.0 / (1.0 + others);
  };
  for (std::size_t k = 0; k < pool.size(); ++k) moved.push_back(share(k, 1.0) - share(k, -1.0));
  return moved;
}

/// A point's part in E_eta of feature d, measured from a center c: with u' = u - c,
/// 2 (1 - eta) (x - r) u' + eta (2 (x - c) u' - u'^2). The center changes no difference of pools.
Real ExactRow::part(const Term& term, std::size_t d, double eta, const Real& from_reference,
                    const Real& from_center) const {
  const Real away = term.from_x[d] + from_center;
  return Real(2.0 * (1.0 - eta)) * from_reference * away +
         Real(eta) * (Real(2.0) * from_center - away) * away;
}

ExactRow::Relevance ExactRow::relevance(double eta, std::span<const double> reference,
                                        const Arithmetic& arithmetic) const {
  Relevance result{std::vector<Real>(x_.size()), std::vector<double>(x_.size(), 0.0)};
  double around_x = 0.0, around_mean = 0.0;  // the largest sums of the sizes of terms
  std::vector<double> sizes_around_x(x_.size(), 0.0), sizes_around_mean(x_.size(), 0.0);
  for (const int side : {1, -1}) {
    const Pool members = pool(side);
    const std::vector<double> moved = moved_weights(members, arithmetic);
    const std::vector<Real> p = responsibilities(members);
    for (std::size_t d = 0; d < x_.size(); ++d) {
      const Real from_reference = Real(x_[d]) - reference[d], from_mean = Real(x_[d]) - mean_[d];
      Real mean = 0.0;
      std::vector<Real> parts;
      for (std::size_t k = 0; k < members.size(); ++k) {
        parts.push_back(part(*members[k], d, eta, from_reference, 0.0));
        mean += p[k] * parts.back();
        sizes_around_x[d] += abs(p[k] * parts.back()).to_double();
        sizes_around_mean[d] +=
            abs(p[k] * part(*members[k], d, eta, from_reference, from_mean)).to_double();
      }
      result.values[d] += Real(side) * mean;
      for (std::size_t k = 0; k < members.size(); ++k)
        result.bound[d] += moved[k] * abs(parts[k] - mean).to_double();
    }
  }
  double largest = 0.0;
  for (std::size_t d = 0; d < x_.size(); ++d) {
    largest = std::max(largest, abs(result.values[d]).to_double());
    around_x = std::max(around_x, sizes_around_x[d]);
    around_mean = std::max(around_mean, sizes_around_mean[d]);
  }
  const double rounding =
      0x1p-53 * static_cast<double>(terms_.size() + 8) * std::min(around_x, around_mean);
  for (double& bound : result.bound) bound += arithmetic.relevance * largest + rounding;
  return result;
}

}  // namespace bisector::judge
