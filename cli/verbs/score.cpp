// bisector score: how good a model is.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>

#include "bisector/outside.h"
#include "bisector/predict.h"
#include "bisector/text.h"
#include "cli/options/input.h"
#include "cli/options/option_values.h"
#include "cli/options/rule_options.h"
#include "cli/verbs.h"
#include "cli/writers/describe_model.h"
#include "cli/writers/row_text.h"
#include "cli/writers/score_writer.h"
#include "tools/output_file.h"

namespace bisector::cli {
namespace {

struct ScoreArguments {
  InputArguments input;
  std::filesystem::path output;  // empty: standard output
  bool json = false;
  std::optional<std::size_t> threads;
};

/// Only detectors can be scored without targets.
void require_targets(const RowSource& rows, const Model& model) {
  if (rows.target_name() || model.is_detector()) return;
  throw UsageError(fmt::format("--target is missing: name the column of {} with the actual values",
                               rows.name()));
}

Score score_rows(const ScoreArguments& arguments, RowSource& rows, const Model& model,
                 std::ostream& notes) {
  const DecisionFunction decide(model, Precision::float64, thread_count(arguments.threads));
  Scorer scorer(model);
  tools::Progress progress = tools::Progress::on_terminal("scoring", false);
  const std::size_t size = arguments.input.chunk.value_or(
      default_chunk_rows(std::max(model.features(), decide.names().size())));
  const OutsideRows outside(model, thread_count(arguments.threads));
  std::size_t all = 0, outside_rows = 0, without_neighbors = 0;
  for_each_chunk(rows, size, progress, [&](std::size_t, const ModelChunk& chunk) {
    all += chunk.rows.rows();
    outside_rows += outside.count(chunk.rows);
    const Predictions predictions = decide(chunk.rows);
    without_neighbors += predictions.without_neighbors.size();
    if (rows.target_name())
      scorer.add(predictions, chunk.target);
    else
      scorer.add(predictions);
  });
  rows.write_unusable(notes);
  write_notes(prediction_notes(all, outside_rows, without_neighbors, rows.name()), notes);
  try {
    return with_shown_labels(scorer.score(), model);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", rows.name(), error.what()));
  }
}

/// Notes targets that are no classes of the model: the target column may be wrong.
void note_unknown_classes(const Score& score, const RowSource& rows, const Model& model,
                          std::ostream& notes) {
  if (!score.classes) return;
  std::size_t unknown = 0;
  const auto& classes = score.classes->classes;
  for (std::size_t c = model.labels().size(); c < classes.size(); ++c) unknown += classes[c].rows;
  if (unknown == 0) return;
  notes << fmt::format(
      "note: {}: {} of {} targets in column \"{}\" are no classes of the model, such as {}; "
      "the model has \"{}\" (use --target COL for another column)\n",
      rows.name(), unknown, score.rows, rows.target_name().value_or(""),
      in_quotes(classes[model.labels().size()].label), fmt::join(shown_labels(model), "\", \""));
}

bool is_json(const ScoreArguments& arguments) {
  return arguments.json || arguments.output.extension() == ".json";
}

std::string written(const ScoreArguments& arguments, const RowSource& rows, const Model& model,
                    const Score& score) {
  const std::string target = rows.target_name().value_or("");
  if (is_json(arguments)) {
    Json json = {{"model", arguments.input.model.string()},
                 {"data", arguments.input.data.string()},
                 {"target", target.empty() ? Json(nullptr) : Json(target)}};
    json.update(score_json(score));
    return json_text(json) + '\n';
  }
  return fmt::format("{} on {}{}\n", arguments.input.model.string(), arguments.input.data.string(),
                     target.empty() ? "" : fmt::format(", compared with \"{}\"", target)) +
         printable_lines(
             score_text(score, model, load_extras(arguments.input).probabilities.has_value()));
}

void score_command(const ScoreArguments& arguments, std::ostream& out, std::ostream& notes) {
  const Model read = load_model(arguments.input);
  RowSource rows(arguments.input.data, arguments.input, read);
  const Model model = rows.widen(read);
  require_targets(rows, model);
  tools::Output output(arguments.output, out);
  const Score score = score_rows(arguments, rows, model, notes);
  note_unknown_classes(score, rows, model, notes);
  output.stream() << written(arguments, rows, model, score);
  output.commit();
}

void add_output_options(CLI::App& verb, ScoreArguments& arguments) {
  const OptionGroup group(verb, "Output");
  verb.add_flag("--json", arguments.json, "Write JSON (default for an output that ends in .json)");
  add_output(verb, "-o,--output", arguments.output, "FILE",
             "The file to write (default: standard output)");
}

}  // namespace

void add_score(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "score",
      "Compares predictions with the actual values: accuracy, balanced accuracy, AUC, log-loss, "
      "precision and recall of each class and the confusion matrix; the errors and R² of a "
      "regressor; or the fraction of rows that an outlier detector calls inside.");
  const auto arguments = std::make_shared<ScoreArguments>();
  arguments->input.keeps_target = true;
  add_input_files(verb, arguments->input, "The rows to score, with their target");
  add_output_options(verb, *arguments);
  add_model_table_options(verb, arguments->input, {chunk_limit(arguments->input)});
  add_threads_option(verb, arguments->threads);
  verb.footer(
      "Examples:\n"
      "  bisector score wine.npz test.csv --target quality\n"
      "  bisector score wine.npz test.csv -o score.json");
  set_action(verb, action, arguments, score_command);
}

}  // namespace bisector::cli
