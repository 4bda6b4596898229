#include "cli/verbs/explain.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "bisector/error.h"
#include "cli/options/help.h"
#include "cli/options/option_values.h"
#include "cli/verbs.h"
#include "cli/writers/describe_model.h"
#include "cli/writers/json_text.h"
#include "cli/writers/placement.h"
#include "tools/output_file.h"
#include "tools/platform/machine.h"

namespace bisector::cli {
namespace {

void require_all_classes(const ExplainArguments& arguments) {
  const bool has_others = arguments.top || arguments.evidence || arguments.details ||
                          arguments.row || arguments.text || arguments.rule.for_predicted ||
                          arguments.rule.positive_class || arguments.rule.versus;
  if (has_others)
    throw UsageError(
        "--all-classes explains every class; leave out --top, --evidence, --details, --row, "
        "--text, --class and --versus");
  if (arguments.rule.options.unit != Unit::decision)
    throw UsageError("--all-classes has the unit of the model's output; leave out --unit");
}

void require_consistent(const ExplainArguments& arguments) {
  if (arguments.text) require_text(arguments.output, arguments.format);
  if (arguments.text && !arguments.input.rows.kept.empty())
    throw UsageError("--text shows no other columns; leave out --keep, or --text");
  if (arguments.all_classes) require_all_classes(arguments);
  if (arguments.interactions) require_interactions(arguments);
  if (arguments.evidence && arguments.top)
    throw UsageError(
        "--evidence and --top both write several lines for each row; leave one of them out");
  if (arguments.is_text() && (arguments.evidence || arguments.details))
    throw UsageError(
        "--evidence and --details need a file format; use --format json instead of text");
}

void add_output_options(CLI::App& verb, ExplainArguments& arguments) {
  const OptionGroup group(verb, "Output");
  add_output(verb, "-o,--output", arguments.output, "FILE",
             ".csv: row, prediction, class, versus, output, base, a contribution per feature, "
             "remainder, outside, tie; .npy: the matrix of contributions; .json: everything "
             "(default: text on a terminal, CSV into a pipe)");
  verb.add_flag("--text", arguments.text,
                "Text for people: bars for one row (--row), or the most important features and a "
                "typical row");
  add_count(verb, "--row", arguments.row, 1, "N",
            "Only row N of DATA, counted from 1; as text unless -o or --format is given");
  add_choice(verb, "--format", arguments.format, enum_values<TableFormat>(),
             "Format of the output (default: by the name of the file); jsonl is one line of JSON "
             "per row");
  add_count(verb, "--top", arguments.top, 1, "K",
            "Only the K features with the largest contributions and their values; CSV has one line "
            "for each");
  verb.add_flag("--details", arguments.details,
                "CSV: more columns: g, the decision value, the correction of path rules, the "
                "stretch, the level of a regressor, and standard errors if the method draws "
                "references");
  verb.add_flag("--all-classes", arguments.all_classes,
                "Explain each class against the rest: CSV has one line per row and class, NPY rows "
                "x features x classes");
  add_path(verb, "--groups", arguments.groups, "FILE", kGroupsHelp);
  verb.add_flag("--interactions", arguments.interactions,
                "Pairs of features that act together, of kernel machines: the --top strongest of "
                "each row (default: 10) as CSV or JSON, their mean over the rows as text "
                "(default), all pairs as NPY");
  verb.add_flag("--per-level", arguments.per_level,
                "One contribution per level of a one-hot column instead of their sum");
  add_count(verb, "--evidence", arguments.evidence, 1, "K",
            "The K pairs of training points (counted from 1) with the largest influence on each "
            "row; CSV has one line for each");
}

/// The sink of a table, with what JSON has before the rows.
std::unique_ptr<TableSink> sink_of(const ExplainArguments& arguments, const RowExplainer& explainer,
                                   const RowSource& rows, tools::Output& output, Table empty) {
  ExplainSettings settings = explainer.explainer().settings();
  if (arguments.rule.for_predicted) settings.positive = settings.negative = "";
  Json members = {{"model", model_json(explainer.model())},
                  {"settings", settings_json(settings)},
                  {"features", explainer.features()}};
  for (const auto& [name, columns] : explainer.groups()) members["groups"][name] = columns;
  return make_sink(table_format(arguments.output, arguments.format), output,
                   {rows.kept_names(), std::move(empty), std::move(members), arguments.details});
}

/// Writes table(rows of the model, rows before them, chunk) of every chunk.
template <class MakeTable>
void write_tables(const ExplainArguments& arguments, const RowExplainer& explainer, RowSource& rows,
                  tools::Output& output, NoteCounts& counts, const MakeTable& table) {
  const ModelChunk none;
  const Matrix no_rows(0, explainer.model().features());
  const auto sink = sink_of(arguments, explainer, rows, output, table(no_rows, 0, none));
  for_each_wanted_chunk(rows, arguments.row, explainer.chunk_rows(),
                        explanation_progress(arguments),
                        [&](std::size_t before, const ModelChunk& chunk) {
                          sink->write(table(chunk.rows, before, chunk), chunk);
                          output.check();
                        });
  sink->finish(sentences(counts, explainer.explainer().settings(), FrontEnd::command));
}

void write_explanations(const ExplainArguments& arguments, const RowExplainer& explainer,
                        RowSource& rows, tools::Output& output, NoteCounts& counts) {
  const ResultNames names = explainer.names();
  ExplanationExtras extras{.top = arguments.top, .evidence_count = arguments.evidence};
  if (names.labels == nullptr) extras.level = explainer.explainer().settings().level.value_or(0.0);
  write_tables(arguments, explainer, rows, output, counts,
               [&](const Matrix& features, std::size_t before, const ModelChunk& chunk) {
                 auto [explanation, evidence] = explainer(features, before);
                 counts.add(explanation);
                 extras.evidence = std::move(evidence);
                 return explanation_table(std::move(explanation), names, chunk, extras);
               });
}

void write_all_classes(const ExplainArguments& arguments, const RowExplainer& explainer,
                       RowSource& rows, tools::Output& output, NoteCounts& counts) {
  const ResultNames names = explainer.names();
  write_tables(arguments, explainer, rows, output, counts,
               [&](const Matrix& features, std::size_t before, const ModelChunk& chunk) {
                 const ClassExplanations all = explainer.all_classes(features, before);
                 counts.add(all);
                 return class_table(all, names, chunk);
               });
}

/// True if the output is JSON in a pipe.
bool is_for_programs(const ExplainArguments& arguments) {
  if (arguments.interactions) return false;
  if (arguments.is_text() || !tools::is_standard_output(arguments.output)) return false;
  return is_json(table_format(arguments.output, arguments.format));
}

}  // namespace

void explain_command(const ExplainArguments& arguments, std::ostream& out, std::ostream& notes) {
  require_consistent(arguments);
  if (!arguments.is_text() && !arguments.interactions)
    table_format(arguments.output, arguments.format);
  const Model read = load_model(arguments.input);
  if (arguments.all_classes && read.is_regressor())
    throw UsageError("--all-classes needs a classifier; leave it out for a regressor");
  InputArguments input = arguments.input;
  input.rows.only_row = arguments.row;
  RowSource rows(input.data, input, read);
  const Model model = rows.widen(read);
  const RowExplainer explainer(arguments, model, rows);
  tools::Output output(arguments.output, out);
  NoteCounts counts;
  if (arguments.interactions)
    explain_interactions(arguments, explainer, rows, output, counts);
  else if (arguments.all_classes)
    write_all_classes(arguments, explainer, rows, output, counts);
  else if (arguments.is_text())
    explain_text(arguments, explainer, rows, output.stream(), counts);
  else
    write_explanations(arguments, explainer, rows, output, counts);
  output.commit();
  rows.write_unusable(notes);
  ExplainSettings settings = explainer.explainer().settings();
  if (arguments.interactions) settings = explainer.interaction_settings();
  for (const Note& note : notes_of(counts, settings)) {
    if (note.kind == Note::Kind::own_points && is_for_programs(arguments)) continue;
    notes << fmt::format("note: {}\n", sentence(note, settings, FrontEnd::command));
  }
}

void add_explain(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand("explain",
                                       "Explains why each row is predicted as it is: one "
                                       "contribution per feature and row, positive toward "
                                       "one class and negative toward the other.");
  const auto arguments = std::make_shared<ExplainArguments>();
  add_input_files(verb, arguments->input, "The rows to explain");
  add_output_options(verb, *arguments);
  add_rule_options(verb, arguments->rule, ", or predicted for that of each row");
  add_model_table_options(verb, arguments->input, {chunk_limit(arguments->input)});
  add_keep_option(verb, arguments->input);
  add_knn_option(verb, arguments->input);
  add_speed_options(verb, arguments->rule.options.precision, arguments->rule.threads);
  verb.footer(
      "Examples:\n"
      "  bisector explain wine.model wine.csv --row 5\n"
      "  bisector explain wine.model wine.csv -o relevance.csv\n"
      "  bisector explain wine.model wine.csv --top 3 --class predicted\n"
      "  bisector explain wine.model wine.csv --interactions --top 5\n"
      "  bisector explain --knn 5 --target quality train.csv new.csv -o relevance.json");
  list_first(verb, {"--output", "--row", "--text", "--top", "--method", "--unit", "--class",
                    "--background", "--drop", "--keep"});
  set_action(verb, action, arguments,
             [](ExplainArguments& own, std::ostream& out, std::ostream& notes) {
               own.is_terminal = &out == &std::cout && tools::is_output_a_terminal();
               explain_command(own, out, notes);
             });
}

}  // namespace bisector::cli
