// Kernels as data. A kernel of a distance is a strictly decreasing function phi of s, the
// distance's sum over the features (the squared distance if it is Euclidean). A kernel of the dot
// product has no distance, so its machines are explained on f itself. bisector/kernel_forms.h has
// the formulas.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "bisector/distance.h"
#include "bisector/enum_names.h"
#include "bisector/export.h"

namespace bisector {

/// The form of phi(s), with t = gamma sqrt(s).
enum class KernelForm {
  exponential,  // exp(-gamma s): Gaussian of squared distances, Laplacian of Manhattan distances
  matern12,     // exp(-t): Laplacian of Euclidean distances
  matern32,     // (1 + t) exp(-t)
  matern52,     // (1 + t + t^2 / 3) exp(-t)
  power,        // (1 + gamma s)^-shape: rational quadratic, inverse multiquadric, Cauchy, Student-t
  // Forms of the dot product, with p = gamma x.u + offset:
  polynomial,  // p^shape; linear if the shape is 1 and the offset 0
  sigmoid      // tanh(p)
};

/// "exponential", "matern12" and so on; empty for a value that is no form.
BISECTOR_EXPORT std::string_view name(KernelForm form);

struct KernelTerm {
  KernelForm form = KernelForm::exponential;
  double gamma = 1.0;
  double shape = 1.0;   // exponent of `power`; degree of `polynomial`, a whole number
  double weight = 1.0;  // fraction of phi(0); the weights of all terms sum to 1
  double offset = 0.0;  // of a dot product

  bool operator==(const KernelTerm&) const = default;
};

class BISECTOR_EXPORT Kernel {
 public:
  /// The Gaussian kernel exp(-gamma |x - u|^2).
  explicit Kernel(double gamma) : Kernel(KernelTerm{KernelForm::exponential, gamma}) {}
  /// Throw InvalidModel unless gamma, shape and weight are finite and positive, and the weights sum
  /// to 1. A shape or an offset that the form does not use is set to its default.
  explicit Kernel(const KernelTerm& term, Distance distance = {})
      : Kernel(std::vector{term}, std::move(distance)) {}
  explicit Kernel(std::vector<KernelTerm> terms, Distance distance = {});

  const std::vector<KernelTerm>& terms() const { return terms_; }
  const Distance& distance() const { return distance_; }
  bool is_gaussian() const {
    return terms_.size() == 1 && terms_[0].form == KernelForm::exponential &&
           distance_.is_euclidean();
  }

  /// False for the forms of the dot product. A kernel of the dot product has a single term.
  bool is_of_distance() const;

  /// For kernels of a distance: log phi(s), log |phi'(s)|, and the s at which log phi is
  /// `log_value`, which is at most 0.
  double log_value(double s) const;
  double log_slope(double s) const;
  double inverse(double log_value) const;

  bool operator==(const Kernel&) const = default;

 private:
  std::vector<KernelTerm> terms_;
  Distance distance_;
};

}  // namespace bisector
