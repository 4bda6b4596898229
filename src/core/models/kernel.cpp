#include "bisector/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bisector/distance.h"
#include "bisector/error.h"
#include "bisector/kernel_forms.h"

namespace bisector {
namespace {

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

/// log(sum of weight * exp(of(term)) over the terms).
template <class Of>
double log_sum(const std::vector<KernelTerm>& terms, const Of& of) {
  if (terms.size() == 1) return of(terms[0]);
  double largest = -std::numeric_limits<double>::infinity(), sum = 0.0;
  for (const KernelTerm& term : terms) largest = std::max(largest, of(term));
  if (!std::isfinite(largest)) return largest;
  for (const KernelTerm& term : terms) sum += term.weight * std::exp(of(term) - largest);
  return largest + std::log(sum);
}

bool is_of_distance(const KernelTerm& term) {
  return with_kernel_form(term.form, []<class Form>(Form) { return Form::kIsOfDistance; });
}

}  // namespace

std::string_view name(KernelForm form) {
  return with_kernel_form(form, []<class Form>(Form) { return Form::kName; });
}

std::string PowerForm::title(const KernelTerm& term, const Distance&) {
  return term.shape == 1.0   ? "Cauchy"
         : term.shape == 0.5 ? "inverse multiquadric"
                             : fmt::format("rational quadratic (shape {})", term.shape);
}

std::string PolynomialForm::title(const KernelTerm& term, const Distance&) {
  return term.shape == 1.0 && term.offset == 0.0
             ? "linear"
             : fmt::format("polynomial (degree {})", term.shape);
}

Kernel::Kernel(std::vector<KernelTerm> terms, Distance distance)
    : terms_(std::move(terms)), distance_(std::move(distance)) {
  double total = 0.0;
  for (const KernelTerm& term : terms_) {
    require_positive(term.gamma, "gamma");
    require_positive(term.shape, "the kernel's shape");
    require_positive(term.weight, "the weight of a kernel");
    total += term.weight;
    if (!bisector::is_of_distance(term)) require_dot_product(terms_);
  }
  if (!(std::abs(total - 1.0) <= 1e-9))
    throw InvalidModel(fmt::format("the weights of the kernels add up to {}, expected 1", total));
  // Parameters that a form does not use get their defaults, so that equal kernels compare equal.
  for (KernelTerm& term : terms_) {
    if (terms_.size() == 1) term.weight = 1.0;
    const bool has_shape =
        with_kernel_form(term.form, []<class Form>(Form) { return Form::kHasShape; });
    if (!has_shape) term.shape = 1.0;
    if (bisector::is_of_distance(term)) term.offset = 0.0;
  }
}

bool Kernel::is_of_distance() const { return bisector::is_of_distance(terms_[0]); }

double Kernel::log_value(double s) const {
  return log_sum(terms_, [&](const KernelTerm& term) {
    return with_distance_form(term.form, [&](auto form) { return form.log_value(term, s); });
  });
}

double Kernel::log_slope(double s) const {
  return log_sum(terms_, [&](const KernelTerm& term) {
    return with_distance_form(term.form, [&](auto form) { return form.log_slope(term, s); });
  });
}

double Kernel::inverse(double log_value) const {
  if (!(log_value < 0.0)) return 0.0;
  if (terms_.size() == 1)
    return with_distance_form(terms_[0].form,
                              [&](auto form) { return form.inverse(terms_[0], -log_value); });
  // Bracket the solution on a logarithmic scale, then narrow the bracket to a few units of the last
  // place.
  double low = std::numeric_limits<double>::min(), high = 1.0;
  while (this->log_value(high) > log_value && high < 1e300) high *= 1e4;
  while (low * 1e4 < high && this->log_value(high / 1e4) < log_value) high /= 1e4;
  low = std::max(low, high / 1e4);
  // A Newton step if it stays within the bracket, else the bracket's middle.
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

Distance::Distance(double power, std::vector<double> categories)
    : power_(power), categories_(std::move(categories)) {
  if (!(power_ >= 1.0) || !std::isfinite(power_))
    throw InvalidModel(
        fmt::format("the power of the distance is {}, expected a finite number from 1 on", power_));
  for (const double weight : categories_) {
    if (!(weight >= 0.0) || !std::isfinite(weight))
      throw InvalidModel(fmt::format(
          "the weight of a category is {}, expected a finite number above 0, or 0 for a number",
          weight));
  }
  const bool has_some =
      std::ranges::any_of(categories_, [](double weight) { return weight > 0.0; });
  if (!has_some) categories_.clear();
}

Distance Distance::cosine() {
  Distance cosine(1.0);
  cosine.is_cosine_ = true;
  return cosine;
}

}  // namespace bisector
