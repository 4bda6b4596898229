#include "cli/verbs/score.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "bisector/outside.h"
#include "cli/options/option_values.h"
#include "cli/options/rule_options.h"
#include "cli/verbs.h"
#include "cli/writers/score_writer.h"
#include "tools/output_file.h"

namespace bisector::cli {
namespace {

/// Only a detector, such as a one-class model, says something about rows without targets.
void require_targets(const RowSource& rows, const Model& model) {
  if (rows.target_name() || model.is_detector()) return;
  throw UsageError(
      fmt::format("nothing says which column of {} the model is to be held against, expected "
                  "--target COL",
                  rows.name()));
}

Score score_rows(const ScoreArguments& arguments, RowSource& rows, const Model& model,
                 std::ostream& notes) {
  const DecisionFunction decide(model, arguments.precision, thread_count(arguments.threads));
  Scorer scorer(model);
  tools::Progress progress = tools::Progress::on_terminal("scoring", false);
  const std::size_t size = arguments.chunk.value_or(default_chunk_rows(model.features()));
  const OutsideRows outside(model, thread_count(arguments.threads));
  std::size_t outside_rows = 0;
  for_each_chunk(rows, size, progress, [&](std::size_t, const ModelChunk& chunk) {
    outside_rows += outside.count(chunk.rows);
    if (rows.target_name())
      scorer.add(decide(chunk.rows), chunk.target);
    else
      scorer.add(decide(chunk.rows));
  });
  rows.write_unusable(notes);
  note_outside(outside_rows, rows.name(), notes);
  try {
    return scorer.score();
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", rows.name(), error.what()));
  }
}

std::string written(const ScoreArguments& arguments, const RowSource& rows, const Model& model,
                    const Score& score) {
  const std::string target = rows.target_name().value_or("");
  if (arguments.json) {
    Json json = {{"model", arguments.input.model.string()},
                 {"data", arguments.input.data.string()},
                 {"target", target.empty() ? Json(nullptr) : Json(target)}};
    json.update(score_json(score));
    return json_text(json) + '\n';
  }
  return fmt::format("{} on {}{}\n", arguments.input.model.string(), arguments.input.data.string(),
                     target.empty() ? "" : fmt::format(", held against \"{}\"", target)) +
         score_text(score, model);
}

}  // namespace

void score_command(const ScoreArguments& arguments, std::ostream& out, std::ostream& notes) {
  const Model read = load_model(arguments.input);
  RowSource rows(arguments.input.data, arguments.input, read);
  const Model model = rows.widen(read);
  require_targets(rows, model);
  tools::Output output(arguments.output, out);
  const Score score = score_rows(arguments, rows, model, notes);
  output.stream() << written(arguments, rows, model, score);
  output.commit();
}

void add_score(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "score",
      "How good the model is: its predictions held against a target that is known. Accuracy, "
      "balanced accuracy, AUC, log-loss, precision and recall of each class and the confusion "
      "matrix, or the errors and R² of a regressor, or the share of rows that a one-class model "
      "calls inside.");
  const auto arguments = std::make_shared<ScoreArguments>();
  arguments->input.keeps_target = true;
  add_input_files(verb, arguments->input, "The rows to score, with their target");
  add_text(verb, "--target", arguments->input.target, "COL",
           "The column to hold the predictions against, by name or number (default: the one that "
           "the model learned, or that the format sets apart). Numbers go through the model's own "
           "rule where it was trained with --above")
      ->group("The target");
  add_count(verb, "--knn", arguments->input.knn, 1, "K",
            "MODEL is a data file of training rows; the model is their K nearest neighbors, and "
            "the target is a column of both")
      ->group("The target");
  constexpr auto kOutput = "Output";
  verb.add_flag("--json", arguments->json, "As JSON")->group(kOutput);
  add_path(verb, "-o,--output", arguments->output, "FILE",
           "Where to write it (default: standard output)")
      ->group(kOutput);
  add_data_options(verb, arguments->input);
  add_row_policies(verb, arguments->input, false);
  add_machine_options(verb, arguments->precision, arguments->threads, arguments->chunk);
  verb.footer(
      "Examples:\n"
      "  bisector score wine.npz test.csv --target quality\n"
      "  bisector score wine.npz test.csv --json -o score.json");
  verb.callback([arguments, &action] {
    action = [arguments](std::ostream& out, std::ostream& notes) {
      arguments->input.notes = &notes;
      score_command(*arguments, out, notes);
    };
  });
}

}  // namespace bisector::cli
