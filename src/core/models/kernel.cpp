#include "bisector/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>

#include "bisector/error.h"

namespace bisector {
namespace {

/// In the order of KernelForm.
constexpr std::string_view kFormNames[] = {"exponential", "matern12",   "matern32", "matern52",
                                           "power",       "polynomial", "sigmoid"};

void require_positive(double value, const char* what) {
  if (!(value > 0.0) || !std::isfinite(value))
    throw InvalidModel(fmt::format("{} is {}, expected a finite number above 0", what, value));
}

void require_dot_product(const std::vector<KernelTerm>& terms) {
  if (terms.size() > 1)
    throw InvalidModel("a sum of kernels with a dot product, expected kernels of a distance");
  if (!std::isfinite(terms[0].offset))
    throw InvalidModel(
        fmt::format("the kernel's offset is {}, expected a finite number", terms[0].offset));
  const double degree = terms[0].shape;
  if (terms[0].form == KernelForm::polynomial && (degree != std::floor(degree) || degree > 100.0))
    throw InvalidModel(
        fmt::format("the kernel's degree is {}, expected a whole number up to 100", degree));
}

/// Below this, a root kernel's slope is taken as if the point stood this far away: where a point
/// stands at x the slope has no end, and what is left of the pool no part.
constexpr double kLeastRoot = 1e-150;

double log_value_of(const KernelTerm& term, double s) {
  const double t = term.gamma * std::sqrt(s);
  switch (term.form) {
    case KernelForm::exponential:
      return -term.gamma * s;
    case KernelForm::matern12:
      return -t;
    case KernelForm::matern32:
      return std::log1p(t) - t;
    case KernelForm::matern52:
      return std::log1p(t + t * t / 3.0) - t;
    default:
      break;
  }
  return -term.shape * std::log1p(term.gamma * s);
}

double log_slope_of(const KernelTerm& term, double s) {
  const double gamma = term.gamma, t = gamma * std::sqrt(s);
  switch (term.form) {
    case KernelForm::exponential:
      return std::log(gamma) - gamma * s;
    case KernelForm::matern12:
      return 2.0 * std::log(gamma) - std::log(2.0 * std::max(t, kLeastRoot)) - t;
    case KernelForm::matern32:
      return 2.0 * std::log(gamma) - std::numbers::ln2 - t;
    case KernelForm::matern52:
      return 2.0 * std::log(gamma) + std::log((1.0 + t) / 6.0) - t;
    default:
      break;
  }
  return std::log(term.shape * term.gamma) - (term.shape + 1.0) * std::log1p(term.gamma * s);
}

/// -log phi of a Matern kernel at t = gamma sqrt(s), and its derivative by t.
struct Depth {
  double value, rise;
};
Depth depth_at(KernelForm form, double t) {
  if (form == KernelForm::matern32) return {t - std::log1p(t), t / (1.0 + t)};
  return {t - std::log1p(t + t * t / 3.0), t * (1.0 + t) / (3.0 + t * (3.0 + t))};
}

/// The t at which a Matern kernel of 3/2 or 5/2 is as deep. The depth is convex and begins as
/// t^2 / 2 or t^2 / 6, so Newton's steps come down to it from the sum of that and of its asymptote,
/// which is above.
double matern_inverse(KernelForm form, double depth) {
  constexpr int kSteps = 12;  // five do for most
  double t = std::sqrt((form == KernelForm::matern32 ? 2.0 : 6.0) * depth) + depth;
  for (int n = 0; n < kSteps; ++n) {
    const Depth at = depth_at(form, t);
    const double step = (at.value - depth) / at.rise;
    if (!(step > 1e-16 * t)) break;
    t -= step;
  }
  return t;
}

/// log sum of the terms' weights times exp(of(term)).
template <class Of>
double log_sum(const std::vector<KernelTerm>& terms, const Of& of) {
  if (terms.size() == 1) return of(terms[0]);
  double largest = -std::numeric_limits<double>::infinity(), sum = 0.0;
  for (const KernelTerm& term : terms) largest = std::max(largest, of(term));
  if (!std::isfinite(largest)) return largest;
  for (const KernelTerm& term : terms) sum += term.weight * std::exp(of(term) - largest);
  return largest + std::log(sum);
}

}  // namespace

std::string_view name(KernelForm form) { return kFormNames[static_cast<std::size_t>(form)]; }

std::optional<KernelForm> kernel_form_from_name(std::string_view name) {
  const auto found = std::ranges::find(kFormNames, name);
  if (found == std::end(kFormNames)) return std::nullopt;
  return static_cast<KernelForm>(found - std::begin(kFormNames));
}

Kernel::Kernel(std::vector<KernelTerm> terms, Distance distance)
    : terms_(std::move(terms)), distance_(std::move(distance)) {
  double total = 0.0;
  for (const KernelTerm& term : terms_) {
    require_positive(term.gamma, "gamma");
    require_positive(term.shape, "the kernel's shape");
    require_positive(term.weight, "the weight of a kernel");
    total += term.weight;
    if (term.form >= KernelForm::polynomial) require_dot_product(terms_);
  }
  if (!(std::abs(total - 1.0) <= 1e-9))
    throw InvalidModel(fmt::format("the weights of the kernels add up to {}, expected 1", total));
  // What a form has no use for is the same for all, so that equal kernels are equal as data.
  for (KernelTerm& term : terms_) {
    if (terms_.size() == 1) term.weight = 1.0;
    const bool has_shape = term.form == KernelForm::power || term.form == KernelForm::polynomial;
    if (!has_shape) term.shape = 1.0;
    if (term.form < KernelForm::polynomial) term.offset = 0.0;
  }
}

double Kernel::log_value(double s) const {
  return log_sum(terms_, [&](const KernelTerm& term) { return log_value_of(term, s); });
}

double Kernel::log_slope(double s) const {
  return log_sum(terms_, [&](const KernelTerm& term) { return log_slope_of(term, s); });
}

double Kernel::inverse(double log_value) const {
  if (!(log_value < 0.0)) return 0.0;
  if (terms_.size() == 1) {
    const auto& [form, gamma, shape, weight, offset] = terms_[0];
    if (form == KernelForm::exponential) return -log_value / gamma;
    if (form == KernelForm::matern12) return log_value * log_value / (gamma * gamma);
    if (form == KernelForm::power) return std::expm1(-log_value / shape) / gamma;
    const double t = matern_inverse(form, -log_value) / gamma;
    return t * t;
  }
  // Bracketed on a logarithmic scale, then narrowed to the last bit but a few.
  double low = std::numeric_limits<double>::min(), high = 1.0;
  while (this->log_value(high) > log_value && high < 1e300) high *= 1e4;
  while (low * 1e4 < high && this->log_value(high / 1e4) < log_value) high /= 1e4;
  low = std::max(low, high / 1e4);
  // A step of Newton's where it stays within the bracket, else its middle.
  double next = std::sqrt(low) * std::sqrt(high);
  for (int i = 0; i < 200 && high - low > 4e-16 * high; ++i) {
    if (!(next > low && next < high)) next = std::sqrt(low) * std::sqrt(high);
    if (!(next > low && next < high)) break;
    const double above = this->log_value(next) - log_value;
    (above > 0.0 ? low : high) = next;
    const double step = above * std::exp(this->log_value(next) - log_slope(next));
    if (std::abs(step) <= 2e-16 * next) return next;
    next += step;
  }
  return 0.5 * (low + high);
}

double Kernel::gamma_at(double s) const {
  return is_gaussian() ? terms_[0].gamma : -log_value(s) / s;
}

}  // namespace bisector
