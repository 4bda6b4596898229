#include "bisector/io/svm_probabilities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "bisector/error.h"

namespace bisector {
namespace {

/// 1 / (1 + exp(t)) without overflow.
double falling_sigmoid(double t) {
  return t >= 0.0 ? std::exp(-t) / (1.0 + std::exp(-t)) : 1.0 / (1.0 + std::exp(t));
}

/// Q of the coupling problem, min p'Qp with sum p = 1. r(a, b) is the probability of a in (a, b).
Matrix coupling_matrix(const Matrix& r) {
  const std::size_t classes = r.rows();
  Matrix q(classes, classes);
  for (std::size_t t = 0; t < classes; ++t) {
    for (std::size_t j = 0; j < classes; ++j) {
      if (j == t) continue;
      q(t, t) += r(j, t) * r(j, t);
      q(t, j) = -r(j, t) * r(t, j);
    }
  }
  return q;
}

/// Solves the coupling problem by the iteration of LIBSVM, with its limits and its tolerance.
void couple(const Matrix& r, std::span<double> p) {
  const std::size_t classes = p.size();
  const Matrix q = coupling_matrix(r);
  const double tolerance = 0.005 / static_cast<double>(classes);
  const std::size_t most = std::max<std::size_t>(100, classes);
  std::ranges::fill(p, 1.0 / static_cast<double>(classes));
  std::vector<double> qp(classes);
  for (std::size_t iteration = 0; iteration < most; ++iteration) {
    double pqp = 0.0, error = 0.0;
    for (std::size_t t = 0; t < classes; ++t) {
      qp[t] = 0.0;
      for (std::size_t j = 0; j < classes; ++j) qp[t] += q(t, j) * p[j];
      pqp += p[t] * qp[t];
    }
    for (const double value : qp) error = std::max(error, std::abs(value - pqp));
    if (error < tolerance) return;
    for (std::size_t t = 0; t < classes; ++t) {
      const double step = (pqp - qp[t]) / q(t, t), scale = 1.0 + step;
      p[t] += step;
      pqp = (pqp + step * (step * q(t, t) + 2.0 * qp[t])) / scale / scale;
      for (std::size_t j = 0; j < classes; ++j) {
        qp[j] = (qp[j] + step * q(t, j)) / scale;
        p[j] /= scale;
      }
    }
  }
}

}  // namespace

SvmProbabilities::SvmProbabilities(std::size_t classes, std::vector<double> a,
                                   std::vector<double> b)
    : classes_(classes), a_(std::move(a)), b_(std::move(b)) {
  const std::size_t pairs = classes * (classes - 1) / 2;
  if (classes < 2 || a_.size() != pairs || b_.size() != pairs)
    throw InvalidModel(fmt::format("{} and {} numbers of sigmoids, expected {} for {} classes",
                                   a_.size(), b_.size(), pairs, classes));
}

Matrix SvmProbabilities::operator()(MatrixView<const double> decisions) const {
  if (decisions.cols() != a_.size())
    throw InvalidInput(
        fmt::format("{} decision values per row, expected {}", decisions.cols(), a_.size()));
  constexpr double kLeast = 1e-7;  // as in LIBSVM
  Matrix result(decisions.rows(), classes_), r(classes_, classes_);
  for (std::size_t row = 0; row < decisions.rows(); ++row) {
    std::size_t pair = 0;
    for (std::size_t a = 0; a < classes_; ++a) {
      for (std::size_t b = a + 1; b < classes_; ++b, ++pair) {
        const double p = falling_sigmoid(decisions(row, pair) * a_[pair] + b_[pair]);
        r(a, b) = std::clamp(p, kLeast, 1.0 - kLeast);
        r(b, a) = 1.0 - r(a, b);
      }
    }
    if (classes_ == 2) {
      result(row, 0) = r(0, 1);
      result(row, 1) = r(1, 0);
    } else {
      couple(r, result.row(row));
    }
  }
  return result;
}

}  // namespace bisector
