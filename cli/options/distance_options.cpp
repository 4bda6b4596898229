#include "cli/options/distance_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

namespace bisector::cli {
namespace {

const NumberRange kDegree = {1.0, 100.0, "a whole number from 1 to 100", true};
const NumberRange kPower = {1.0, std::numeric_limits<double>::max(), "a number from 1 up"};

/// A kernel without its parameters, and their defaults.
struct NamedKernel {
  WordWithNumbers word;
  KernelChoice kernel;
};

const std::vector<NamedKernel>& kernels() {
  using enum KernelForm;
  static const std::vector<NamedKernel> table = {
      {{"gaussian"}, {}},
      {{"laplacian"}, {exponential, 1.0, 0.0, Distance::manhattan()}},
      {{"matern12"}, {matern12}},
      {{"matern32"}, {matern32}},
      {{"matern52"}, {matern52}},
      {{"rational-quadratic", {{"shape", kPositive, 1.0}}}, {power}},
      {{"inverse-multiquadric"}, {power, 0.5}},
      {{"cauchy"}, {power, 1.0}},
      {{"linear"}, {polynomial}},
      {{"poly", {{"degree", kDegree, 3.0}, {"offset", kAnyNumber, 1.0}}}, {polynomial}},
      {{"sigmoid", {{"offset", kAnyNumber, 0.0}}}, {sigmoid}}};
  return table;
}

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

bool has_categories(const DistanceArguments& arguments) {
  return arguments.metric &&
         (arguments.metric->word == "hamming" || arguments.metric->word == "gower");
}

KernelChoice kernel_of(const DistanceArguments& arguments) {
  if (!arguments.kernel) return {};
  const auto named = std::ranges::find(kernels(), arguments.kernel->word,
                                       [](const NamedKernel& k) { return k.word.word; });
  KernelChoice kernel = named->kernel;
  for (const auto& [name, value] : arguments.kernel->numbers)
    (name == "offset" ? kernel.offset : kernel.shape) = value;
  return kernel;
}

Distance distance_of(const DistanceArguments& arguments, const TrainingTable& table) {
  const std::string metric = arguments.metric ? arguments.metric->word : "euclidean";
  if (metric == "manhattan") return Distance::manhattan();
  if (metric == "minkowski") return Distance(arguments.metric->numbers.at("power"));
  if (metric == "cosine") return Distance::cosine();
  if (metric == "hamming") return Distance::hamming(table.rows.cols());
  if (metric == "gower") return gower(table);
  return {};
}

NeighborVote vote_of(const DistanceArguments& arguments, const TrainingTable& table) {
  using Weights = NeighborVote::Weights;
  NeighborVote vote;
  vote.distance = distance_of(arguments, table);
  const std::string weights = arguments.weights ? arguments.weights->word : "uniform";
  if (weights == "uniform") return vote;
  if (weights == "distance") {
    vote.weights = Weights::distance;
  } else if (weights == "inverse-square") {
    vote.weights = Weights::inverse;
    vote.decay.power = 2.0;
  } else {
    const double width = arguments.weights->numbers.at("width");
    vote.weights = Weights::exponential;
    if (weights == "exponential")
      vote.decay.rate = 1.0 / width;
    else
      vote.decay = {0.0, 2.0, 0.5 / width / width};
  }
  return vote;
}

void add_distance_options(CLI::App& verb, DistanceArguments& arguments) {
  const OptionGroup group(verb, "Kernels and distances");
  std::vector<WordWithNumbers> names;
  for (const NamedKernel& named : kernels()) names.push_back(named.word);
  add_words(verb, "--kernel", arguments.kernel, names,
            "svm, svr, oneclass, krr, density (default: gaussian). With t = gamma |x - u|: "
            "exp(-gamma |x - u|^2), exp(-gamma |x - u|_1), exp(-t), (1 + t) exp(-t), "
            "(1 + t + t^2/3) exp(-t), (1 + gamma |x - u|^2)^-S with :shape=S, 1/2 and 1, "
            "x.u, (gamma x.u + B)^N with :degree=N,offset=B, tanh(gamma x.u + B)");
  add_words(verb, "--metric", arguments.metric,
            {{"euclidean"},
             {"manhattan"},
             {"minkowski", {{"power", kPower, std::nullopt}}},
             {"cosine"},
             {"hamming"},
             {"gower"}},
            "knn, knnr, lof, knn-distance (default: euclidean); minkowski:power=3; hamming and "
            "gower compare text as categories, gower also numbers divided by their range");
  const std::vector<NumberParameter> width = {{"width", kPositive, std::nullopt}};
  add_words(
      verb, "--weights", arguments.weights,
      {{"uniform"}, {"distance"}, {"inverse-square"}, {"exponential", width}, {"gaussian", width}},
      "knn, knnr: weight of a neighbor: 1 (default), 1/d, 1/d^2, or with :width=H exp(-d/H) "
      "and exp(-d^2/(2H^2))");
}

}  // namespace bisector::cli
