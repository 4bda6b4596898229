#include "cli/verbs/train.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <sstream>
#include <system_error>
#include <utility>

#include "bisector/error.h"
#include "bisector/io/model_file.h"
#include "bisector/text.h"
#include "bisector/train/sample.h"
#include "bisector/train/training_input.h"
#include "cli/options/help.h"
#include "cli/options/option_values.h"
#include "cli/options/rule_options.h"
#include "cli/options/train_options.h"
#include "cli/verbs.h"
#include "cli/writers/row_text.h"
#include "cli/writers/train_summary.h"
#include "tools/output_file.h"
#include "tools/progress.h"

namespace bisector::cli {
namespace {

constexpr auto kModelEnding = ".model.npz";

DetectorLearner detector_of(const TrainArguments& a, OutlierScore score, std::size_t k,
                            const TrainingTable& table) {
  return {score, k, a.outliers.value_or(DetectorLearner{}.outliers),
          distance_of(a.distance, table)};
}

/// The standard deviation of numbers, or one if they are all equal.
double deviation_of(const std::vector<double>& numbers) {
  const auto count = static_cast<double>(numbers.size());
  double mean = 0.0, squares = 0.0;
  for (const double number : numbers) mean += number / count;
  for (const double number : numbers) squares += (number - mean) * (number - mean) / count;
  return squares > 0.0 ? std::sqrt(squares) : 1.0;
}

/// The one value that was given. Tuning tries several, and starts from the default.
template <class T>
T only_value(const std::vector<T>& given, T default_value) {
  return given.size() == 1 ? given.front() : default_value;
}

/// Cost and epsilon depend on the unit of the target, so their defaults are those of a target with
/// standard deviation 1.
SvrLearner svr_of(const TrainArguments& a, double gamma, const Target& target,
                  const KernelChoice& kernel) {
  const double unit = deviation_of(std::get<std::vector<double>>(target));
  const SvrLearner defaults;
  return {gamma, only_value(a.cost, defaults.cost * unit),
          a.epsilon.value_or(defaults.epsilon * unit), kernel};
}

Learner learner_of(const TrainArguments& a, const TrainingInput& input) {
  const TrainingTable& table = input.table;
  const Matrix& rows = table.rows;
  const KernelChoice kernel = kernel_of(a.distance);
  constexpr std::size_t kUsualNeighbors = 9;
  const std::size_t others = has_no_target(a.kind) ? rows.rows() - 1 : rows.rows();
  const std::size_t largest_odd = others % 2 == 1 || others == 0 ? others : others - 1;
  const std::size_t k = only_value(a.k, std::min(kUsualNeighbors, largest_odd));
  const double gamma = only_value(a.gamma, SvmLearner{}.gamma);
  const double cost = only_value(a.cost, SvmLearner{}.cost);
  switch (a.kind) {
    case ModelKind::svm:
      return SvmLearner{gamma, cost, a.weight.value_or(ClassWeight::balanced), {}, kernel};
    case ModelKind::svr:
      return svr_of(a, gamma, input.target, kernel);
    case ModelKind::one_class:
      return OneClassLearner{gamma, a.outliers.value_or(OneClassLearner{}.nu), kernel};
    case ModelKind::neighbors:
    case ModelKind::neighbor_regressor:
      return NeighborLearner{k, vote_of(a.distance, table)};
    case ModelKind::density:
      return DensityLearner{gamma, a.outliers.value_or(DensityLearner{}.outliers), kernel};
    case ModelKind::local_outlier_factor:
      return detector_of(a, OutlierScore::local_outlier_factor, k, table);
    case ModelKind::neighbor_distance:
      return detector_of(a, OutlierScore::kth_distance, k, table);
    case ModelKind::ridge:
    case ModelKind::automatic:  // resolved before
      break;
  }
  return RidgeLearner{gamma, only_value(a.lambda, RidgeLearner{}.lambda), kernel};
}

template <class T>
void replace_if_given(std::vector<T>& values, const std::vector<T>& given) {
  if (!given.empty()) values = given;
}

/// Progress on the terminal, or else a line for every tenth of the work, at least five seconds
/// apart.
class TuneProgress {
 public:
  TuneProgress(tools::Progress& progress, std::ostream& notes)
      : progress_(progress), notes_(notes) {}

  void operator()(double fraction) {
    constexpr std::chrono::seconds kQuiet(5);
    progress_.update(fraction);
    const auto tenths = static_cast<int>(10.0 * fraction);
    const auto now = std::chrono::steady_clock::now();
    if (progress_.is_shown_anywhere() || tenths <= tenths_ || now - last_ < kQuiet) return;
    notes_ << fmt::format("progress: tuning {} %", 10 * tenths) << std::endl;
    tenths_ = tenths;
    last_ = now;
  }

