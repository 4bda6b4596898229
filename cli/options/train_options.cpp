#include "cli/options/train_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "bisector/text.h"
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

const std::vector<std::pair<std::string, ColumnType::Kind>> kColumnTypes = {
    {"numeric", ColumnType::Kind::numeric},
    {"one-hot", ColumnType::Kind::one_hot},
    {"category", ColumnType::Kind::category},
    {"day-first", ColumnType::Kind::day_first},
    {"month-first", ColumnType::Kind::month_first}};

/// An option, whether it was given, and the models that it applies to.
struct OptionUse {
  const char* name;
  std::size_t values;  // how many were given
  std::vector<ModelKind> kinds;
};

void require_use(const OptionUse& option, ModelKind kind) {
  if (option.values == 0 || std::ranges::find(option.kinds, kind) != option.kinds.end()) return;
  std::vector<std::string> words;
  for (const auto& [word, model] : kModels) {
    if (std::ranges::find(option.kinds, model) != option.kinds.end()) words.push_back(word);
  }
  throw UsageError(fmt::format("{} applies to --model {}, not to --model {}", option.name,
                               fmt::join(words, " or "), model_word(kind)));
}

/// Parameters, of which --tune tries several values.
std::vector<OptionUse> parameter_options(const TrainArguments& a) {
  using enum ModelKind;
  return {{"--gamma", a.gamma.size(), {svm, svr, one_class, ridge, density}},
          {"--cost", a.cost.size(), {svm, svr}},
          {"--lambda", a.lambda.size(), {ridge}},
          {"--k",
           a.k.size(),
           {neighbors, neighbor_regressor, local_outlier_factor, neighbor_distance}}};
}

std::vector<OptionUse> other_options(const TrainArguments& a) {
  using enum ModelKind;
  const std::vector<ModelKind> tunable = {svm, svr, neighbors, neighbor_regressor, ridge};
  return {{"--epsilon", a.epsilon.has_value(), {svr}},
          {"--class-weight", a.weight.has_value(), {svm}},
          {"--positive", a.positive.has_value(), {svm, neighbors}},
          {"--above", a.above.has_value(), {svm, neighbors}},
          {"--weights", a.distance.weights.has_value(), {neighbors, neighbor_regressor}},
          {"--metric",
           a.distance.metric.has_value(),
           {neighbors, neighbor_regressor, local_outlier_factor, neighbor_distance}},
          {"--kernel", a.distance.kernel.has_value(), {svm, svr, one_class, ridge, density}},
          {"--outliers",
           a.outliers.has_value(),
           {one_class, density, local_outlier_factor, neighbor_distance}},
          {"--folds", a.folds.has_value(), tunable},
          {"--tune-for", a.tune_for.has_value(), tunable},
          {"--tune", a.tune, tunable}};
}

void require_uses(const TrainArguments& a) {
  for (const auto& options : {parameter_options(a), other_options(a)}) {
    for (const OptionUse& option : options) require_use(option, a.kind);
  }
  if (a.tune) return;
  if (a.tune_for) throw UsageError("--tune-for needs --tune");
  if (a.folds) throw UsageError("--folds needs --tune");
  for (const OptionUse& option : parameter_options(a)) {
    if (option.values > 1)
      throw UsageError(
          fmt::format("{0} has {1} values; add --tune to choose among them, or give one",
                      option.name, option.values));
  }
}

/// Some distances and kernels have their own scale.
void require_scales(const TrainArguments& a) {
  if (a.scaling && has_categories(a.distance))
    throw UsageError(
        "--scale has no effect with --metric gower or hamming: gower divides numbers by their "
        "range, and hamming only compares levels");
  if (!a.gamma.empty() && !kernel_of(a.distance).has_gamma())
    throw UsageError("--kernel linear has no gamma; use --cost instead");
  if (a.kind == ModelKind::density && !kernel_of(a.distance).with_gamma(1.0).is_of_distance())
    throw UsageError(
        "--model density needs a kernel of a distance, such as --kernel gaussian or --kernel "
        "matern52");
}

