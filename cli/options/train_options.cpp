#include "cli/options/train_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "cli/options/option_values.h"
#include "cli/options/rule_options.h"
#include "cli/verb.h"

namespace bisector::cli {
namespace {

const std::vector<std::pair<std::string, ModelKind>> kModels = {
    {"auto", ModelKind::automatic},
    {"svm", ModelKind::svm},
    {"svr", ModelKind::svr},
    {"oneclass", ModelKind::one_class},
    {"knn", ModelKind::neighbors},
    {"krr", ModelKind::ridge},
    {"knnr", ModelKind::neighbor_regressor},
    {"density", ModelKind::density},
    {"lof", ModelKind::local_outlier_factor},
    {"knn-distance", ModelKind::neighbor_distance}};

/// An option, whether it was given, and the models that it applies to.
struct OptionUse {
  const char* name;
  bool given;
  std::vector<ModelKind> kinds;
};

void require_use(const OptionUse& option, ModelKind kind) {
  if (!option.given || std::ranges::find(option.kinds, kind) != option.kinds.end()) return;
  std::vector<std::string> words;
  for (const auto& [word, model] : kModels) {
    if (std::ranges::find(option.kinds, model) != option.kinds.end()) words.push_back(word);
  }
  throw UsageError(fmt::format("{} applies to --model {}, not to --model {}", option.name,
                               fmt::join(words, " or "), model_word(kind)));
}

/// Parameters that --tune chooses.
std::vector<OptionUse> parameter_options(const TrainArguments& a) {
  using enum ModelKind;
  return {{"--gamma", a.gamma.has_value(), {svm, svr, one_class, ridge, density}},
          {"--cost", a.cost.has_value(), {svm, svr}},
          {"--lambda", a.lambda.has_value(), {ridge}},
          {"--k",
           a.k.has_value(),
           {neighbors, neighbor_regressor, local_outlier_factor, neighbor_distance}}};
}

/// Options that need --tune.
std::vector<OptionUse> grid_options(const TrainArguments& a) {
  using enum ModelKind;
  return {{"--grid-gamma", !a.grid_gamma.empty(), {svm, svr, ridge}},
          {"--grid-cost", !a.grid_cost.empty(), {svm, svr}},
          {"--grid-lambda", !a.grid_lambda.empty(), {ridge}},
          {"--grid-k", !a.grid_k.empty(), {neighbors, neighbor_regressor}},
          {"--folds", a.folds.has_value(), {svm, svr, neighbors, neighbor_regressor, ridge}}};
}

std::vector<OptionUse> other_options(const TrainArguments& a) {
  using enum ModelKind;
  return {{"--epsilon", a.epsilon.has_value(), {svr}},
          {"--nu", a.nu.has_value(), {one_class}},
          {"--class-weight", a.weight.has_value(), {svm}},
          {"--positive", a.positive.has_value(), {svm, neighbors}},
          {"--above", a.above.has_value(), {svm, neighbors}},
          {"--weights", a.distance.weights.has_value(), {neighbors, neighbor_regressor}},
          {"--width", a.distance.width.has_value(), {neighbors, neighbor_regressor}},
          {"--metric",
           a.distance.metric.has_value(),
           {neighbors, neighbor_regressor, local_outlier_factor, neighbor_distance}},
          {"--kernel", a.kernel.name.has_value(), {svm, svr, one_class, ridge, density}},
          {"--outliers",
           a.distance.outliers.has_value(),
           {density, local_outlier_factor, neighbor_distance}},
          {"--tune-for", a.tune_for.has_value(), {svm, svr, neighbors, neighbor_regressor, ridge}},
          {"--tune", a.tune, {svm, svr, neighbors, neighbor_regressor, ridge}}};
}

void require_uses(const TrainArguments& a) {
  for (const auto& options : {parameter_options(a), grid_options(a), other_options(a)}) {
    for (const OptionUse& option : options) require_use(option, a.kind);
  }
}

void require_tuning(const TrainArguments& a) {
  for (const OptionUse& option : parameter_options(a)) {
    if (option.given && a.tune)
      throw UsageError(
          fmt::format("{0} and --tune exclude each other; use --grid-{1} for the values to try",
                      option.name, option.name + 2));
  }
  if (a.tune_for && !a.tune) throw UsageError("--tune-for needs --tune");
  for (const OptionUse& option : grid_options(a)) {
    if (option.given && !a.tune) throw UsageError(fmt::format("{} needs --tune", option.name));
  }
}

/// Some distances and kernels have their own scale.
void require_scales(const TrainArguments& a) {
  if (a.scaling && has_categories(a.distance))
    throw UsageError(
        "--scale has no effect with --metric gower or hamming: gower divides numbers by their "
        "range, and hamming only compares levels");
  if ((a.gamma || !a.grid_gamma.empty()) && a.kernel.name == "linear")
    throw UsageError("--kernel linear has no gamma; use --cost instead");
  if (a.kind == ModelKind::density && !kernel_of(a.kernel).with_gamma(1.0).is_of_distance())
    throw UsageError(
        "--model density needs a kernel of a distance, such as --kernel rbf or --kernel matern52");
}

void add_target_options(CLI::App& verb, TrainArguments& arguments) {
  const OptionGroup group(verb, "Model and target");
  add_choice<ModelKind>(
      verb, "--model", arguments.kind, kModels,
      "svm and knn predict classes; svr, krr (kernel ridge) and knnr predict numbers; oneclass, "
      "density, lof and knn-distance detect outliers (default: svm for classes, krr for numbers, "
      "or svr above 20,000 rows)");
  add_text(verb, "--target", arguments.target, "COL",
           "The column to predict, by name or number (not needed for LIBSVM files, for an NPZ file "
           "with y, and for outlier detectors)");
  add_text(verb, "--positive", arguments.positive, "VALUE",
           "Predict two classes: rows with this target, and all others");
  add_text(verb, "--above", arguments.above, "LEVEL",
           "Predict two classes of numbers: targets above the level, and all others; the level is "
           "median, a percentile such as p90, or a number");
  add_output(verb, "-o,--output", arguments.output, "MODEL.npz",
             "The model file to write (default: data.model.npz for data.csv)");
  verb.add_flag("--force", arguments.force,
                "Replace a model file that -o does not name, such as data.model.npz");
  verb.add_flag("--json", arguments.json, "Write the summary as JSON");
}

void add_parameter_options(CLI::App& verb, TrainArguments& arguments) {
  const OptionGroup group(verb, "Parameters");
  add_number(verb, "--gamma", arguments.gamma, kPositive, "G",
             "Width of the kernel, such as exp(-gamma |x - u|^2), after scaling (default: 1)");
  add_number(verb, "--cost", arguments.cost, kPositive, "C",
             "svm, svr: cost of errors (default: 1; svr: the standard deviation of the target)");
  add_number(verb, "--lambda", arguments.lambda, kPositive, "L",
             "krr: regularization (default: 1)");
  add_count(
      verb, "--k", arguments.k, 1, "K",
      "knn, knnr, lof, knn-distance: number of neighbors (default: 9, or fewer for few rows)");
  add_number(
      verb, "--epsilon", arguments.epsilon, kNotNegative, "E",
      "svr: errors up to this size cost nothing, in the unit of the target (default: a tenth of "
      "its standard deviation)");
  add_number(verb, "--nu", arguments.nu, kInsideFraction, "NU",
             "oneclass: at most this fraction of the rows is outside (default: 0.1)");
  add_choice<std::optional<ClassWeight>>(
      verb, "--class-weight", arguments.weight,
      {{"balanced", ClassWeight::balanced}, {"none", ClassWeight::none}},
      "svm: balanced gives every class the same total weight (default: balanced)");
}

void add_tuning_options(CLI::App& verb, TrainArguments& arguments) {
  const OptionGroup group(verb, "Tuning");
  verb.add_flag(
      "--tune", arguments.tune,
      "Choose the parameters by cross-validation over a grid: gamma and cost (svm, svr), gamma "
      "and lambda (krr), k (knn, knnr); the default parameters stay unless others are "
      "significantly better; of equal scores the smoothest model wins");
  add_choice<std::optional<TuneScore>>(
      verb, "--tune-for", arguments.tune_for,
      {{"accuracy", TuneScore::accuracy},
       {"balanced", TuneScore::balanced_accuracy},
       {"auc", TuneScore::auc},
       {"r2", TuneScore::r_squared},
       {"mae", TuneScore::mean_absolute_error}},
      "The score to maximize (default: balanced accuracy for svm with balanced classes, accuracy "
      "for other classifiers, the mean absolute error for numbers)");
  add_numbers(verb, "--grid-gamma", arguments.grid_gamma, kPositive, "A,B,...",
              "Values of gamma to try (default: 0.01 to 100, two per decade)");
  add_numbers(
      verb, "--grid-cost", arguments.grid_cost, kPositive, "A,B,...",
      "Values of cost to try (default: 1e-4,1e-2,1,1e2,1e4; svr: times the standard deviation of "
      "the target)");
  add_numbers(verb, "--grid-lambda", arguments.grid_lambda, kPositive, "A,B,...",
              "Values of lambda to try (default: 1e-6,1e-4,1e-2,1)");
  add_counts(verb, "--grid-k", arguments.grid_k, 1, "A,B,...",
             "Values of k to try (default: the odd numbers from 3 to 27)");
  add_count(verb, "--folds", arguments.folds, 2, "N",
            "Number of folds (default: 5); below 1,000 rows they are drawn three times");
}

void add_table_options(CLI::App& verb, TrainArguments& arguments) {
  const OptionGroup group(verb, "Columns and features");
  using enum Scaling;
  add_choice<std::optional<Scaling>>(
      verb, "--scale", arguments.scaling,
      {{"standard+median", standard_median},
       {"standard", standard},
       {"median", median},
       {"range", range},
       {"none", none}},
      "standard: mean 0 and standard deviation 1; median: the median distance between rows becomes "
      "1; range: from 0 to 1 (default: standard+median; median for columns that look like pixels)");
  add_list(verb, "--ordinal", arguments.ordinal, "COL=a<b<c",
           "A column of ordered levels, which become 0, 1, 2; may be given several times");
  add_list(verb, "--one-hot", arguments.one_hot, "COL",
           "A column of unordered levels: one feature for each; may be given several times");
  add_list(
      verb, "--category", arguments.category, "COL",
      "--metric gower and hamming: a column of unordered levels, even if they are numbers; may "
      "be given several times");
  add_choice<bool>(verb, "--categorical", arguments.categorical, {{"auto", true}, {"none", false}},
                   "auto: text becomes levels with one feature each, and identifiers and free text "
                   "are left out, with a note (default); none: every column without an option of "
                   "its own must be numeric");
  add_list(verb, "--numeric", arguments.numeric, "COL",
           "A numeric column, even if it looks like an identifier; may be given several times");
  add_choice<DateOrder>(
      verb, "--dates", arguments.dates,
      {{"day-first", DateOrder::day_first}, {"month-first", DateOrder::month_first}},
      "How dates such as 01/02/2019 are read, if no day of the column is above 12");
  add_choice<MissingPolicy>(
      verb, "--missing", arguments.missing,
      {{"auto", MissingPolicy::automatic},
       {"median", MissingPolicy::median},
       {"skip", MissingPolicy::skip},
       {"error", MissingPolicy::error}},
      "Missing values (empty cells, ?, NA, n/a, null and nan): median imputes the column's median "
      "or most frequent level, also in rows to predict; skip leaves the row out; error stops; auto "
      "is median if the table has missing values (default: auto)");
}

void add_row_options(CLI::App& verb, TrainArguments& arguments) {
  const OptionGroup group(verb, "Rows");
  add_number(
      verb, "--holdout", arguments.holdout, kInsideFraction, "FRACTION",
      "Hold out this fraction of the rows, with the same fraction of each class: the model is "
      "trained on the others and scored on these");
  add_count(verb, "--sample", arguments.sample, 1, "N",
            "Train on N rows, with the same fraction of each class");
  verb.add_flag("--without-background", arguments.without_background,
                "Store no background rows in the model file: no references from the data, at most "
                "1,000 of its rows. Explanations then refer to the model's own points");
}

void add_run_options(CLI::App& verb, TrainArguments& arguments) {
  const OptionGroup group(verb, kSpeedGroup);
  add_count(verb, "--seed", arguments.seed, 0, "N",
            "Seed of the random choice of rows and folds (default: 0)");
  add_threads_option(verb, arguments.threads);
}

}  // namespace

std::string model_word(ModelKind kind) {
  return std::ranges::find(kModels, kind, &std::pair<std::string, ModelKind>::second)->first;
}

void require_consistent(const TrainArguments& a) {
  if (has_no_target(a.kind) && !a.target.empty())
    throw UsageError(fmt::format("--model {} has no target; use --drop {} to leave that column out",
                                 model_word(a.kind), a.target));
  require_uses(a);
  require_consistent(a.distance);
  require_consistent(a.kernel);
  require_scales(a);
  if (!a.category.empty() && !has_categories(a.distance))
    throw UsageError("--category needs --metric gower or --metric hamming");
  require_tuning(a);
  if (a.positive && a.above) throw UsageError("--positive and --above exclude each other");
  if (a.output.extension() != ".npz")
    throw UsageError(
        fmt::format("the model file is {}, expected a name that ends in .npz", a.output.string()));
}

void add_train_options(CLI::App& verb, TrainArguments& arguments) {
  add_target_options(verb, arguments);
  add_parameter_options(verb, arguments);
  add_distance_options(verb, arguments.distance);
  add_kernel_options(verb, arguments.kernel);
  add_tuning_options(verb, arguments);
  add_row_options(verb, arguments);
  add_table_options(verb, arguments);
  FitLimits& limits = arguments.limits;
  add_data_options(verb, arguments.input,
                   {{"rows", [&limits](std::uint64_t most) { limits.rows = most; }},
                    {"classes", [&limits](std::uint64_t most) { limits.classes = most; }}});
  add_run_options(verb, arguments);
}

}  // namespace bisector::cli
