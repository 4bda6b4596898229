#include "cli/writers/score_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/options/wrap.h"
#include "cli/writers/describe_model.h"

namespace bisector::cli {
namespace {

constexpr std::size_t kScoreColumn = 27;

constexpr std::size_t kMaxColumns = 12;  // of a confusion matrix that still fits a page

std::string figure(std::optional<double> value) {
  return value ? fmt::format("{:.4f}", *value) : "-";
}

std::size_t widest_label(const ClassScore& score) {
  std::size_t width = 5;
  for (const ClassFigures& figures : score.classes) width = std::max(width, figures.label.size());
  return width;
}

std::string why_no_log_loss(const Model& model, const ClassScore& score, bool has_probabilities) {
  if (has_probabilities) return "none: predict writes the probabilities of this model";
  if (std::holds_alternative<NeighborModel>(model.predictor()) &&
      score.classes.size() > model.labels().size())
    return fmt::format("none: the model does not know the class \"{}\"",
                       score.classes[model.labels().size()].label);
  return "none: the model has no probabilities";
}

std::string why_no_auc(const Model& model, const ClassScore& score) {
  if (!model.fixed_pair()) return "none: the model has more than two classes";
  if (score.classes.size() > 2)
    return fmt::format("none: the model does not know the class \"{}\"", score.classes[2].label);
  return "none: only one of the two classes has rows";
}

void add_class_table(std::string& text, const ClassScore& score) {
  const std::size_t width = widest_label(score);
  text += fmt::format("\n  {:<{}} {:>9} {:>9} {:>9} {:>9}\n", "class", width, "rows", "predicted",
                      "precision", "recall");
  for (const auto& [label, rows, predicted, precision, recall] : score.classes)
    text += fmt::format("  {:<{}} {:>9} {:>9} {:>9} {:>9}\n", label, width, rows, predicted,
                        figure(precision), figure(recall));
}

void add_confusion(std::string& text, const ClassScore& score) {
  if (score.classes.size() > kMaxColumns) {
    text += "\n  the confusion matrix is too wide for a page; use --json\n";
    return;
  }
  const std::size_t width = widest_label(score), cell = std::max<std::size_t>(width, 9);
  text += "\n  confusion matrix: a line for each actual class, a column for each predicted class\n";
  text += fmt::format("  {:<{}}", "", width);
  for (const ClassFigures& figures : score.classes)
    text += fmt::format(" {:>{}}", figures.label, cell);
  for (std::size_t c = 0; c < score.classes.size(); ++c) {
    text += fmt::format("\n  {:<{}}", score.classes[c].label, width);
    for (const std::size_t count : score.confusion[c]) text += fmt::format(" {:>{}}", count, cell);
  }
  text += '\n';
}

void add_classes(std::string& text, const ClassScore& score, const Model& model,
                 bool has_probabilities) {
  text += list_line("accuracy", figure(score.accuracy), kScoreColumn);
  text += list_line("balanced accuracy", figure(score.balanced_accuracy), kScoreColumn);
  text += list_line("AUC",
                    score.auc ? fmt::format("{:.4f} for class {}", *score.auc, score.positive)
                              : why_no_auc(model, score),
                    kScoreColumn);
  text += list_line(
      "log-loss",
      score.log_loss ? figure(score.log_loss) : why_no_log_loss(model, score, has_probabilities),
      kScoreColumn);
  add_class_table(text, score);
  add_confusion(text, score);
}

Json class_json(const ClassScore& score) {
  Json json = {{"accuracy", score.accuracy},
               {"balanced_accuracy", score.balanced_accuracy},
               {"auc", number_json(score.auc)},
               {"log_loss", number_json(score.log_loss)},
               {"positive", score.positive.empty() ? Json(nullptr) : Json(score.positive)}};
  json["classes"] = Json::array();
  for (const auto& [label, rows, predicted, precision, recall] : score.classes)
    json["classes"].push_back({{"label", label},
                               {"rows", rows},
                               {"predicted", predicted},
                               {"precision", number_json(precision)},
                               {"recall", number_json(recall)}});
  json["confusion"] = score.confusion;
  return json;
}

}  // namespace

Score with_shown_labels(Score score, const Model& model) {
  if (!score.classes) return score;
  const std::vector<std::string> own = model.labels(), shown = shown_labels(model);
  const auto positive = std::ranges::find(own, score.classes->positive);
  if (positive != own.end())
    score.classes->positive = shown[static_cast<std::size_t>(positive - own.begin())];
  for (std::size_t c = 0; c < own.size(); ++c) score.classes->classes[c].label = shown[c];
  return score;
}

std::string target_unit(const Model& model) {
  const bool has_name = model.target() && !model.target()->column.empty();
  return has_name ? fmt::format(" (unit of {})", model.target()->column) : "";
}

std::string score_text(const Score& score, const Model& model, bool has_probabilities) {
  std::string text;
  text += list_line("rows",
                    score.without_target == 0
                        ? fmt::format("{}", score.rows)
                        : fmt::format("{} ({} more without a target are left out)", score.rows,
                                      score.without_target),
                    kScoreColumn);
  if (score.inside)
    text += list_line("inside", fmt::format("{:.4f} of the rows", *score.inside), kScoreColumn);
  if (const auto& numbers = score.numbers) {
    const std::string unit = target_unit(model);
    text += list_line("mean absolute error",
                      fmt::format("{:.6g}", numbers->mean_absolute_error) + unit, kScoreColumn);
    text += list_line("root mean squared error",
                      fmt::format("{:.6g}", numbers->root_mean_squared_error) + unit, kScoreColumn);
    text += list_line("R²",
                      numbers->r_squared ? fmt::format("{:.4f}", *numbers->r_squared)
                                         : "none: all targets are equal",
                      kScoreColumn);
  }
  if (score.classes) add_classes(text, *score.classes, model, has_probabilities);
  return text;
}

Json score_json(const Score& score) {
  Json json = {{"rows", score.rows}, {"rows_without_target", score.without_target}};
  if (score.inside) json["inside"] = *score.inside;
  if (const auto& numbers = score.numbers) {
    json["mean_absolute_error"] = numbers->mean_absolute_error;
    json["root_mean_squared_error"] = numbers->root_mean_squared_error;
    json["r_squared"] = number_json(numbers->r_squared);
  }
  if (score.classes) json.update(class_json(*score.classes));
  return json;
}

}  // namespace bisector::cli
