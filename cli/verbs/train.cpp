#include "cli/verbs/train.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <utility>

#include "bisector/io/model_file.h"
#include "bisector/predict.h"
#include "bisector/train/sample.h"
#include "cli/options/help.h"
#include "cli/options/option_values.h"
#include "cli/options/rule_options.h"
#include "cli/options/train_input.h"
#include "cli/verbs.h"
#include "cli/writers/fit_notes.h"
#include "cli/writers/train_summary.h"
#include "tools/output_file.h"
#include "tools/progress.h"

namespace bisector::cli {
namespace {

const std::vector<std::pair<std::string, ModelKind>> kModels = {
    {"svm", ModelKind::svm},
    {"svr", ModelKind::svr},
    {"oneclass", ModelKind::one_class},
    {"knn", ModelKind::neighbors},
    {"krr", ModelKind::ridge},
    {"knnr", ModelKind::neighbor_regressor},
    {"density", ModelKind::density},
    {"lof", ModelKind::local_outlier_factor},
    {"knn-distance", ModelKind::neighbor_distance}};

/// An option, whether it was given, and the models that have a use for it.
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
  throw UsageError(fmt::format("{} was given, expected --model {} with it", option.name,
                               fmt::join(words, " or ")));
}

/// Some distances and kernels leave nothing to scale or to choose.
void require_scales(const TrainArguments& a) {
  if (a.scaling && has_categories(a.distance))
    throw UsageError(
        "--scale was given with --metric gower or hamming, expected none: gower divides numbers by "
        "their range, and categories are equal or not");
  if ((a.gamma || !a.grid_gamma.empty()) && a.kernel.name == KernelName::linear)
    throw UsageError("a gamma was given with --kernel linear, expected none: it would be a cost");
  if (a.kind == ModelKind::density && a.kernel.name >= KernelName::linear)
    throw UsageError(
        "--model density was given with a kernel of the dot product, expected one of a distance");
}

/// Every option that was given has an effect.
void require_consistent(const TrainArguments& a) {
  using enum ModelKind;
  const std::vector<OptionUse> parameters = {
      {"--gamma", a.gamma.has_value(), {svm, svr, one_class, ridge, density}},
      {"--cost", a.cost.has_value(), {svm, svr}},
      {"--lambda", a.lambda.has_value(), {ridge}},
      {"--k",
       a.k.has_value(),
       {neighbors, neighbor_regressor, local_outlier_factor, neighbor_distance}}};
  const std::vector<OptionUse> grids = {
      {"--grid-gamma", !a.grid_gamma.empty(), {svm, svr, ridge}},
      {"--grid-cost", !a.grid_cost.empty(), {svm, svr}},
      {"--grid-lambda", !a.grid_lambda.empty(), {ridge}},
      {"--grid-k", !a.grid_k.empty(), {neighbors, neighbor_regressor}},
      {"--folds", a.folds.has_value(), {svm, svr, neighbors, neighbor_regressor, ridge}}};
  const std::vector<OptionUse> others = {
      {"--epsilon", a.epsilon.has_value(), {svr}},
      {"--nu", a.nu.has_value(), {one_class}},
      {"--class-weight", a.weight.has_value(), {svm}},
      {"--positive", a.positive.has_value(), {svm, neighbors}},
      {"--above", a.above.has_value(), {svm, neighbors}},
      {"--target", !a.target.empty(), {svm, svr, neighbors, ridge, neighbor_regressor}},
      {"--weights", a.distance.weights.has_value(), {neighbors, neighbor_regressor}},
      {"--width", a.distance.width.has_value(), {neighbors, neighbor_regressor}},
      {"--metric",
       a.distance.metric.has_value(),
       {neighbors, neighbor_regressor, local_outlier_factor, neighbor_distance}},
      {"--kernel", a.kernel.name.has_value(), {svm, svr, one_class, ridge, density}},
      {"--outliers",
       a.distance.outliers.has_value(),
       {density, local_outlier_factor, neighbor_distance}},
      {"--tune", a.tune, {svm, svr, neighbors, neighbor_regressor, ridge}}};
  for (const auto* options : {&parameters, &grids, &others}) {
    for (const OptionUse& option : *options) require_use(option, a.kind);
  }
  require_consistent(a.distance);
  require_consistent(a.kernel);
  require_scales(a);
  if (!a.category.empty() && !has_categories(a.distance))
    throw UsageError("--category was given, expected --metric gower or hamming with it");
  for (const OptionUse& option : parameters) {
    if (option.given && a.tune)
      throw UsageError(
          fmt::format("{0} and --tune were given, expected one of them; --grid-{1} "
                      "says what to try",
                      option.name, option.name + 2));
  }
  for (const OptionUse& option : grids) {
    if (option.given && !a.tune)
      throw UsageError(fmt::format("{} was given, expected --tune with it", option.name));
  }
  if (a.positive && a.above)
    throw UsageError("--positive and --above were given, expected one of them");
  if (a.output.extension() != ".npz")
    throw UsageError(
        fmt::format("the output {} has no known extension, expected .npz", a.output.string()));
}

DetectorLearner detector_of(const TrainArguments& a, OutlierScore score, std::size_t k,
                            const TrainingTable& table) {
  return {score, k, a.distance.outliers.value_or(DetectorLearner{}.outliers),
          distance_of(a.distance, table)};
}

Learner learner_of(const TrainArguments& a, const TrainingTable& table) {
  const Matrix& rows = table.rows;
  const KernelChoice kernel = kernel_of(a.kernel);
  constexpr std::size_t kUsualNeighbors = 9;
  const std::size_t others = has_no_target(a.kind) ? rows.rows() - 1 : rows.rows();
  const std::size_t largest_odd = others % 2 == 1 || others == 0 ? others : others - 1;
  const std::size_t k = a.k.value_or(std::min(kUsualNeighbors, largest_odd));
  const double gamma = a.gamma.value_or(SvmLearner{}.gamma);
  const double cost = a.cost.value_or(SvmLearner{}.cost);
  switch (a.kind) {
    case ModelKind::svm:
      return SvmLearner{gamma, cost, a.weight.value_or(ClassWeight::balanced), {}, kernel};
    case ModelKind::svr:
      return SvrLearner{gamma, cost, a.epsilon.value_or(SvrLearner{}.epsilon), kernel};
    case ModelKind::one_class:
      return OneClassLearner{gamma, a.nu.value_or(OneClassLearner{}.nu), kernel};
    case ModelKind::neighbors:
    case ModelKind::neighbor_regressor:
      return NeighborLearner{k, vote_of(a.distance, table)};
    case ModelKind::density:
      return DensityLearner{gamma, a.distance.outliers.value_or(DensityLearner{}.outliers), kernel};
    case ModelKind::local_outlier_factor:
      return detector_of(a, OutlierScore::local_outlier_factor, k, table);
    case ModelKind::neighbor_distance:
      return detector_of(a, OutlierScore::kth_distance, k, table);
    case ModelKind::ridge:
      break;
  }
  return RidgeLearner{gamma, a.lambda.value_or(RidgeLearner{}.lambda), kernel};
}

template <class T>
void replace_if_given(std::vector<T>& values, const std::vector<T>& given) {
  if (!given.empty()) values = given;
}

TuneOptions tune_options(const TrainArguments& arguments, tools::Progress& progress) {
  TuneOptions options;
  replace_if_given(options.grid.gamma, arguments.grid_gamma);
  replace_if_given(options.grid.cost, arguments.grid_cost);
  replace_if_given(options.grid.lambda, arguments.grid_lambda);
  replace_if_given(options.grid.k, arguments.grid_k);
  options.folds = arguments.folds.value_or(options.folds);
  options.seed = arguments.seed.value_or(0);
  options.threads = thread_count(arguments.threads);
  options.progress = [&progress](double fraction) { progress.update(fraction); };
  return options;
}

/// How to scale, where nobody said: pixels of pictures by the median distance alone, which is
/// noted. Distances of categories have a scale of their own.
Scaling scaling_of(const TrainArguments& arguments, const TrainingTable& table,
                   std::ostream& notes) {
  if (has_categories(arguments.distance))
    return arguments.distance.metric == MetricName::gower ? Scaling::range : Scaling::none;
  if (arguments.scaling) return *arguments.scaling;
  if (table.encoding || !look_like_pixels(table.rows)) return Scaling::standard_median;
  notes << fmt::format(
      "note: {}: the columns look like the pixels of pictures, so they are scaled by the median "
      "distance alone (--scale standard+median scales each by itself, too)\n",
      arguments.input.data.string());
  return Scaling::median;
}

TrainOptions train_options(const TrainArguments& arguments, const TrainingTable& table,
                           tools::Progress& progress) {
  TrainOptions options;
  if (arguments.tune) options.tune = tune_options(arguments, progress);
  options.seed = arguments.seed.value_or(0);
  options.threads = thread_count(arguments.threads);
  options.feature_names = table.feature_names;
  options.encoding = table.encoding;
  options.progress = [&progress](std::size_t iterations) {
    progress.update_count(iterations, "iterations");
  };
  return options;
}

void add_target_options(CLI::App& verb, TrainArguments& arguments) {
  constexpr auto kGroup = "What to learn";
  add_choice<ModelKind>(
      verb, "--model", arguments.kind, kModels,
      "svm and knn learn classes, svr, krr (kernel ridge) and knnr numbers, oneclass, "
      "density, lof and knn-distance learn where the rows are")
      ->required()
      ->group(kGroup);
  add_text(verb, "--target", arguments.target, "COL",
           "The column to learn, by name or number (LIBSVM files and an NPZ with y need none; "
           "oneclass, density, lof and knn-distance have none)")
      ->group(kGroup);
  add_text(verb, "--positive", arguments.positive, "VALUE",
           "Learn two classes: the rows with this target, and all others")
      ->group(kGroup);
  add_text(verb, "--above", arguments.above, "LEVEL",
           "Learn two classes from numbers: targets above the level, and all others; \"median\", a "
           "percentile such as p90, or a number")
      ->group(kGroup);
  add_output(verb, "-o,--output", arguments.output, "MODEL.npz", "The model file to write")
      ->required()
      ->group(kGroup);
  verb.add_flag("--json", arguments.json, "Say what was made as JSON")->group(kGroup);
}

void add_parameter_options(CLI::App& verb, TrainArguments& arguments) {
  constexpr auto kGroup = "Parameters";
  add_number(verb, "--gamma", arguments.gamma, kPositive, "G",
             "Of the kernel, such as exp(-gamma |x - u|^2), after scaling (default: 1)")
      ->group(kGroup);
  add_number(verb, "--cost", arguments.cost, kPositive, "C",
             "svm, svr: cost of errors (default: 1)")
      ->group(kGroup);
  add_number(verb, "--lambda", arguments.lambda, kPositive, "L",
             "krr: the ridge, 1/cost (default: 1)")
      ->group(kGroup);
  add_count(
      verb, "--k", arguments.k, 1, "K",
      "knn, knnr, lof, knn-distance: neighbors (default: 9, or the largest odd number of rows)")
      ->group(kGroup);
  add_number(verb, "--epsilon", arguments.epsilon, kNotNegative, "E",
             "svr: errors up to this cost nothing, in the target's unit (default: 0.1)")
      ->group(kGroup);
  add_number(verb, "--nu", arguments.nu, kInsideFraction, "NU",
             "oneclass: at most this share of the rows is outside (default: 0.1)")
      ->group(kGroup);
  add_choice<std::optional<ClassWeight>>(
      verb, "--class-weight", arguments.weight,
      {{"balanced", ClassWeight::balanced}, {"none", ClassWeight::none}},
      "svm: balanced makes small classes weigh as much as large ones (default: balanced)")
      ->group(kGroup);
}

void add_tuning_options(CLI::App& verb, TrainArguments& arguments) {
  constexpr auto kGroup = "Tuning";
  verb.add_flag(
          "--tune", arguments.tune,
          "Choose the parameters by cross-validation over a grid: gamma and cost (svm, svr), gamma "
          "and lambda (krr), k (knn, knnr), each with the --kernel, or the --weights and "
          "--metric, that are given; of equal scores the smoothest model wins")
      ->group(kGroup);
  add_numbers(verb, "--grid-gamma", arguments.grid_gamma, kPositive, "A,B,...",
              "Values of gamma to try (default: 0.01 to 100, about three a decade)")
      ->group(kGroup);
  add_numbers(verb, "--grid-cost", arguments.grid_cost, kPositive, "A,B,...",
              "Values of cost to try (default: 1e-4,1e-2,1,1e2,1e4)")
      ->group(kGroup);
  add_numbers(verb, "--grid-lambda", arguments.grid_lambda, kPositive, "A,B,...",
              "Values of lambda to try (default: 1e-6,1e-4,1e-2,1)")
      ->group(kGroup);
  add_counts(verb, "--grid-k", arguments.grid_k, 1, "A,B,...",
             "Values of k to try (default: the odd numbers from 3 to 27)")
      ->group(kGroup);
  add_count(verb, "--folds", arguments.folds, 2, "N", "Parts of the data (default: 5)")
      ->group(kGroup);
}

void add_table_options(CLI::App& verb, TrainArguments& arguments) {
  constexpr auto kGroup = "From columns to features";
  using enum Scaling;
  add_choice<std::optional<Scaling>>(
      verb, "--scale", arguments.scaling,
      {{"standard+median", standard_median},
       {"standard", standard},
       {"median", median},
       {"range", range},
       {"none", none}},
      "standard: mean 0 and deviation 1; median: the median distance between rows "
      "becomes 1; range: from 0 to 1 (default: both, but median alone where the columns look like "
      "the "
      "pixels of pictures, which a note says)")
      ->group(kGroup);
  add_list(verb, "--ordinal", arguments.ordinal, "COL=a<b<c",
           "A column of levels with an order, which become 0, 1, 2; may be given several times")
      ->group(kGroup);
  add_list(verb, "--one-hot", arguments.one_hot, "COL",
           "A column of levels without order: one feature for each; may be given several times")
      ->group(kGroup);
  add_list(verb, "--category", arguments.category, "COL",
           "--metric gower and hamming: a column of levels without order, also where they are "
           "numbers; may be given several times")
      ->group(kGroup);
  add_choice<bool>(verb, "--categorical", arguments.categorical, {{"auto", true}, {"none", false}},
                   "auto: text, yes and no, and ARFF's nominal types become levels, one feature "
                   "for each, and columns that look like identifiers, dates or free text are left "
                   "out, with a note (default); none: all columns are numbers unless an option "
                   "says otherwise")
      ->group(kGroup);
  add_list(verb, "--numeric", arguments.numeric, "COL",
           "A column of numbers, even if it looks like an identifier; may be given several times")
      ->group(kGroup);
  add_choice<MissingPolicy>(
      verb, "--missing", arguments.missing,
      {{"error", MissingPolicy::error},
       {"drop", MissingPolicy::drop},
       {"median", MissingPolicy::median}},
      "What to do with empty cells, ?, NA and nan: drop leaves the row out, median "
      "fills in the column's median or most frequent level (default: error)")
      ->group(kGroup);
}

constexpr NumberRange kShare = {std::numeric_limits<double>::denorm_min(),
                                1.0 - std::numeric_limits<double>::epsilon(),
                                "a number above 0 and below 1"};

void add_row_options(CLI::App& verb, TrainArguments& arguments) {
  constexpr auto kGroup = "Which rows";
  add_number(verb, "--holdout", arguments.holdout, kShare, "SHARE",
             "Hold out this share of the rows, drawn with the seed and with the same share of each "
             "class: the model learns from the others and is scored on these, as by score")
      ->group(kGroup);
  add_count(verb, "--sample", arguments.sample, 1, "N",
            "Learn from N rows, drawn with the seed and with the same share of each class")
      ->group(kGroup);
}

void add_run_options(CLI::App& verb, TrainArguments& arguments) {
  constexpr auto kGroup = "Speed";
  add_count(verb, "--seed", arguments.seed, 0, "N",
            "Of the draws: rows to learn from and to hold out, folds, and the rows that the median "
            "distance is taken of (default: 0)")
      ->group(kGroup);
  add_count(verb, "--threads", arguments.threads, 1, "N",
            "How many work (default: all); changes no number of the output")
      ->group(kGroup);
}

RowSplitOptions split_options(const TrainArguments& arguments) {
  return {arguments.holdout.value_or(0.0), arguments.sample, arguments.seed.value_or(0)};
}

/// Says what the fit will take where that is much, and shows how far it is.
TrainResult fit_table(const TrainArguments& arguments, const TrainingInput& input,
                      std::ostream& notes) {
  const Learner learner = learner_of(arguments, input.table);
  tools::Progress progress = tools::Progress::on_terminal("training", false);
  TrainOptions options = train_options(arguments, input.table, progress);
  options.scaling = scaling_of(arguments, input.table, notes);
  options.before = [&](MatrixView<const double> scaled) {
    announce_fit({learner, scaled, input.target, options.tune, options.seed, options.threads},
                 notes);
  };
  return train(learner, input.table.rows, input.target, options);
}

std::optional<Score> held_out_score(const TrainArguments& arguments, const TrainingInput& held_out,
                                    const Model& model) {
  if (!arguments.holdout) return std::nullopt;
  const DecisionFunction decide(model, Precision::float64, thread_count(arguments.threads));
  Scorer scorer(model);
  if (held_out.table.target.empty())
    scorer.add(decide(held_out.table.rows));
  else
    scorer.add(decide(held_out.table.rows), held_out.table.target);
  return scorer.score();
}

}  // namespace

