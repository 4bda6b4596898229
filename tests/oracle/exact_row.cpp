#include "oracle/exact_row.h"

#include <algorithm>
#include <cmath>

namespace bisector::oracle {
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
    : x_(x.begin(), x.end()), mean_(mean_of(machine.points())) {
  for (std::size_t n = 0; n < machine.points().rows(); ++n)
    radius_ = std::max(radius_, distance(machine.points().row(n), mean_));
  for (std::size_t n = 0; n < machine.points().rows(); ++n) {
    if (machine.coefficients()[n] != 0.0) terms_.push_back(term_of_point(machine, n));
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

ExactRow::Term ExactRow::term_of_point(const KernelMachine& machine, std::size_t point) const {
  const double c = machine.coefficients()[point];
  const auto u = machine.points().row(point);
  Term term{c > 0.0 ? 1 : -1, 0.0, 0.0, {}};
  Real squared = 0.0;
  for (std::size_t d = 0; d < x_.size(); ++d) {
    term.from_x.push_back(Real(u[d]) - x_[d]);
    squared += term.from_x.back() * term.from_x.back();
  }
  const Real log_weight = log(abs(Real(c)));
  term.exponent = log_weight - Real(machine.gamma()) * squared;
  const double root = sqrt(squared).to_double(), row_norm = distance(x_, mean_);
  double s = root * root + root * (row_norm + distance(u, mean_));
  if (machine.intercept() == 0.0) s = std::min(s, radius_ * (radius_ + 2.0 * row_norm));
  term.moved = std::abs(log_weight.to_double()) + machine.gamma() * s;
  return term;
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
  // The share of term k when it moves in one direction and all others move in the other.
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

void ExactRow::add_pool(int side, double eta, std::span<const double> reference,
                        const Arithmetic& arithmetic, Relevance& result, Sizes& sizes) const {
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
      sizes.around_x[d] += abs(p[k] * parts.back()).to_double();
      sizes.around_mean[d] +=
          abs(p[k] * part(*members[k], d, eta, from_reference, from_mean)).to_double();
    }
    result.values[d] += Real(side) * mean;
    for (std::size_t k = 0; k < members.size(); ++k)
      result.bound[d] += moved[k] * abs(parts[k] - mean).to_double();
  }
}

ExactRow::Relevance ExactRow::relevance(double eta, std::span<const double> reference,
                                        const Arithmetic& arithmetic) const {
  const std::vector<double> zeros(x_.size(), 0.0);
  Relevance result{std::vector<Real>(x_.size()), zeros};
  Sizes sizes{zeros, zeros};
  for (const int side : {1, -1}) add_pool(side, eta, reference, arithmetic, result, sizes);
  double largest = 0.0;
  for (const Real& value : result.values) largest = std::max(largest, abs(value).to_double());
  const double size =
      std::min(std::ranges::max(sizes.around_x), std::ranges::max(sizes.around_mean));
  const double rounding = 0x1p-53 * static_cast<double>(terms_.size() + 8) * size;
  for (double& bound : result.bound) bound += arithmetic.relevance * largest + rounding;
  return result;
}

}  // namespace bisector::oracle
