// The forms of kernels, one type each, and the one switch from the enum to the types. A new form is
// a value of KernelForm, a type here with its case in with_kernel_form, and its vector code in
// core/simd/kernel_forms-inl.h.
//
// A form of a distance has, for a term and s >= 0,
//   log_value      log phi(s)
//   log_slope      log |phi'(s)|
//   inverse        the s at which -log phi is `depth` > 0
//   exponent       the exponent e(s) of the vector code: phi(s) = q(s) exp(e(s))
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

#include "bisector/export.h"
#include "bisector/kernel.h"

namespace bisector {

/// The functions that most forms share.
template <KernelForm form>
struct DistanceForm {
  static constexpr KernelForm kForm = form;
  static constexpr bool kIsOfDistance = true, kHasShape = false;
};

struct ExponentialForm : DistanceForm<KernelForm::exponential> {
  static constexpr std::string_view kName = "exponential";
  static std::string title(const KernelTerm&, const Distance& distance) {
    return distance.is_euclidean() ? "Gaussian" : "Laplacian";
  }
  static double log_value(const KernelTerm& term, double s) { return -term.gamma * s; }
  static double log_slope(const KernelTerm& term, double s) {
    return std::log(term.gamma) - term.gamma * s;
  }
  static double inverse(const KernelTerm& term, double depth) { return depth / term.gamma; }
  static double exponent(const KernelTerm& term, double s) { return -term.gamma * s; }
};

/// Forms of t = gamma sqrt(s) with the exponent -t.
template <KernelForm form>
struct RootForm : DistanceForm<form> {
  static double t_of(const KernelTerm& term, double s) { return term.gamma * std::sqrt(s); }
  static double exponent(const KernelTerm& term, double s) { return -t_of(term, s); }
};

struct Matern12Form : RootForm<KernelForm::matern12> {
  static constexpr std::string_view kName = "matern12";
  /// The slope is infinite at s = 0. Below this t it is computed at this t: a point there has all
  /// responsibility of its pool in either case.
  static constexpr double kLeastRoot = 1e-150;
  static std::string title(const KernelTerm&, const Distance&) { return "Laplacian"; }
  static double log_value(const KernelTerm& term, double s) { return -t_of(term, s); }
  static double log_slope(const KernelTerm& term, double s) {
    const double t = t_of(term, s);
    return 2.0 * std::log(term.gamma) - std::log(2.0 * std::max(t, kLeastRoot)) - t;
  }
  static double inverse(const KernelTerm& term, double depth) {
    return depth * depth / (term.gamma * term.gamma);
  }
};

/// -log phi of a Matern kernel at t, and its derivative by t.
struct MaternDepth {
  double value, slope;
};

/// The s at which a Matern kernel has this depth. The depth is convex in t and at most the sum of
/// its expansion at 0, t^2 / `curvature`, and its asymptote, so Newton's steps descend to the
/// solution from the t at which that sum reaches the depth.
template <class Form>
double matern_inverse(const KernelTerm& term, double depth, double curvature) {
  constexpr int kSteps = 12;  // five suffice for most depths
  double t = std::sqrt(curvature * depth) + depth;
  for (int n = 0; n < kSteps; ++n) {
    const MaternDepth at = Form::depth(t);
    const double step = (at.value - depth) / at.slope;
    if (!(step > 1e-16 * t)) break;
    t -= step;
  }
  t /= term.gamma;
  return t * t;
}

struct Matern32Form : RootForm<KernelForm::matern32> {
  static constexpr std::string_view kName = "matern32";
  static std::string title(const KernelTerm&, const Distance&) { return "Matérn 3/2"; }
  static double log_value(const KernelTerm& term, double s) {
    const double t = t_of(term, s);
    return std::log1p(t) - t;
  }
  static double log_slope(const KernelTerm& term, double s) {
    return 2.0 * std::log(term.gamma) - std::numbers::ln2 - t_of(term, s);
  }
  static MaternDepth depth(double t) { return {t - std::log1p(t), t / (1.0 + t)}; }
  static double inverse(const KernelTerm& term, double depth) {
    return matern_inverse<Matern32Form>(term, depth, 2.0);
  }
};

struct Matern52Form : RootForm<KernelForm::matern52> {
  static constexpr std::string_view kName = "matern52";
  static std::string title(const KernelTerm&, const Distance&) { return "Matérn 5/2"; }
  static double log_value(const KernelTerm& term, double s) {
    const double t = t_of(term, s);
    return std::log1p(t + t * t / 3.0) - t;
  }
  static double log_slope(const KernelTerm& term, double s) {
    const double t = t_of(term, s);
    return 2.0 * std::log(term.gamma) + std::log((1.0 + t) / 6.0) - t;
  }
  static MaternDepth depth(double t) {
    return {t - std::log1p(t + t * t / 3.0), t * (1.0 + t) / (3.0 + t * (3.0 + t))};
  }
  static double inverse(const KernelTerm& term, double depth) {
    return matern_inverse<Matern52Form>(term, depth, 6.0);
  }
};

struct PowerForm : DistanceForm<KernelForm::power> {
  static constexpr std::string_view kName = "power";
  static constexpr bool kHasShape = true;
  BISECTOR_EXPORT static std::string title(const KernelTerm& term, const Distance& distance);
  static double log_value(const KernelTerm& term, double s) {
    return -term.shape * std::log1p(term.gamma * s);
  }
  static double log_slope(const KernelTerm& term, double s) {
    return std::log(term.shape * term.gamma) - (term.shape + 1.0) * std::log1p(term.gamma * s);
  }
  static double inverse(const KernelTerm& term, double depth) {
    return std::expm1(depth / term.shape) / term.gamma;
  }
  /// The exponent of the slope: the value is the slope's exponential times 1 + gamma s, and a
  /// product is faster than a quotient.
  static double exponent(const KernelTerm& term, double s) {
    return -(term.shape + 1.0) * std::log(1.0 + term.gamma * s);
  }
};

/// The forms of the dot product have their value and their slope at p = gamma x.u + offset.
struct PolynomialForm {
  static constexpr KernelForm kForm = KernelForm::polynomial;
  static constexpr std::string_view kName = "polynomial";
  static constexpr bool kIsOfDistance = false, kHasShape = true;
  BISECTOR_EXPORT static std::string title(const KernelTerm& term, const Distance& distance);
  static double value(const KernelTerm& term, double p) {
    return term.shape == 1.0 ? p : std::pow(p, term.shape);
  }
  static double slope(const KernelTerm& term, double p) {
    return term.shape == 1.0 ? 1.0 : term.shape * std::pow(p, term.shape - 1.0);
  }
};

struct SigmoidForm {
  static constexpr KernelForm kForm = KernelForm::sigmoid;
  static constexpr std::string_view kName = "sigmoid";
  static constexpr bool kIsOfDistance = false, kHasShape = false;
  static std::string title(const KernelTerm&, const Distance&) { return "sigmoid"; }
  static double value(const KernelTerm&, double p) { return std::tanh(p); }
  static double slope(const KernelTerm&, double p) { return 1.0 - std::tanh(p) * std::tanh(p); }
};

/// use(form's type): the one switch from the enum to the types. A default result for a value that
/// is no form.
template <class Use>
auto with_kernel_form(KernelForm form, const Use& use) {
  switch (form) {
    case KernelForm::exponential:
      return use(ExponentialForm());
    case KernelForm::matern12:
      return use(Matern12Form());
    case KernelForm::matern32:
      return use(Matern32Form());
    case KernelForm::matern52:
      return use(Matern52Form());
    case KernelForm::power:
      return use(PowerForm());
    case KernelForm::polynomial:
      return use(PolynomialForm());
    case KernelForm::sigmoid:
      return use(SigmoidForm());
  }
  return decltype(use(ExponentialForm()))();
}

/// The same for the forms of a distance; a default result for others.
template <class Use>
auto with_distance_form(KernelForm form, const Use& use) {
  return with_kernel_form(form, [&]<class Form>(Form own) {
    if constexpr (Form::kIsOfDistance)
      return use(own);
    else
      return decltype(use(ExponentialForm()))();
  });
}

/// The same for the forms of the dot product.
template <class Use>
auto with_dot_form(KernelForm form, const Use& use) {
  return with_kernel_form(form, [&]<class Form>(Form own) {
    if constexpr (Form::kIsOfDistance)
      return decltype(use(SigmoidForm()))();
    else
      return use(own);
  });
}

}  // namespace bisector