/// "COL=numeric", "COL=low<med<high".
ColumnType parse_type(const std::string& text) {
  const std::size_t equals = std::min(text.rfind('='), text.size());
  const std::string column = text.substr(0, equals);
  const std::string type = text.substr(std::min(equals + 1, text.size()));
  const bool is_ordinal = type.find('<') != std::string::npos;
  const auto known =
      std::ranges::find(kColumnTypes, type, &std::pair<std::string, ColumnType::Kind>::first);
  if (column.empty() || (!is_ordinal && known == kColumnTypes.end()))
    throw UsageError(
        fmt::format("--type is \"{}\", expected COL=numeric, one-hot, category, day-first, "
                    "month-first or a<b<c",
                    text));
  if (!is_ordinal) return {column, known->second, {}};
  ColumnType result{column, ColumnType::Kind::ordinal, {}};
  for (const std::string& level : CLI::detail::split(type, '<'))
    result.levels.emplace_back(trimmed_cell(level));
  return result;
}

void add_model_options(CLI::App& verb, TrainArguments& arguments) {
  const OptionGroup group(verb, "The model");
  add_choice<ModelKind>(
      verb, "--model", arguments.kind, kModels,
      "svm and knn predict classes, svr, krr (kernel ridge) and knnr numbers; the others detect "
      "outliers (default: svm for classes; krr for numbers, svr above 20,000 rows)");
  add_output(verb, "-o,--output", arguments.output, "FILE",
             "The model file, an .npz (default: data.model.npz for data.csv)");
  add_text(verb, "--positive", arguments.positive, "VALUE",
           "Predict two classes: rows with this target, and all others");
  add_text(verb, "--above", arguments.above, "LEVEL",
           "Predict two classes: targets above LEVEL (a number, median, or a percentile such as "
           "p90), and all others");
  add_numbers(verb, "--gamma", arguments.gamma, kPositive, "G",
              "Width of the kernel exp(-gamma |x - u|^2) (default: 1)");
  add_numbers(verb, "--cost", arguments.cost, kPositive, "C",
              "svm, svr: cost of errors (default: 1; svr: the target's standard deviation)");
  add_numbers(verb, "--lambda", arguments.lambda, kPositive, "L",
              "krr: regularization (default: 1)");
  add_numbers(verb, "--k", arguments.k, whole_from(1), "K",
              "Neighbors of knn, knnr, lof and knn-distance (default: 9)");
  add_number(verb, "--epsilon", arguments.epsilon, kNotNegative, "E",
             "svr: errors up to E cost nothing (default: a tenth of the target's standard "
             "deviation)");
  add_number(verb, "--outliers", arguments.outliers, kInsideFraction, "F",
             "Fraction of the rows that are outliers (default: 0.1)");
  add_choice<std::optional<ClassWeight>>(
      verb, "--class-weight", arguments.weight,
      {{"balanced", ClassWeight::balanced}, {"none", ClassWeight::none}},
      "svm: classes of equal weight (default), or rows");
  verb.add_flag("--without-background", arguments.without_background,
                "Store no other rows than the model's points");
  verb.add_flag("--force", arguments.force,
                "Replace a file that -o does not name (data.model.npz)");
  verb.add_flag("--json", arguments.json, "Write the summary as JSON");
}

void add_tuning_options(CLI::App& verb, TrainArguments& arguments) {
  const OptionGroup group(verb, "Tuning");
  verb.add_flag("--tune", arguments.tune,
                "Choose parameters by cross-validation; the defaults stay unless others are "
                "significantly better. --gamma, --cost, --lambda and --k give the values to try, "
                "such as --k 3,5,9");
  add_choice<std::optional<TuneScore>>(
      verb, "--tune-for", arguments.tune_for,
      {{"accuracy", TuneScore::accuracy},
       {"balanced", TuneScore::balanced_accuracy},
       {"auc", TuneScore::auc},
       {"r2", TuneScore::r_squared},
       {"mae", TuneScore::mean_absolute_error}},
      "The score to maximize (default: balanced accuracy for svm, accuracy for knn, the mean "
      "absolute error for numbers)");
  add_count(verb, "--folds", arguments.folds, 2, "N",
            "Number of folds (default: 5, three times below 1,000 rows)");
}

