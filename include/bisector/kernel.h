// Kernels as data. Those of a distance are a strictly decreasing function phi of s, the distance's
// sum over the features (squared where it is Euclidean), with its slope and its inverse. Those of a
// dot product are no distances: machines of them are explained on f itself.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "bisector/distance.h"
#include "bisector/export.h"

namespace bisector {

/// What phi(s) is, with t = gamma sqrt(s).
enum class KernelForm {
  exponential,  // exp(-gamma s): Gaussian of squared distances, Laplacian of Manhattan distances
  matern12,     // exp(-t): Laplacian of Euclidean distances
  matern32,     // (1 + t) exp(-t)
  matern52,     // (1 + t + t^2 / 3) exp(-t)
  power,        // (1 + gamma s)^-shape: rational quadratic, inverse multiquadric, Cauchy, Student-t
  // Of the dot product p = gamma x.u + offset:
  polynomial,  // p^shape; linear where the shape is 1 and the offset 0
  sigmoid      // tanh(p)
};

/// "exponential", "matern12" and so on.
BISECTOR_EXPORT std::string_view name(KernelForm form);
/// Nothing for a name that no form has.
BISECTOR_EXPORT std::optional<KernelForm> kernel_form_from_name(std::string_view name);

struct KernelTerm {
  KernelForm form = KernelForm::exponential;
  double gamma = 1.0;
  double shape = 1.0;   // of the power; the degree of a polynomial, a whole number
  double weight = 1.0;  // its part of phi(0)
  double offset = 0.0;  // of a dot product

  bool operator==(const KernelTerm&) const = default;
};

class BISECTOR_EXPORT Kernel {
 public:
  /// The Gaussian kernel exp(-gamma |x - u|^2).
  Kernel(double gamma) : Kernel(KernelTerm{KernelForm::exponential, gamma}) {}
  /// Throw InvalidModel unless gamma, shape and weight are finite and positive, and the weights add
  /// up to one. A shape or an offset that the form does not have is set to its default.
  explicit Kernel(const KernelTerm& term, Distance distance = {})
      : Kernel(std::vector{term}, std::move(distance)) {}
  explicit Kernel(std::vector<KernelTerm> terms, Distance distance = {});

  const std::vector<KernelTerm>& terms() const { return terms_; }
  const Distance& distance() const { return distance_; }
  bool is_gaussian() const {
    return terms_.size() == 1 && terms_[0].form == KernelForm::exponential &&
           distance_.is_euclidean();
  }

  /// False for the forms of a dot product, of which there is one term.
  bool is_of_distance() const { return terms_[0].form < KernelForm::polynomial; }

  /// Of a distance: log phi(s), log |phi'(s)| and the s of a log phi at or below zero.
  double log_value(double s) const;
  double log_slope(double s) const;
  double inverse(double log_value) const;
  /// The gamma of the exponential that is as far down at s.
  double gamma_at(double s) const;

  bool operator==(const Kernel&) const = default;

 private:
  std::vector<KernelTerm> terms_;
  Distance distance_;
};

}  // namespace bisector
