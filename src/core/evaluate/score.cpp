#include "bisector/score.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bisector/error.h"
#include "bisector/table_encoding.h"
#include "bisector/text.h"

namespace bisector {
namespace {

double divided(std::size_t part, std::size_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::optional<double> share(std::size_t part, std::size_t whole) {
  return whole == 0 ? std::nullopt : std::optional(divided(part, whole));
}

std::vector<std::vector<std::size_t>> confusion_of(std::span<const std::size_t> targets,
                                                   std::span<const std::size_t> predicted,
                                                   std::size_t classes) {
  std::vector counts(classes, std::vector<std::size_t>(classes, 0));
  for (std::size_t r = 0; r < targets.size(); ++r) ++counts[targets[r]][predicted[r]];
  return counts;
}

ClassScore class_score(const std::vector<std::string>& labels,
                       std::vector<std::vector<std::size_t>> confusion) {
  ClassScore score;
  std::size_t right = 0, rows = 0, present = 0;
  for (std::size_t c = 0; c < labels.size(); ++c) {
    ClassFigures figures{.label = labels[c]};
    figures.rows = std::accumulate(confusion[c].begin(), confusion[c].end(), std::size_t{0});
    for (const auto& of_target : confusion) figures.predicted += of_target[c];
    figures.precision = share(confusion[c][c], figures.predicted);
    figures.recall = share(confusion[c][c], figures.rows);
    right += confusion[c][c];
    rows += figures.rows;
    present += figures.recall ? 1 : 0;
    score.balanced_accuracy += figures.recall.value_or(0.0);
    score.classes.push_back(std::move(figures));
  }
  score.accuracy = divided(right, rows);
  score.balanced_accuracy /= static_cast<double>(present);
  score.confusion = std::move(confusion);
  return score;
}

double log_loss(std::span<const double> probabilities) {
  constexpr double kLeast = std::numeric_limits<double>::epsilon();
  double sum = 0.0;
  for (const double p : probabilities) sum -= std::log(std::clamp(p, kLeast, 1.0 - kLeast));
  return sum / static_cast<double>(probabilities.size());
}

NumberScore number_score(std::span<const double> targets, std::span<const double> numbers) {
  const auto rows = static_cast<double>(targets.size());
  double absolute = 0.0, squared = 0.0, mean = 0.0, spread = 0.0;
  for (const double target : targets) mean += target / rows;
  for (std::size_t r = 0; r < targets.size(); ++r) {
    const double error = numbers[r] - targets[r];
    absolute += std::abs(error) / rows;
    squared += error * error / rows;
    spread += (targets[r] - mean) * (targets[r] - mean) / rows;
  }
  NumberScore score{absolute, std::sqrt(squared), {}};
  if (spread > 0.0) score.r_squared = 1.0 - squared / spread;
  return score;
}

}  // namespace

std::optional<double> area_under_roc(std::span<const double> values,
                                     const std::vector<bool>& is_positive) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t row) { return values[row]; });
  // Twice the number of pairs in the right order, so that halves are exact.
  double twice = 0.0, below = 0.0, positives = 0.0;
  for (std::size_t i = 0; i < order.size();) {
    double equal_positives = 0.0, equal_others = 0.0;
    for (const double value = values[order[i]]; i < order.size() && values[order[i]] == value; ++i)
      (is_positive[order[i]] ? equal_positives : equal_others) += 1.0;
    twice += equal_positives * (2.0 * below + equal_others);
    positives += equal_positives;
    below += equal_others;
  }
  if (positives == 0.0 || below == 0.0) return std::nullopt;
  return twice / (2.0 * positives * below);
}

std::optional<Matrix> class_probabilities(const Model& model, const Predictions& predictions) {
  // A difference of weighted votes does not determine their sum.
  if (model.is_regressor() || !model.vote() || !model.vote()->is_plain()) return std::nullopt;
  const std::size_t classes = model.labels().size();
  const auto k = static_cast<double>(model.neighbors());
  Matrix shares(predictions.decisions.rows(), classes);
  for (std::size_t r = 0; r < shares.rows(); ++r) {
    const auto votes = predictions.decisions.row(r);
    if (classes == 2) {
      const double second = (k + votes[0]) / (2.0 * k);  // votes less those of the other
      shares(r, 0) = 1.0 - second;
      shares(r, 1) = second;
    } else {
      for (std::size_t c = 0; c < classes; ++c) shares(r, c) = votes[c] / k;
    }
  }
  return shares;
}

