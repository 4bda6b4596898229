#include "cli/writers/train_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "bisector/predict.h"
#include "cli/options/rule_options.h"
#include "cli/options/wrap.h"
#include "cli/writers/describe_model.h"

namespace bisector::cli {
namespace {

template <class... Callables>
struct Overloaded : Callables... {
  using Callables::operator()...;
};

void add_line(std::string& text, const std::string& name, const std::string& value) {
  constexpr std::size_t kColumn = 19;
  text += fmt::format("  {:<17}{}\n", name, wrapped(value, kColumn));
}

/// The parameters of a learner that a grid may hold, with their values.
std::vector<std::pair<std::string, std::string>> parameters(const Learner& learner) {
  const auto number = [](double value) { return fmt::format("{:g}", value); };
  using List = std::vector<std::pair<std::string, std::string>>;
  return std::visit(Overloaded{[&](const SvmLearner& l) -> List {
                                 return {{"gamma", number(l.gamma)}, {"cost", number(l.cost)}};
                               },
                               [&](const SvrLearner& l) -> List {
                                 return {{"gamma", number(l.gamma)}, {"cost", number(l.cost)}};
                               },
                               [&](const OneClassLearner& l) -> List {
                                 return {{"gamma", number(l.gamma)}, {"nu", number(l.nu)}};
                               },
                               [&](const NeighborLearner& l) -> List {
                                 return {{"k", fmt::format("{}", l.k)}};
                               },
                               [&](const RidgeLearner& l) -> List {
                                 return {{"gamma", number(l.gamma)}, {"lambda", number(l.lambda)}};
                               }},
                    learner);
}

/// Those, and what no grid holds.
std::string parameter_words(const Learner& learner) {
  std::vector<std::string> words;
  for (const auto& [name, value] : parameters(learner))
    words.push_back(fmt::format("{} {}", name, value));
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

std::string class_words(const ClassTarget& target) {
  std::vector<std::string> words;
  for (std::size_t c = 0; c < target.labels.size(); ++c)
    words.push_back(
        fmt::format("{} ({} rows)", target.labels[c], std::ranges::count(target.classes, c)));
  return fmt::format("{}", fmt::join(words, ", "));
}

/// How well the model does on the rows that it learned from.
std::string fit_words(const TrainingInput& input, const TrainResult& training, unsigned threads) {
  const Predictions found =
      DecisionFunction(training.model, Precision::float64, threads)(input.table.rows);
  const auto rows = static_cast<double>(input.table.rows.rows());
  const auto labels = training.model.labels();
  if (const auto* target = std::get_if<ClassTarget>(&input.target)) {
    std::size_t right = 0;
    for (std::size_t r = 0; r < found.classes.size(); ++r)
      right += labels[found.classes[r]] == target->labels[target->classes[r]] ? 1 : 0;
    return fmt::format("accuracy {:.4f} on the training rows", static_cast<double>(right) / rows);
  }
  if (const auto* target = std::get_if<std::vector<double>>(&input.target)) {
    double error = 0.0;
    for (std::size_t r = 0; r < target->size(); ++r)
      error += std::abs(found.decisions(r, 0) - (*target)[r]);
    return fmt::format("mean absolute error {:.6g} on the training rows", error / rows);
  }
  const auto outside = static_cast<double>(std::ranges::count(found.classes, std::size_t{1}));
  return fmt::format("{:.4f} of the training rows are outside", outside / rows);
}

/// Errors are shown as they are, not as the scores that they make.
std::string tuning_table(const TrainArguments& arguments, const TuneResult& tuning) {
  const bool is_error = tuning.score != "accuracy";
  std::string text =
      fmt::format("\n{}-fold cross-validation: {}, mean and deviation over the folds\n ",
                  arguments.folds.value_or(TuneOptions{}.folds),
                  is_error ? "mean absolute error" : tuning.score);
  for (const auto& [name, value] : parameters(tuning.trials.front().learner))
    text += fmt::format(" {:>9}", name);
  text += fmt::format(" {:>11} {:>11}\n", "mean", "deviation");
  for (std::size_t t = 0; t < tuning.trials.size(); ++t) {
    const Trial& trial = tuning.trials[t];
    text += t == tuning.best ? "*" : " ";
    for (const auto& [name, value] : parameters(trial.learner))
      text += fmt::format(" {:>9}", value);
    text +=
        fmt::format(fmt::runtime(is_error ? " {:>11.6g} {:>11.6g}\n" : " {:>11.4f} {:>11.4f}\n"),
                    is_error ? -trial.mean : trial.mean, trial.deviation);
  }
  return text + "* the best; of equals the smoothest\n";
}

}  // namespace

std::string training_summary(const TrainArguments& arguments, const TrainingInput& input,
                             const TrainResult& training) {
  std::string text = arguments.output.string() + "\n";
  const ModelFacts facts = facts_of(training.model);
  add_line(text, "learned from",
           fmt::format("{}: {}", arguments.input.data.string(), row_words(input)));
  add_line(text, "kind", facts.description);
  if (const auto* target = std::get_if<ClassTarget>(&input.target))
    add_line(text, "classes", class_words(*target));
  if (const auto pair = training.model.fixed_pair())
    add_line(text, "positive", fmt::format("class {}", training.model.labels()[pair->positive]));
  add_line(text, "parameters", parameter_words(training.learner));
  add_line(text, "points", fmt::format("{} {}", training.model.points().rows(), facts.point_name));
  add_line(text, "fit", fit_words(input, training, thread_count(arguments.threads)));
  if (training.tuning) text += tuning_table(arguments, *training.tuning);
  return text;
}

}  // namespace bisector::cli
