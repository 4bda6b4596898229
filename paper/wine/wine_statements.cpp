#include "wine/wine_statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bisector/error.h"
#include "bisector/train/targets.h"

namespace bisector::paper {
namespace {

constexpr std::uint64_t kSeed = 0;
constexpr double kLinear = 0.9;  // |correlation| above which a relation counts as linear
constexpr double kUsed = 0.02;   // share of |relevance| above which a feature counts as used

double curvature_of(std::span<const double> x, std::span<const double> y) {
  return fit_parabola(x, y).curvature;
}
double turn_of(std::span<const double> x, std::span<const double> y) {
  return fit_parabola(x, y).turn();
}

WineNumber number(const std::string& what, const Statistic& statistic, const WineHalf& wines) {
  return {fmt::format("{}, {}", what, wines.name), bootstrap(statistic, wines.x, wines.y, kSeed)};
}

/// True for a parabola that opens downwards with its maximum in the middle 90 % of the values.
bool is_best_in_the_middle(const WineNumber& curvature, const WineNumber& turn,
                           const WineHalf& wines) {
  return curvature.interval.is_below(0.0) && turn.interval.is_above(percentile(wines.x, 5)) &&
         turn.interval.is_below(percentile(wines.x, 95));
}

/// The verdicts of a statement with two parts.
std::string parts_of(const std::string& first, bool first_holds, const std::string& second,
                     bool second_holds) {
  const auto answer = [](bool holds) { return holds ? "yes" : "no"; };
  return fmt::format("{}: {}; {}: {}", first, answer(first_holds), second, answer(second_holds));
}

/// The indices of the wines for which `holds` is true.
template <class Holds>
WineHalf wines_where(const WineStudy& study, const WineModel& model, const std::string& feature,
                     const std::string& name, const Holds& holds) {
  const std::size_t place = feature_index(study, feature);
  const std::vector<double> x = study.values(place), y = column(model.normalized(), place);
  const std::vector<double> sugar = study.values(feature_index(study, "residual sugar"));
  WineHalf part{name, {}, {}};
  for (std::size_t n = 0; n < x.size(); ++n) {
    if (sugar[n] > study.settings.most_sugar || !holds(n)) continue;
    part.x.push_back(x[n]);
    part.y.push_back(y[n]);
  }
  return part;
}

WineStatement moderate_sugar(const WineStudy& study, const WineModel& model) {
  const WineHalf all =
      wines_where(study, model, "residual sugar", "all wines", [](std::size_t) { return true; });
  const WineNumber curvature = number("curvature of sugar's relevance", curvature_of, all);
  const WineNumber turn = number("best sugar, g/l", turn_of, all);
  return {
      "High gamma: wines with moderate residual sugar taste better, deviations are less "
      "favorable",
      "curvature below 0, and the parabola turns among the middle 90 % of the wines",
      {curvature, turn},
      is_best_in_the_middle(curvature, turn, all)};
}

WineStatement sugar_by_chlorides(const WineStudy& study, const WineModel& model) {
  const WineInteraction wines = split_by(study, model, "residual sugar", "chlorides");
  const WineNumber curvature = number("curvature of sugar's relevance", curvature_of, wines.low);
  const WineNumber turn = number("best sugar, g/l", turn_of, wines.low);
  const WineNumber slope = number("slope of sugar's relevance", fit_slope, wines.high);
  const bool low_holds = is_best_in_the_middle(curvature, turn, wines.low);
  const bool high_holds = slope.interval.is_below(0.0);
  return {
      "Low chlorides: intermediate sugar is best; high chlorides: more sugar lowers quality",
      "low: as above; high: slope below 0",
      {curvature, turn, slope, number("curvature of sugar's relevance", curvature_of, wines.high)},
      low_holds && high_holds,
      parts_of("low chlorides", low_holds, "high chlorides", high_holds)};
}

WineStatement acidity_by_sugar(const WineStudy& study, const WineModel& model) {
  const WineInteraction wines = split_by(study, model, "pH", "residual sugar");
  const WineNumber sweet = number("slope of pH's relevance", fit_slope, wines.high);
  const WineNumber dry = number("slope of pH's relevance", fit_slope, wines.low);
  const bool sweet_holds = sweet.interval.is_below(0.0), dry_holds = dry.interval.is_above(0.0);
  return {"Acidity (low pH) benefits sweet wines and is detrimental in wines with low sugar",
          "slope over pH below 0 in sweet wines and above 0 in dry ones",
          {sweet, dry},
          sweet_holds && dry_holds,
          parts_of("sweet", sweet_holds, "dry", dry_holds)};
}

}  // namespace

std::size_t feature_index(const WineStudy& study, const std::string& name) {
  const auto found = std::ranges::find(study.features, name);
  if (found == study.features.end())
    throw InvalidInput(fmt::format("the wines have no column \"{}\"", name));
  return static_cast<std::size_t>(found - study.features.begin());
}

WineInteraction split_by(const WineStudy& study, const WineModel& model, const std::string& feature,
                         const std::string& by) {
  const std::vector<double> splitting = study.values(feature_index(study, by));
  const auto given = study.settings.cuts.find(by);
  const double cut = given == study.settings.cuts.end() ? percentile(splitting, 50) : given->second;
  return {wines_where(study, model, feature, "low " + by,
                      [&](std::size_t n) { return splitting[n] <= cut; }),
          wines_where(study, model, feature, "high " + by,
                      [&](std::size_t n) { return splitting[n] > cut; })};
}

std::vector<WineCorrelation> wine_correlations(const WineStudy& study) {
  const Matrix normalized = study.smooth.normalized();
  std::vector<WineCorrelation> correlations;
  for (std::size_t f = 0; f < study.features.size(); ++f) {
    const std::vector<double> x = study.values(f), parts = column(normalized, f);
    double share = 0.0;
    for (const double part : parts) share += std::abs(part) / static_cast<double>(parts.size());
    correlations.push_back({study.features[f],
                            bootstrap(correlation, x, column(study.smooth.relevance, f), kSeed),
                            bootstrap(correlation, x, parts, kSeed), share});
  }
  return correlations;
}

WineStatement smooth_statement(const std::vector<WineCorrelation>& correlations) {
  std::size_t used = 0, linear = 0;
  double linear_share = 0.0;
  std::vector<double> sizes;
  for (const WineCorrelation& c : correlations) {
    const bool is_linear = std::min(std::abs(c.plain.low), std::abs(c.plain.high)) > kLinear;
    if (is_linear) linear_share += c.share;
    if (c.share < kUsed) continue;
    ++used;
    linear += is_linear;
    sizes.push_back(std::abs(c.plain.value));
  }
  const Interval all{percentile(sizes, 50), *std::ranges::min_element(sizes),
                     *std::ranges::max_element(sizes)};
  return {
      "The low-gamma SVM sees essentially linear relations between features and taste",
      fmt::format("absolute correlation of value and relevance above {} with its interval, for "
                  "every feature with at least {} % of the relevance ({} of {}; linear features "
                  "carry {:.1f} % of the relevance)",
                  kLinear, 100 * kUsed, linear, used, 100 * linear_share),
      {{"absolute correlation, median of these features (least to largest)", all}},
      linear == used};
}

std::vector<WineStatement> detailed_statements(const WineStudy& study, const WineModel& model) {
  return {moderate_sugar(study, model), sugar_by_chlorides(study, model),
          acidity_by_sugar(study, model)};
}

}  // namespace bisector::paper