 private:
  tools::Progress& progress_;
  std::ostream& notes_;
  int tenths_ = 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Balanced weights ask for balanced accuracy: plain accuracy favors models that ignore small
/// classes.
TuneScore tune_score(const TrainArguments& arguments) {
  if (arguments.tune_for) return *arguments.tune_for;
  const bool is_balanced =
      arguments.kind == ModelKind::svm &&
      arguments.weight.value_or(ClassWeight::balanced) == ClassWeight::balanced;
  return is_balanced ? TuneScore::balanced_accuracy : TuneScore::automatic;
}

/// The scores of few rows are noisy, so their folds are drawn several times.
std::size_t fold_repeats(std::size_t rows) {
  constexpr std::size_t kFewRows = 1000;
  return rows < kFewRows ? 3 : 1;
}

std::size_t folds_of(const TrainArguments& arguments) {
  return arguments.folds.value_or(TuneOptions{}.folds);
}

TuneOptions tune_options(const TrainArguments& arguments, const Target& target, std::size_t rows) {
  TuneOptions options;
  options.score = tune_score(arguments);
  options.repeats = fold_repeats(rows);
  options.keeps_given = true;
  if (arguments.kind == ModelKind::svr) {
    const double unit = deviation_of(std::get<std::vector<double>>(target));
    for (double& cost : options.grid.cost) cost *= unit;
  }
  replace_if_given(options.grid.gamma, arguments.gamma);
  replace_if_given(options.grid.cost, arguments.cost);
  replace_if_given(options.grid.lambda, arguments.lambda);
  replace_if_given(options.grid.k, arguments.k);
  options.folds = folds_of(arguments);
  options.seed = arguments.seed.value_or(0);
  options.threads = thread_count(arguments.threads);
  return options;
}

/// The scaling of the options, or else the one that suits the data: pixels are scaled by the median
/// distance only. Distances of categories have their own scale.
Scaling scaling_of(const TrainArguments& arguments, const TrainingTable& table,
                   std::ostream& notes) {
  if (has_categories(arguments.distance))
    return arguments.distance.metric->word == "gower" ? Scaling::range : Scaling::none;
  if (arguments.scaling) return *arguments.scaling;
  if (table.encoding || !look_like_pixels(table.rows)) return Scaling::standard_median;
  notes << fmt::format(
      "note: {}: the columns look like pixels, so they are scaled by the median distance only (use "
      "--scale standard+median to scale each column)\n",
      arguments.input.data.string());
  return Scaling::median;
}

TrainOptions train_options(const TrainArguments& arguments, const TrainingInput& input,
                           tools::Progress& progress, TuneProgress& tune_progress) {
  const TrainingTable& table = input.table;
  TrainOptions options;
  options.limits = arguments.limits;
  if (arguments.tune) {
    options.tune = tune_options(arguments, input.target, table.rows.rows());
    options.tune->progress = std::ref(tune_progress);
  }
  options.seed = arguments.seed.value_or(0);
  options.threads = thread_count(arguments.threads);
  options.feature_names = table.feature_names;
  options.encoding = table.encoding;
  options.row_numbers = table.row_numbers;
  options.progress = [&progress](std::size_t iterations) {
    progress.update_count(iterations, "iterations");
  };
  return options;
}

TargetKind target_kind(ModelKind kind) {
  if (kind == ModelKind::automatic) return TargetKind::automatic;
  if (has_no_target(kind)) return TargetKind::none;
  const bool is_classifier = kind == ModelKind::svm || kind == ModelKind::neighbors;
  return is_classifier ? TargetKind::classes : TargetKind::numbers;
}

TrainingInputOptions input_options(const TrainArguments& arguments) {
  TrainingInputOptions options{.format = arguments.input.format,
                               .target = target_kind(arguments.kind),
                               .positive = arguments.positive,
                               .above = arguments.above};
  options.columns = {.target = arguments.input.target,
                     .has_target = !has_no_target(arguments.kind),
                     .dropped = arguments.input.dropped,
                     .types = arguments.types,
                     .keeps_categories = has_categories(arguments.distance),
                     .missing = arguments.missing};
  return options;
}

TrainingInput read_input(const TrainArguments& arguments, std::ostream& notes) {
  TrainingInput input = read_training_input(arguments.input.data, input_options(arguments));
  if (!input.reading.empty())
    notes << fmt::format("read: {}: {}\n", input.source, printable(input.reading));
  const std::size_t dropped = input.table.dropped;
  notes << fmt::format(
      "read: {} rows{}; {}\n", input.table.rows.rows(),
      dropped == 0 ? "" : fmt::format(" ({} left out because of missing values)", dropped),
      printable(input.columns));
  for (const std::string& note : input.notes)
    notes << fmt::format("note: {}: {}\n", input.source, printable(note));
  return input;
}

RowSplitOptions split_options(const TrainArguments& arguments) {
  return {arguments.holdout.value_or(0.0), arguments.sample, arguments.seed.value_or(0)};
}

/// The default model: an SVM for classes, kernel ridge for numbers, or SVR if there are too many
/// rows for kernel ridge.
ModelKind default_kind(const TrainingInput& input, bool is_tuned) {
  if (std::holds_alternative<ClassTarget>(input.target)) return ModelKind::svm;
  const std::size_t most = row_limit(RidgeLearner{}, is_tuned).value();
  return input.table.rows.rows() <= most ? ModelKind::ridge : ModelKind::svr;
}

void note_default_kind(ModelKind kind, const TrainingInput& input, std::ostream& notes) {
  const auto* classes = std::get_if<ClassTarget>(&input.target);
  const char* const model = kind == ModelKind::svm     ? "a support vector machine"
                            : kind == ModelKind::ridge ? "kernel ridge regression"
                                                       : "support vector regression";
  notes << fmt::format("read: the target has {}, so the model is {} (--model {})\n",
                       classes ? fmt::format("{} classes", classes->labels.size()) : "numbers",
                       model, model_word(kind));
}

/// Shows progress; errors name the file.
TrainResult fit_table(const TrainArguments& arguments, const TrainingInput& input,
                      std::ostream& notes) {
  const Learner learner = learner_of(arguments, input);
  tools::Progress progress = tools::Progress::on_terminal("training", false);
  TuneProgress tune_progress(progress, notes);
  TrainOptions options = train_options(arguments, input, progress, tune_progress);
  options.scaling = scaling_of(arguments, input.table, notes);
  try {
    return train(learner, input.table.rows, input.target, options);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", input.source, error.what()));
  }
}

}  // namespace

std::filesystem::path named_after(const std::filesystem::path& data, const std::string& ending,
                                  bool force) {
  if (data == "-") throw UsageError("-o FILE is missing: standard input has no file name");
  std::filesystem::path name = data.filename();
  while (name.has_extension() && name != name.stem()) name = name.stem();
  name += ending;
  std::error_code ignored;
  if (!force && std::filesystem::exists(name, ignored))
    throw InvalidInput(fmt::format(
        "{} exists: use --force to replace it, or -o FILE for another name", name.string()));
  return name;
}

bool train_if_needed(InputArguments& input, bool force, std::ostream& notes) {
  if (!input.data.empty()) return false;
  if (input.target.empty())
    throw UsageError("DATA is missing: name the rows, or give --target COL to train on a table");
  TrainArguments arguments;
  arguments.input = input;
  arguments.input.data = input.model;
  arguments.output = named_after(input.model, kModelEnding, force);
  std::ostringstream summary;
  train_command(arguments, summary, notes);
  notes << fmt::format("note: the trained model is in {}\n", arguments.output.string());
  input.data = std::exchange(input.model, arguments.output);
  return true;
}

void train_command(TrainArguments arguments, std::ostream& out, std::ostream& notes) {
  if (arguments.output.empty())
    arguments.output = named_after(arguments.input.data, kModelEnding, arguments.force);
  if (arguments.kind != ModelKind::automatic) require_consistent(arguments);
  const TrainingInput all = read_input(arguments, notes);
  if (arguments.kind == ModelKind::automatic) {
    arguments.kind = default_kind(all, arguments.tune);
    require_consistent(arguments);
    note_default_kind(arguments.kind, all, notes);
  }
  const RowSplit split = split_rows(all.target, all.table.rows.rows(), split_options(arguments));
  const TrainingInput input = rows_of(all, split.training);
  tools::OutputFile output(arguments.output);
  TrainResult training = fit_table(arguments, input, notes);
  if (!has_no_target(arguments.kind)) training.model = training.model.with_target(all.learned);
  training.model =
      with_training_data(training.model, input.table.rows, thread_count(arguments.threads));
  if (arguments.without_background) {
    training.model = training.model.with_background(std::nullopt);
    notes << "note: the model file has no background rows: without --background, explanations "
             "refer to the model's own points\n";
  }
  write_bundle(output.stream(), training.model,
               {std::nullopt, training_record(training, arguments.input.data,
                                              input.table.rows.rows(), folds_of(arguments))});
  output.commit();
  std::optional<Score> held_out;
  if (arguments.holdout)
    held_out =
        score_of(rows_of(all, split.held_out), training.model, thread_count(arguments.threads));
  const TrainReport report{arguments, input, training, held_out};
  tools::Output summary({}, out);
  out << (arguments.json ? json_text(training_json(report)) + '\n'
                         : printable_lines(training_summary(report)));
  summary.commit();
}

void add_train(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "train", "Trains a model on a table and writes a model file for the other verbs.");
  const auto arguments = std::make_shared<TrainArguments>();
  add_path(verb, "DATA", arguments->input.data, "",
           std::string("The training rows: ") + kDataFormats)
      ->required();
  add_train_options(verb, *arguments);
  list_first(verb, {"--target", "--model", "--output", "--tune", "--above", "--holdout", "--drop",
                    "--k", "--sample", "--missing"});
  verb.footer(
      "Examples:\n"
      "  bisector train wine.csv --target quality\n"
      "  bisector train wine.csv --target quality --above 5 --tune -o wine.npz\n"
      "  bisector train wine.csv --target quality --model krr --holdout 0.2\n"
      "  bisector train cars.csv --target class --type \"safety=low<med<high\"\n"
      "  bisector train cars.csv --target class --model knn --metric gower");
  verb.callback([arguments, &action] {
    action = [arguments](std::ostream& out, std::ostream& notes) {
      train_command(*arguments, out, notes);
    };
  });
}

}  // namespace bisector::cli