void train_command(const TrainArguments& arguments, std::ostream& out, std::ostream& notes) {
  require_consistent(arguments);
  const TrainingInput all = read_training_input(arguments, notes);
  const RowSplit split = split_rows(all.target, all.table.rows.rows(), split_options(arguments));
  const TrainingInput input = rows_of(all, split.training);
  tools::OutputFile output(arguments.output);
  TrainResult training = fit_table(arguments, input, notes);
  if (!has_no_target(arguments.kind)) training.model = training.model.with_target(all.learned);
  write_bundle(output.stream(), training.model);
  output.commit();
  const TrainReport report{arguments, input, training,
                           held_out_score(arguments, rows_of(all, split.held_out), training.model)};
  tools::Output summary({}, out);
  out << (arguments.json ? json_text(training_json(report)) + '\n' : training_summary(report));
  summary.commit();
}

void add_train(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "train",
      "A model from a table of data: scales the features, tunes the parameters where asked to, and "
      "writes a model file for the other verbs.");
  const auto arguments = std::make_shared<TrainArguments>();
  add_path(verb, "DATA", arguments->input.data, "",
           "The rows to learn from: CSV, LIBSVM, NPY, NPZ, ARFF, Parquet or Arrow; - is CSV from "
           "standard input")
      ->required();
  add_target_options(verb, *arguments);
  add_parameter_options(verb, *arguments);
  add_distance_options(verb, arguments->distance);
  add_kernel_options(verb, arguments->kernel);
  add_tuning_options(verb, *arguments);
  add_row_options(verb, *arguments);
  add_table_options(verb, *arguments);
  add_data_options(verb, arguments->input);
  add_run_options(verb, *arguments);
  set_short_help(verb, {"--target", "--model", "--output", "--tune", "--above", "--holdout",
                        "--drop", "--gamma", "--cost", "--k"});
  verb.footer(
      "Examples:\n"
      "  bisector train wine.csv --target quality --above 5 --model svm --tune -o wine.npz\n"
      "  bisector train wine.csv --target quality --model krr --holdout 0.2 -o wine.npz\n"
      "  bisector train cars.csv --target class --model knn --ordinal \"safety=low<med<high\" "
      "-o cars.npz\n"
      "  bisector train wine.csv --target quality --model svr --kernel matern52 -o wine.npz\n"
      "  bisector train cars.csv --target class --model knn --metric gower -o cars.npz");
  verb.callback([arguments, &action] {
    action = [arguments](std::ostream& out, std::ostream& notes) {
      train_command(*arguments, out, notes);
    };
  });
}

}  // namespace bisector::cli
