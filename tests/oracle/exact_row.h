// A machine at one row, in 2048 bits: the sign of f, the relevance, and how far rounding may move
// either.
//
// Every computation in the log domain rests on the exponents e_k = log|c_k| - gamma |x - u_k|^2.
// Rounding moves the exponent of a term by at most
//
//     delta_k = (D + 8) (tau + u (|log|c_k|| + gamma s_k)),   u = 2^-53,
//
// where tau is what the fast pass allows itself (1e-12, and 1e-5 in single precision), the factor
// counts the roundings of a sum over D features, and s_k is |x - u_k|^2 with the error of centring,
// |x - u_k| (|x - m| + |u_k - m|), m being the points' mean. Without an intercept |x|^2 is common
// to all terms and drops out, so that s_k is R (R + 2 |x - m|) where that is less, R being the
// points' radius.
//
// f exceeds its rounding bound where its sign is the same however the exponents move within that.
//
// Relevance is a difference of the pools' mean values. Its bound has three parts: what the moved
// exponents do to the responsibilities, the rounding u (n + 8) of the sum of its n terms' sizes
// (measured from x or from the points' mean, whichever is less), and the part of the row's largest
// relevance that the moments may lose.
#pragma once

#include <span>
#include <vector>

#include "oracle/adversary.h"
#include "oracle/real.h"

namespace bisector::oracle {

/// The error bounds of an arithmetic: tau, and the part of a row's largest relevance that the
/// moments may lose to cancellation.
struct Arithmetic {
  double tau, relevance;
};
inline constexpr Arithmetic kDouble{1e-12, 1e-9}, kSingle{1e-5, 1e-4};

class ExactRow {
 public:
  ExactRow(const KernelMachine& machine, std::span<const double> x);

  /// Of f: -1, 0 or 1.
  int sign() const { return sign_; }
  bool exceeds_bound(const Arithmetic& arithmetic) const;

  struct Relevance {
    std::vector<Real> values;   // E_eta
    std::vector<double> bound;  // how far rounding may move each of them
  };
  Relevance relevance(double eta, std::span<const double> reference,
                      const Arithmetic& arithmetic) const;

 private:
  struct Term {
    int side;  // 1 in pool P, -1 in N
    Real exponent;
    double moved;              // |log|c|| + gamma s
    std::vector<Real> from_x;  // u - x
  };
  using Pool = std::vector<const Term*>;
  /// The sums over a pool of the sizes of its terms, a feature each.
  struct Sizes {
    std::vector<double> around_x, around_mean;
  };
  Term term_of_point(const KernelMachine& machine, std::size_t point) const;
  Pool pool(int side) const;
  double delta(const Term& term, const Arithmetic& arithmetic) const;
  Real log_sum(const Pool& pool, double direction, const Arithmetic& arithmetic) const;
  std::vector<Real> responsibilities(const Pool& pool) const;
  /// How far the responsibility of each term may move.
  std::vector<double> moved_weights(const Pool& pool, const Arithmetic& arithmetic) const;

  Real part(const Term& term, std::size_t d, double eta, const Real& from_reference,
            const Real& from_center) const;
  void add_pool(int side, double eta, std::span<const double> reference,
                const Arithmetic& arithmetic, Relevance& result, Sizes& sizes) const;

  std::vector<double> x_, mean_;  // the row, and the mean of the points
  double radius_ = 0.0;           // of the points, around their mean
  std::vector<Term> terms_;
  int sign_ = 0;
};

}  // namespace bisector::oracle