Scorer::Scorer(const Model& model) : model_(model), labels_(model.labels()) {
  if (!model.is_regressor()) target_classes_.emplace(model);
}

/// Classes that the model does not know come after its own.
std::size_t Scorer::class_of(const std::string& target) {
  if (const auto known = (*target_classes_)(target)) return *known;
  const std::string label(trimmed_cell(target));
  const auto found = std::ranges::find(labels_, label);
  const auto place = static_cast<std::size_t>(found - labels_.begin());
  if (found == labels_.end()) labels_.push_back(label);
  return place;
}

std::optional<double> Scorer::add(const std::string& target, double said) {
  const std::string_view text = trimmed_cell(target);
  if (is_missing(text)) {
    ++without_target_;
    return std::nullopt;
  }
  if (!target_classes_) {
    const auto number = parse_number(text);
    if (!number)
      throw InvalidInput(fmt::format("the target is {}, expected a number", in_quotes(text)));
    true_numbers_.push_back(*number);
    numbers_.push_back(said);
  } else {
    targets_.push_back(class_of(target));
    predicted_.push_back(static_cast<std::size_t>(said));
    inside_ += model_.is_detector() && predicted_.back() == 0 ? 1 : 0;
  }
  ++rows_;
  return target_classes_ ? static_cast<double>(targets_.back()) : true_numbers_.back();
}

void Scorer::add(const Predictions& predictions, std::span<const std::string> targets) {
  if (targets.size() != predictions.decisions.rows())
    throw InvalidInput(fmt::format("{} targets for {} predictions, expected one each",
                                   targets.size(), predictions.decisions.rows()));
  const auto probabilities = class_probabilities(model_, predictions);
  const auto pair = target_classes_ ? model_.fixed_pair() : std::nullopt;
  for (std::size_t r = 0; r < targets.size(); ++r) {
    const auto decisions = predictions.decisions.row(r);
    std::optional<double> truth;
    try {
      truth = add(targets[r],
                  target_classes_ ? static_cast<double>(predictions.classes[r]) : decisions[0]);
    } catch (const InvalidInput& error) {
      throw InvalidRow(r, error.what());
    }
    if (!truth) continue;
    if (pair) decisions_.push_back(model_.pair_decision(*pair, decisions));
    const bool has_probability = probabilities && targets_.back() < probabilities->cols();
    if (has_probability) probabilities_.push_back((*probabilities)(r, targets_.back()));
  }
}

void Scorer::add(const Predictions& predictions) {
  if (!model_.is_detector())
    throw InvalidInput(
        "rows without targets, expected a target for each unless the model is a detector, such as "
        "a "
        "one-class one");
  rows_ += predictions.classes.size();
  inside_ += static_cast<std::size_t>(std::ranges::count(predictions.classes, std::size_t{0}));
}

Score Scorer::score() const {
  if (rows_ == 0) throw InvalidInput("no row with a target, expected some to score");
  Score result{.rows = rows_, .without_target = without_target_};
  if (model_.is_detector()) result.inside = divided(inside_, rows_);
  if (!numbers_.empty()) result.numbers = number_score(true_numbers_, numbers_);
  if (targets_.empty()) return result;
  ClassScore score = class_score(labels_, confusion_of(targets_, predicted_, labels_.size()));
  if (probabilities_.size() == targets_.size()) score.log_loss = log_loss(probabilities_);
  if (const auto pair = model_.fixed_pair()) {
    score.positive = labels_[pair->positive];
    std::vector<bool> is_positive;
    for (const std::size_t target : targets_) is_positive.push_back(target == pair->positive);
    const bool has_values = decisions_.size() == targets_.size();
    if (labels_.size() == 2 && has_values) score.auc = area_under_roc(decisions_, is_positive);
  }
  result.classes = std::move(score);
  return result;
}

Score score(const Model& model, const Predictions& predictions,
            std::span<const std::string> targets) {
  Scorer scorer(model);
  scorer.add(predictions, targets);
  return scorer.score();
}

}  // namespace bisector
