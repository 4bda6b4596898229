#include "wine_statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bisector/error.h"
#include "bisector/targets.h"

namespace bisector::paper {
namespace {

constexpr std::uint64_t kSeed = 0;
constexpr double kLinear = 0.9;  // |correlation| from which we call a relation essentially linear

double curvature_of(std::span<const double> x, std::span<const double> y) {
  return fit_parabola(x, y).curvature;
}
double turn_of(std::span<const double> x, std::span<const double> y) {
  return fit_parabola(x, y).turn();
}

WineNumber number(const std::string& what, const Statistic& statistic, const WineHalf& wines) {
  return {fmt::format("{}, {}", what, wines.name), bootstrap(statistic, wines.x, wines.y, kSeed)};
}

/// A parabola that opens downwards and turns among the middle 90 % of the values.
bool is_best_in_the_middle(const WineNumber& curvature, const WineNumber& turn,
                           const WineHalf& wines) {
  return curvature.interval.is_below(0.0) && turn.interval.is_above(percentile(wines.x, 5)) &&
         turn.interval.is_below(percentile(wines.x, 95));
}

WineStatement straight_lines(const std::vector<WineCorrelation>& correlations) {
  std::size_t linear = 0;
  std::vector<double> sizes;
  for (const WineCorrelation& c : correlations) {
    sizes.push_back(std::abs(c.plain.value));
    linear += std::min(std::abs(c.plain.low), std::abs(c.plain.high)) > kLinear;
  }
  const Interval all{percentile(sizes, 50), *std::ranges::min_element(sizes),
                     *std::ranges::max_element(sizes)};
  return {"The low-gamma SVM sees essentially linear relations between features and taste",
          fmt::format("|correlation| of value and relevance above {} with its interval, for every "
                      "feature ({} of {})",
                      kLinear, linear, correlations.size()),
          {{"|correlation|, median of the features (least, largest)", all}},
          linear == correlations.size()};
}

WineStatement moderate_sugar(const WineStudy& study) {
  const std::size_t sugar = feature_index(study, "residual sugar");
  const WineHalf all{"all wines", study.values(sugar), column(study.detailed.normalised(), sugar)};
  const WineNumber curvature = number("curvature of sugar's relevance", curvature_of, all);
  const WineNumber turn = number("best sugar, g/l", turn_of, all);
  return {
      "High gamma: wines with moderate residual sugar taste better, deviations are less "
      "favourable",
      "curvature below 0, and the parabola turns among the middle 90 % of the wines",
      {curvature, turn},
      is_best_in_the_middle(curvature, turn, all)};
}

WineStatement sugar_by_chlorides(const WineStudy& study) {
  const WineInteraction wines = split_by(study, "residual sugar", "chlorides");
  const WineNumber curvature = number("curvature of sugar's relevance", curvature_of, wines.low);
  const WineNumber turn = number("best sugar, g/l", turn_of, wines.low);
  const WineNumber slope = number("slope of sugar's relevance", fit_slope, wines.high);
  return {
      "Low chlorides: intermediate sugar is best; high chlorides: more sugar lowers quality",
      "low: as above; high: slope below 0",
      {curvature, turn, slope, number("curvature of sugar's relevance", curvature_of, wines.high)},
      is_best_in_the_middle(curvature, turn, wines.low) && slope.interval.is_below(0.0)};
}

WineStatement acidity_by_sugar(const WineStudy& study) {
  const WineInteraction wines = split_by(study, "pH", "residual sugar");
  const WineNumber sweet = number("slope of pH's relevance", fit_slope, wines.high);
  const WineNumber dry = number("slope of pH's relevance", fit_slope, wines.low);
  return {"Acidity (low pH) benefits sweet wines and is detrimental in wines with low sugar",
          "slope over pH below 0 in sweet wines and above 0 in dry ones",
          {sweet, dry},
          sweet.interval.is_below(0.0) && dry.interval.is_above(0.0)};
}

}  // namespace

std::size_t feature_index(const WineStudy& study, const std::string& name) {
  const auto found = std::ranges::find(study.features, name);
  if (found == study.features.end())
    throw InvalidInput(fmt::format("the wines have no column \"{}\"", name));
  return static_cast<std::size_t>(found - study.features.begin());
}

WineInteraction split_by(const WineStudy& study, const std::string& feature,
                         const std::string& by) {
  const std::vector<double> x = study.values(feature_index(study, feature));
  const std::vector<double> y = column(study.detailed.normalised(), feature_index(study, feature));
  const std::vector<double> splitting = study.values(feature_index(study, by));
  const double median = percentile(splitting, 50);
  WineInteraction halves{{"low " + by, {}, {}}, {"high " + by, {}, {}}};
  for (std::size_t n = 0; n < x.size(); ++n) {
    WineHalf& half = splitting[n] > median ? halves.high : halves.low;
    half.x.push_back(x[n]);
    half.y.push_back(y[n]);
  }
  return halves;
}

std::vector<WineCorrelation> wine_correlations(const WineStudy& study) {
  const Matrix normalised = study.smooth.normalised();
  std::vector<WineCorrelation> correlations;
  for (std::size_t f = 0; f < study.features.size(); ++f) {
    const std::vector<double> x = study.values(f);
    correlations.push_back({study.features[f],
                            bootstrap(correlation, x, column(study.smooth.relevance, f), kSeed),
                            bootstrap(correlation, x, column(normalised, f), kSeed)});
  }
  return correlations;
}

std::vector<WineStatement> wine_statements(const WineStudy& study,
                                           const std::vector<WineCorrelation>& correlations) {
  return {straight_lines(correlations), moderate_sugar(study), sugar_by_chlorides(study),
          acidity_by_sugar(study)};
}

}  // namespace bisector::paper
