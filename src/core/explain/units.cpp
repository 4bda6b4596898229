#include "core/explain/units.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/explain/resolve.h"
#include "core/models/rows.h"

namespace bisector::detail {
namespace {

/// A sum of votes is exact; a sum of huge numbers may overflow and is then taken of their parts.
double mean(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  if (std::isfinite(sum)) return sum / count;
  return std::accumulate(values.begin(), values.end(), 0.0,
                         [&](double total, double value) { return total + value / count; });
}

std::vector<double> deviations(std::span<const double> values, double from) {
  std::vector<double> result;
  result.reserve(values.size());
  for (const double value : values) result.push_back(std::abs(value - from));
  return result;
}

double sum_of_sign(std::span<const double> values, double sign) {
  double sum = 0.0;
  for (const double value : values) {
    if (value * sign > 0.0) sum += std::abs(value);
  }
  return sum;
}

/// The totals of both signs after the conversion, as absolute values.
struct Totals {
  double positive, negative;
};

/// P y and N / y, with y the positive root of P y - N / y = T. Their product is P N.
Totals stretched(double p, double n, double t) {
  const double mean = std::sqrt(p) * std::sqrt(n);
  // The difference in the smaller root would cancel, so it follows from the larger one.
  const double larger = 0.5 * (std::abs(t) + std::hypot(t, 2.0 * mean));
  const double smaller = larger > 0.0 ? mean * (mean / larger) : 0.0;
  return t >= 0.0 ? Totals{larger, smaller} : Totals{smaller, larger};
}

/// Scales the values of each sign to its total.
void apply(const Totals& before, const Totals& after, std::span<double> relevance) {
  for (double& value : relevance) {
    if (value > 0.0)
      value = after.positive * (value / before.positive);
    else if (value < 0.0)
      value = after.negative * (value / before.negative);
    else
      value = 0.0;
  }
}

/// after / before, within the range of numbers.
double ratio_of(double after, double before) {
  return before > 0.0 ? std::min(after / before, std::numeric_limits<double>::max()) : 0.0;
}

/// c_x of votes: a mean of c and |T / sum of R|, which needs no stretch, and at most c. The latter
/// is uncertain where the sum is small: its weight is the square of c times the sum, that of c is
/// (F / 8)^2.
double scale_of_votes(const UnconvertedRow& row, const Totals& of_g) {
  const double unit = row.limit / 8.0, t = std::abs(row.difference) / unit;
  const double sum = row.scale / unit * std::abs(of_g.positive - of_g.negative);
  if (!(sum > t)) return row.scale;
  const double of_common = 1.0 / (1.0 + sum * sum);
  return row.scale * (of_common + (1.0 - of_common) * (t / sum));
}

/// c_x, the factor before the stretch. Of kernel machines it is f/g. Far from the data f/g goes to
/// 0; it is then raised until the values can reach the difference. Without a common scale it is
/// |T / sum of R|.
double scale_of(const UnconvertedRow& row, const Totals& of_g) {
  const double bound = row.limit / std::max(of_g.positive, of_g.negative);
  if (row.scale == 0.0) {
    const double sum = std::abs(of_g.positive - of_g.negative), t = std::abs(row.difference);
    const double most = std::min(bound, std::numeric_limits<double>::max());
    return sum > 0.0 ? std::min(t / sum, most) : most;
  }
  double scale = row.is_vote ? scale_of_votes(row, of_g) : row.scale;
  if (row.ratio) {
    const double enough = std::abs(row.difference) / (of_g.positive + of_g.negative);
    scale = std::max(*row.ratio, std::min(row.scale / 4.0, enough));
  }
  return std::min(scale, bound);
}

}  // namespace

UnitScale unit_scale(std::span<const double> f, std::span<const double> g) {
  UnitScale result;
  if (f.empty()) return result;
  constexpr double kMost = std::numeric_limits<double>::max();
  result.mean = std::clamp(mean(f), -kMost, kMost);
  const std::vector<double> of_f = deviations(f, result.mean);
  result.limit = std::min(2.0 * *std::ranges::max_element(of_f), kMost);
  std::vector<double> finite(g.begin(), g.end());
  std::erase_if(finite, [](double v) { return !std::isfinite(v); });
  std::vector<double> of_g = deviations(finite, mean(finite));
  std::ranges::sort(of_g);
  of_g.resize(of_g.size() - of_g.size() / 10);
  const double scale = mean(of_f) / mean(of_g);  // NaN without a finite g
  if (std::isfinite(scale)) result.scale = scale;
  return result;
}

bool are_alike(std::vector<double> outputs) {
  constexpr std::size_t kLeast = 20;
  constexpr double kOfRange = 1e-3;
  if (outputs.size() < kLeast) return false;
  std::ranges::sort(outputs);
  const std::size_t cut = outputs.size() / 20;
  const double most = outputs[outputs.size() - 1 - cut] - outputs[cut];
  return most <= kOfRange * (outputs.back() - outputs.front());
}

Converted convert(const UnconvertedRow& row, Conversion conversion, std::span<double> relevance) {
  const double t = row.difference;
  const Totals of_g{sum_of_sign(relevance, 1.0), sum_of_sign(relevance, -1.0)};
  const double largest = std::max(of_g.positive, of_g.negative);
  const bool has_scale = row.scale > 0.0 || row.limit > 0.0 || conversion == Conversion::parts;
  if (!has_scale || !(largest > 0.0) || !std::isfinite(largest)) {
    std::ranges::fill(relevance, 0.0);
    return {0.0, 0.0, t, 1.0};
  }
  const double scale = conversion == Conversion::parts ? 0.0 : scale_of(row, of_g);
  const Totals plain{scale * of_g.positive, scale * of_g.negative};
  Totals wanted = plain;
  Converted result;
  const bool is_exact = conversion != Conversion::scale;
  if (is_exact && plain.positive > 0.0 && plain.negative > 0.0) {
    wanted = stretched(plain.positive, plain.negative, t);
    result.stretch = ratio_of(wanted.positive, plain.positive);
  } else if (is_exact && of_g.positive > 0.0 && plain.negative == 0.0 && t > 0.0) {
    wanted.positive = t;
    if (plain.positive > 0.0) result.stretch = ratio_of(t, plain.positive);
  } else if (is_exact && of_g.negative > 0.0 && plain.positive == 0.0 && t < 0.0) {
    wanted.negative = -t;
    if (plain.negative > 0.0) result.stretch = ratio_of(plain.negative, -t);
  } else {
    result.remainder = t - (plain.positive - plain.negative);
  }
  // No common scale makes this row's values comparable with those of other rows.
  if (row.scale == 0.0 && conversion != Conversion::parts)
    result.stretch = std::numeric_limits<double>::max();
  apply(of_g, wanted, relevance);
  result.positive = ratio_of(wanted.positive, of_g.positive);
  result.negative = ratio_of(wanted.negative, of_g.negative);
  return result;
}

UnitScales::UnitScales(const Contrasts& contrasts, Rows background, bool is_given)
    : contrasts_(contrasts), background_(background), is_given_(is_given) {}

ContrastScale UnitScales::of(Model::ClassPair pair) const {
  const bool is_reversed = pair.positive > pair.negative;
  const Model::ClassPair ascending{std::min(pair.positive, pair.negative),
                                   std::max(pair.positive, pair.negative)};
  ContrastScale scale = scales_.get(ascending, [this](Model::ClassPair own) {
    return std::make_unique<const ContrastScale>(computed(own));
  });
  scale.positive = pair.positive;
  scale.negative = pair.negative;
  if (is_reversed) scale.mean = 0.0 - scale.mean;
  return scale;
}

ContrastScale UnitScales::computed(Model::ClassPair pair) const {
  if (!background_ || (!is_given_ && stored(pair))) return of_model(pair);
  ContrastScale scale = over(ReferenceRows::Source::background, pair);
  if (scale.scale > 0.0) return scale;
  const ContrastScale own = of_model(pair);
  scale.scale = own.scale;
  scale.limit = std::max(scale.limit, own.limit);
  return scale;
}

std::optional<UnitScale> UnitScales::stored(Model::ClassPair pair) const {
  for (const UnitScale& own : contrasts_.model().unit_scales()) {
    if (own.positive == pair.positive && own.negative == pair.negative) return own;
  }
  return std::nullopt;
}

ContrastScale UnitScales::of_model(Model::ClassPair pair) const {
  const std::optional<UnitScale> own = stored(pair);
  return own ? ContrastScale{*own} : over(ReferenceRows::Source::points, pair);
}

ContrastScale UnitScales::over(ReferenceRows::Source source, Model::ClassPair pair) const {
  const Model& model = contrasts_.model();
  const bool is_background = source == ReferenceRows::Source::background;
  const std::size_t rows = is_background ? background_->rows() : model.shared_points().rows();
  std::vector<std::size_t> positions;
  const auto draw = [&](std::size_t first, std::size_t count) {
    if (positions.empty()) positions = draw_positions(rows, kMaxRows, 0);
    const auto own = std::span(positions).subspan(first, count);
    const Matrix drawn = is_background
                             ? gather_rows(*background_, own)
                             : back_through(model.input(), model.shared_points().gather(own));
    return MappedRows(preprocessed(model.input(), drawn.view(), model.model_features()).copy());
  };
  std::vector<double> f, g;
  for (const RowDecision& row :
       contrasts_.decide({source, 0, std::min(rows, kMaxRows), draw}, pair)) {
    if (!row.has_output) continue;
    f.push_back(row.f);
    g.push_back(row.g);
  }
  ContrastScale scale{unit_scale(f, g), is_background && are_alike(f)};
  scale.positive = pair.positive;
  scale.negative = pair.negative;
  if (model.is_regressor()) scale.mean += contrasts_.level();
  return scale;
}

}  // namespace bisector::detail

namespace bisector {

std::vector<UnitScale> compute_unit_scales(const Model& model, MatrixView<const double> rows,
                                           unsigned threads) {
  using namespace detail;
  constexpr std::size_t kMaxClasses = 45;
  std::vector<UnitScale> result;
  const std::size_t classes = model.is_regressor() ? 2 : model.labels().size();
  if (model.has_dot_product() || classes > kMaxClasses) return result;
  require_rows(model, rows);
  ContrastOptions options;
  options.level = resolve_level(model, std::nullopt).value_or(0.0);
  if (model.kernel() != nullptr) options.beta = model.kernel()->terms()[0].gamma;
  options.threads = threads;
  options.values = std::make_shared<const PointValues>(
      model.input(), std::vector<double>(model.model_features(), 0.0), PointValues::Kind::first,
      model.distance());
  const Contrasts contrasts(model, options);
  const UnitScales scales(contrasts, rows, true);
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b) result.push_back(scales.of({a, b}));
  }
  return result;
}

}  // namespace bisector
