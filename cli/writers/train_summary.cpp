#include "cli/writers/train_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "bisector/predict.h"
#include "cli/options/rule_options.h"
#include "cli/options/wrap.h"
#include "cli/writers/describe_model.h"
#include "cli/writers/score_writer.h"

namespace bisector::cli {
namespace {

constexpr std::size_t kSummaryColumn = 19;

template <class... Callables>
struct LearnerVisitor : Callables... {
  using Callables::operator()...;
};

std::vector<std::pair<std::string, double>> own_parameters(const Learner& learner) {
  using List = std::vector<std::pair<std::string, double>>;
  return std::visit(
      LearnerVisitor{[](const SvmLearner& l) -> List {
                       return {{"gamma", l.gamma}, {"cost", l.cost}};
                     },
                     [](const SvrLearner& l) -> List {
                       return {{"gamma", l.gamma}, {"cost", l.cost}};
                     },
                     [](const OneClassLearner& l) -> List {
                       return {{"gamma", l.gamma}, {"nu", l.nu}};
                     },
                     [](const NeighborLearner& l) -> List {
                       return {{"k", static_cast<double>(l.k)}};
                     },
                     [](const RidgeLearner& l) -> List {
                       return {{"gamma", l.gamma}, {"lambda", l.lambda}};
                     },
                     [](const DetectorLearner& l) -> List {
                       return {{"k", static_cast<double>(l.k)}, {"outliers", l.outliers}};
                     },
                     [](const DensityLearner& l) -> List {
                       return {{"gamma", l.gamma}, {"outliers", l.outliers}};
                     }},
      learner);
}

bool has_gamma(const Learner& learner) {
  return std::visit(
      [](const auto& own) {
        if constexpr (requires { own.kernel; }) return own.kernel.has_gamma();
        return true;
      },
      learner);
}

/// The parameters of a learner that a grid may contain, with their values.
std::vector<std::pair<std::string, double>> parameters(const Learner& learner) {
  auto list = own_parameters(learner);
  if (!has_gamma(learner)) std::erase_if(list, [](const auto& p) { return p.first == "gamma"; });
  return list;
}

/// All parameters in words.
std::string parameter_words(const Learner& learner) {
  std::vector<std::string> words;
  for (const auto& [name, value] : parameters(learner))
    words.push_back(fmt::format("{} {:g}", name, value));
  if (const auto* svm = std::get_if<SvmLearner>(&learner))
    words.push_back(svm->weight == ClassWeight::balanced ? "balanced classes"
                                                         : "unweighted classes");
  if (const auto* svr = std::get_if<SvrLearner>(&learner))
    words.push_back(fmt::format("epsilon {:g}", svr->epsilon));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string row_words(const TrainingInput& input) {
  const auto& table = input.table;
  std::string words = fmt::format("{} rows, {} features", table.rows.rows(), table.rows.cols());
  if (table.encoding && table.encoding->columns().size() != table.rows.cols())
    words += fmt::format(" from {} columns", table.encoding->columns().size());
  if (table.dropped > 0)
    words += fmt::format("; {} row{} with missing values left out", table.dropped,
                         table.dropped == 1 ? "" : "s");
  return words;
}

std::string class_words(const ClassTarget& target, const Model& model) {
  const std::vector<std::string> own = model.labels(), shown = shown_labels(model);
  constexpr std::size_t kMostShown = 12;
  std::vector<std::string> words;
  for (std::size_t c = 0; c < target.labels.size() && c < kMostShown; ++c) {
    const auto place = std::ranges::find(own, target.labels[c]) - own.begin();
    const auto rows = std::ranges::count(target.classes, c);
    words.push_back(fmt::format("{} ({} row{})", shown.at(static_cast<std::size_t>(place)), rows,
                                rows == 1 ? "" : "s"));
  }
  if (target.labels.size() > kMostShown)
    words.push_back(fmt::format("... ({} in all)", target.labels.size()));
  return fmt::format("{}", fmt::join(words, ", "));
}

/// The balanced accuracy is shown if classes of different sizes make it another number.
std::string fit_words(const Score& score, const Model& model) {
  if (score.classes) {
    constexpr double kAlike = 0.05;
    const double accuracy = score.classes->accuracy, balanced = score.classes->balanced_accuracy;
    return fmt::format("accuracy {:.4f}{} on the training rows", accuracy,
                       std::abs(accuracy - balanced) < kAlike
                           ? ""
                           : fmt::format(" (balanced accuracy {:.4f})", balanced));
  }
  if (score.numbers)
    return fmt::format("mean absolute error {:.6g}{} on the training rows",
                       score.numbers->mean_absolute_error, target_unit(model));
  return fmt::format("{:.4f} of the training rows are outside", 1.0 - score.inside.value());
}

/// The five best settings, best first.
std::vector<std::size_t> best_trials(const TuneResult& tuning) {
  constexpr std::size_t kShown = 5;
  std::vector<std::size_t> order(tuning.trials.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::size_t t) { return tuning.trials[t].mean; });
  if (order.size() > kShown) order.resize(kShown);
  return order;
}

/// Why the chosen setting was chosen.
std::string choice_words(const TuneResult& tuning) {
  if (tuning.given == tuning.best)
    return "the chosen setting: the default, because no other setting is significantly better";
  if (tuning.given) return "the chosen setting: the surest improvement over the default";
  return "the chosen setting";
}

/// The best settings and the chosen one; errors are shown as positive numbers.
std::string tuning_table(const TrainArguments& arguments, const TuneResult& tuning) {
  const bool is_error = tuning.score == TuneScore::mean_absolute_error;
  std::vector<std::size_t> order = best_trials(tuning);
  std::string text = fmt::format(
      "\n{}-fold cross-validation, the {} best of {} settings: {}, mean and standard deviation\n ",
      arguments.folds.value_or(TuneOptions{}.folds), order.size(), tuning.trials.size(),
      is_error ? "mean absolute error" : score_name(tuning.score));
  if (std::ranges::find(order, tuning.best) == order.end()) order.push_back(tuning.best);
  for (const auto& [name, value] : parameters(tuning.trials.front().learner))
    text += fmt::format(" {:>9}", name);
  text += fmt::format(" {:>11} {:>11}\n", "mean", "deviation");
  for (const std::size_t t : order) {
    const Trial& trial = tuning.trials[t];
    text += t == tuning.best ? "*" : " ";
    for (const auto& [name, value] : parameters(trial.learner))
      text += fmt::format(" {:>9.6g}", value);
    text +=
        fmt::format(fmt::runtime(is_error ? " {:>11.6g} {:>11.6g}\n" : " {:>11.4f} {:>11.4f}\n"),
                    is_error ? -trial.mean : trial.mean, trial.deviation);
  }
  return text + fmt::format("* {}; --json lists all settings\n", choice_words(tuning));
}

Json parameters_json(const Learner& learner) {
  Json json = Json::object();
  for (const auto& [name, value] : parameters(learner))
    json[name] = name == "k" ? Json(static_cast<std::size_t>(value)) : Json(value);
  if (const auto* svm = std::get_if<SvmLearner>(&learner))
    json["class_weight"] = svm->weight == ClassWeight::balanced ? "balanced" : "none";
  if (const auto* svr = std::get_if<SvrLearner>(&learner)) json["epsilon"] = svr->epsilon;
  return json;
}

Json tuning_json(const TrainArguments& arguments, const TuneResult& tuning) {
  Json json = {{"folds", arguments.folds.value_or(TuneOptions{}.folds)},
               {"score", score_name(tuning.score)},
               {"best", tuning.best},
               {"default", tuning.given ? Json(*tuning.given) : Json(nullptr)},
               {"trials", Json::array()}};
  for (const Trial& trial : tuning.trials)
    json["trials"].push_back({{"parameters", parameters_json(trial.learner)},
                              {"mean", trial.mean},
                              {"deviation", trial.deviation},
                              {"standard_error", trial.standard_error}});
  return json;
}

}  // namespace

Score score_of(const TrainingInput& input, const Model& model, unsigned threads) {
  const Predictions found = DecisionFunction(model, Precision::float64, threads)(input.table.rows);
  Scorer scorer(model);
  if (input.table.target.empty())
    scorer.add(found);
  else
    scorer.add(found, input.table.target);
  return with_shown_labels(scorer.score(), model);
}

TrainingRecord training_record(const TrainResult& training, const std::filesystem::path& data,
                               std::size_t rows, std::size_t folds) {
  TrainingRecord record{data.filename().string(), rows, parameter_words(training.learner)};
  if (training.tuning) {
    const TuneResult& tuning = *training.tuning;
    const Trial& best = tuning.trials[tuning.best];
    const bool is_error = tuning.score == TuneScore::mean_absolute_error;
    record.score = fmt::format("{} {:.3g} (standard deviation {:.2g}), {}-fold",
                               is_error ? "mean absolute error" : score_name(tuning.score),
                               is_error ? -best.mean : best.mean, best.deviation, folds);
  }
  return record;
}

std::string training_summary(const TrainReport& report) {
  const auto& [arguments, input, training, held_out] = report;
  std::string text = arguments.output.string() + "\n";
  const ModelSummary facts = training.model.summary();
  text += list_line("trained on",
                    fmt::format("{}: {}", arguments.input.data.string(), row_words(input)),
                    kSummaryColumn);
  text += list_line("kind", facts.description, kSummaryColumn);
  if (const auto* target = std::get_if<ClassTarget>(&input.target))
    text += list_line("classes", class_words(*target, training.model), kSummaryColumn);
  if (const auto pair = training.model.fixed_pair())
    text +=
        list_line("positive", fmt::format("class {}", shown_labels(training.model)[pair->positive]),
                  kSummaryColumn);
  text += list_line("parameters", parameter_words(training.learner), kSummaryColumn);
  text += list_line("points",
                    fmt::format("{} {}", training.model.shared_points().rows(), facts.point_name),
                    kSummaryColumn);
  text += list_line(
      "fit",
      fit_words(score_of(input, training.model, thread_count(arguments.threads)), training.model),
      kSummaryColumn);
  if (training.tuning) text += tuning_table(arguments, *training.tuning);
  if (held_out) text += "\non the held-out rows\n" + score_text(*held_out, training.model);
  return text;
}

Json training_json(const TrainReport& report) {
  const auto& [arguments, input, training, held_out] = report;
  Json json = {{"output", arguments.output.string()},
               {"data", arguments.input.data.string()},
               {"target", target_json(training.model.target())},
               {"rows", input.table.rows.rows()},
               {"rows_left_out", input.table.dropped},
               {"features", input.table.rows.cols()},
               {"model", model_json(training.model)}};
  json["parameters"] = parameters_json(training.learner);
  json["fit"] = score_json(score_of(input, training.model, thread_count(arguments.threads)));
  json["tuning"] = training.tuning ? tuning_json(arguments, *training.tuning) : Json(nullptr);
  json["held_out"] = held_out ? score_json(*held_out) : Json(nullptr);
  return json;
}

}  // namespace bisector::cli
