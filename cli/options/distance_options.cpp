#include "cli/options/distance_options.h"

#include <CLI/CLI.hpp>

#include "cli/options/option_values.h"
#include "cli/verb.h"

namespace bisector::cli {

void require_consistent(const DistanceArguments& arguments) {
  const bool is_minkowski = arguments.metric == MetricName::minkowski;
  if (arguments.power && !is_minkowski)
    throw UsageError("--power is for --metric minkowski; add that option or leave --power out");
  if (is_minkowski && !arguments.power) throw UsageError("--metric minkowski needs --power P");
  if (arguments.power && *arguments.power < 1.0)
    throw UsageError("--power is below 1, expected a number from 1 up");
  const bool has_width =
      arguments.weights == WeightsName::exponential || arguments.weights == WeightsName::gaussian;
  if (arguments.width && !has_width)
    throw UsageError(
        "--width is for --weights exponential or gaussian; add one of them or leave --width out");
  if (has_width && !arguments.width)
    throw UsageError("--weights exponential and gaussian need --width H");
  if (arguments.outliers && *arguments.outliers >= 1.0)
    throw UsageError("--outliers is 1, expected a fraction below 1");
}

namespace {

/// The Gower distance: categories are equal or not, numbers are divided by their range.
Distance gower(const TrainingTable& table) {
  std::vector<double> categories(table.rows.cols(), 0.0);
  bool has_any = false;
  for (std::size_t d = 0; table.encoding && d < categories.size(); ++d) {
    const ColumnEncoding& column = table.encoding->columns()[table.encoding->groups()[d]];
    if (column.kind != ColumnEncoding::Kind::category) continue;
    categories[d] = 1.0;
    has_any = true;
  }
  return has_any ? Distance(1.0, std::move(categories)) : Distance::manhattan();
}

}  // namespace

Distance distance_of(const DistanceArguments& arguments, const TrainingTable& table) {
  switch (arguments.metric.value_or(MetricName::euclidean)) {
    case MetricName::manhattan:
      return Distance::manhattan();
    case MetricName::minkowski:
      return Distance(arguments.power.value());
    case MetricName::cosine:
      return Distance::cosine();
    case MetricName::hamming:
      return Distance::hamming(table.rows.cols());
    case MetricName::gower:
      return gower(table);
    case MetricName::euclidean:
      break;
  }
  return {};
}

NeighborVote vote_of(const DistanceArguments& arguments, const TrainingTable& table) {
  using Weights = NeighborVote::Weights;
  NeighborVote vote;
  vote.distance = distance_of(arguments, table);
  switch (arguments.weights.value_or(WeightsName::uniform)) {
    case WeightsName::distance:
      vote.weights = Weights::distance;
      break;
    case WeightsName::inverse_square:
      vote.weights = Weights::inverse;
      vote.decay.power = 2.0;
      break;
    case WeightsName::exponential:
      vote.weights = Weights::exponential;
      vote.decay.rate = 1.0 / arguments.width.value();
      break;
    case WeightsName::gaussian:
      vote.weights = Weights::exponential;
      vote.decay = {0.0, 2.0, 0.5 / arguments.width.value() / arguments.width.value()};
      break;
    case WeightsName::uniform:
      break;
  }
  return vote;
}

void add_distance_options(CLI::App& verb, DistanceArguments& arguments) {
  const OptionGroup group(verb, "Distances");
  add_choice<std::optional<WeightsName>>(
      verb, "--weights", arguments.weights,
      {{"uniform", WeightsName::uniform},
       {"distance", WeightsName::distance},
       {"inverse-square", WeightsName::inverse_square},
       {"exponential", WeightsName::exponential},
       {"gaussian", WeightsName::gaussian}},
      "knn, knnr: weight of a neighbor at distance d: 1, 1/d, 1/d^2, exp(-d/H) or "
      "exp(-d^2/(2H^2)) with H from --width (default: uniform)");
  add_number(verb, "--width", arguments.width, kPositive, "H",
             "Width H of --weights exponential and gaussian, in units of the distance");
  add_choice<std::optional<MetricName>>(
      verb, "--metric", arguments.metric,
      {{"euclidean", MetricName::euclidean},
       {"manhattan", MetricName::manhattan},
       {"minkowski", MetricName::minkowski},
       {"cosine", MetricName::cosine},
       {"hamming", MetricName::hamming},
       {"gower", MetricName::gower}},
      "knn, knnr, lof, knn-distance: distance after scaling (default: euclidean). hamming and "
      "gower "
      "compare columns of text as categories, which are equal or not; gower divides numbers by "
      "their range and adds up the differences");
  add_number(verb, "--power", arguments.power, kPositive, "P",
             "Power of --metric minkowski, from 1 up");
  add_number(verb, "--outliers", arguments.outliers, kFraction, "FRACTION",
             "density, lof, knn-distance: fraction of the rows that are outliers (default: 0.1)");
}

}  // namespace bisector::cli