void add_row_options(CLI::App& verb, TrainArguments& arguments) {
  const OptionGroup group(verb, "Rows");
  add_number(verb, "--holdout", arguments.holdout, kInsideFraction, "F",
             "Keep this fraction of the rows to score the model on");
  add_count(verb, "--sample", arguments.sample, 1, "N",
            "Train on N rows, with the same fraction of each class");
  add_count(verb, "--seed", arguments.seed, 0, "N",
            "Seed of the random choice of rows and folds (default: 0)");
}

void add_column_options(CLI::App& verb, TrainArguments& arguments) {
  const OptionGroup group(verb, kTableGroup);
  using enum Scaling;
  add_choice<std::optional<Scaling>>(
      verb, "--scale", arguments.scaling,
      {{"standard+median", standard_median},
       {"standard", standard},
       {"median", median},
       {"range", range},
       {"none", none}},
      "standard: mean 0 and deviation 1; median: median distance 1; range: from 0 to 1 (default: "
      "standard+median; median for columns that look like pixels)");
  verb.add_option_function<std::vector<std::string>>(
          "--type",
          [&arguments](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) arguments.types.push_back(parse_type(text));
          },
          "numeric, one-hot (a feature for each level), category (for --metric gower or hamming), "
          "a<b<c (ordered levels), day-first or month-first (dates such as 01/02/2019); repeatable "
          "(default: detected)")
      ->option_text("COL=TYPE")
      ->allow_extra_args(false);
  add_choice<MissingPolicy>(
      verb, "--missing", arguments.missing,
      {{"auto", MissingPolicy::automatic},
       {"median", MissingPolicy::median},
       {"skip", MissingPolicy::skip},
       {"error", MissingPolicy::error}},
      "At a missing value (empty, ?, NA, n/a, null, nan): impute the column's median or most "
      "frequent level (default if there are some), leave the row out, or stop");
}

}  // namespace

std::string model_word(ModelKind kind) {
  return std::ranges::find(kModels, kind, &std::pair<std::string, ModelKind>::second)->first;
}

void require_consistent(const TrainArguments& a) {
  if (has_no_target(a.kind) && !a.input.target.empty())
    throw UsageError(fmt::format("--model {} has no target; use --drop {} to leave that column out",
                                 model_word(a.kind), a.input.target));
  require_uses(a);
  require_scales(a);
  const auto is_category = [](const ColumnType& t) { return t.kind == ColumnType::Kind::category; };
  if (std::ranges::any_of(a.types, is_category) && !has_categories(a.distance))
    throw UsageError("--type COL=category needs --metric gower or --metric hamming");
  if (a.positive && a.above) throw UsageError("--positive and --above exclude each other");
  if (a.output.extension() != ".npz")
    throw UsageError(
        fmt::format("the model file is {}, expected a name that ends in .npz", a.output.string()));
}

void add_train_options(CLI::App& verb, TrainArguments& arguments) {
  add_model_options(verb, arguments);
  add_distance_options(verb, arguments.distance);
  add_tuning_options(verb, arguments);
  add_row_options(verb, arguments);
  FitLimits& limits = arguments.limits;
  add_table_options(verb, arguments.input, "the label of a LIBSVM file, the array y",
                    {{"rows", [&limits](std::uint64_t most) { limits.rows = most; }},
                     {"classes", [&limits](std::uint64_t most) { limits.classes = most; }}});
  add_column_options(verb, arguments);
  add_threads_option(verb, arguments.threads);
}

}  // namespace bisector::cli
