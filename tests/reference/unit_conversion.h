// The conversion to the unit of the output as docs/guide/units.md defines it, without regard to
// rounding: one base value per contrast, one factor per sign.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace bisector::reference {

using Vector = std::vector<double>;

/// f̄, c and F of a contrast over reference rows.
struct Scale {
  double mean, scale, limit;
};

inline Scale contrast_scale(const Vector& f, const Vector& g) {
  const auto mean = [](const Vector& v) {
    double sum = 0.0;
    for (const double value : v) sum += value;
    return sum / static_cast<double>(v.size());
  };
  const auto deviations = [&](const Vector& v) {
    Vector result;
    for (const double value : v) result.push_back(std::abs(value - mean(v)));
    std::sort(result.begin(), result.end());
    return result;
  };
  Vector finite;
  for (const double value : g) {
    if (std::isfinite(value)) finite.push_back(value);
  }
  const Vector of_f = deviations(f);
  Vector of_g = deviations(finite);
  of_g.resize(of_g.size() - of_g.size() / 10);  // without the largest tenth
  const double spread = of_g.empty() ? 0.0 : mean(of_g);
  return {mean(f), spread > 0.0 ? mean(of_f) / spread : 0.0, 2.0 * of_f.back()};
}

struct UnitRow {
  Vector values;
  double remainder = 0.0;
  double stretch = 1.0;
};

/// The kinds of outputs that have different scales c_x.
enum class OutputKind { score, kernel, vote };

/// R in the unit of g; T = f - base value; `ratio` is f / g of a kernel machine.
inline UnitRow convert_row(const Vector& relevance, double t, const Scale& scale, OutputKind kind,
                           std::optional<double> ratio, bool is_stretched) {
  UnitRow result{Vector(relevance.size(), 0.0), t};
  double positive = 0.0, negative = 0.0;
  for (const double value : relevance) (value > 0.0 ? positive : negative) += std::abs(value);
  if (scale.limit == 0.0 || positive + negative == 0.0) return result;
  double c = scale.scale;
  if (kind == OutputKind::kernel && ratio)
    c = std::max(*ratio, std::min(scale.scale / 4.0, std::abs(t) / (positive + negative)));
  if (kind == OutputKind::vote && positive != negative) {
    // Two estimates of the slope of f over g, each with its weight.
    const double sum = std::abs(positive - negative), own = c * sum * c * sum;
    const double common = scale.limit * scale.limit / 64.0;
    c = std::min(c, (own * (std::abs(t) / sum) + common * c) / (own + common));
  }
  const bool has_own = scale.scale == 0.0;  // there is no common scale
  if (has_own) c = std::abs(t) / std::abs(positive - negative);
  c = std::min(c, scale.limit / std::max(positive, negative));
  const double p = c * positive, n = c * negative;
  double y = 1.0;
  if (is_stretched && p > 0.0 && n > 0.0) {
    const long double wide = t;  // the difference cancels for a large negative T
    y = static_cast<double>((wide + std::sqrt(wide * wide + 4.0L * p * n)) / (2.0L * p));
  } else if (is_stretched && n == 0.0 && t > 0.0) {
    y = t / p;
  } else if (is_stretched && p == 0.0 && t < 0.0) {
    y = n / -t;
  }
  double sum = 0.0;
  for (std::size_t d = 0; d < relevance.size(); ++d)
    sum += result.values[d] = relevance[d] > 0.0 ? c * y * relevance[d] : c / y * relevance[d];
  result.remainder = t - sum;
  result.stretch = has_own ? std::numeric_limits<double>::max() : y;
  return result;
}

/// The sum of the sizes of the values with this sign.
inline double side(std::span<const double> values, double sign) {
  double total = 0.0;
  for (const double value : values) total += value * sign > 0.0 ? std::abs(value) : 0.0;
  return total;
}

inline bool has_same_signs(std::span<const double> a, std::span<const double> b) {
  for (std::size_t d = 0; d < a.size(); ++d)
    if (a[d] * b[d] < 0.0 || (a[d] == 0.0 && b[d] != 0.0)) return false;
  return true;
}

/// a < b of one sign implies that the converted values are not in the other order.
inline bool has_same_order(std::span<const double> before, std::span<const double> after) {
  for (std::size_t a = 0; a < before.size(); ++a) {
    for (std::size_t b = 0; b < before.size(); ++b) {
      const bool one_sign = before[a] * before[b] > 0.0;
      if (one_sign && before[a] < before[b] && after[a] > after[b]) return false;
    }
  }
  return true;
}

}  // namespace bisector::reference
