#include "cli/verbs/explain.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/options/option_values.h"
#include "cli/verbs.h"
#include "tools/output_file.h"
#include "tools/progress.h"

namespace bisector::cli {
namespace {

ExplanationStyle style_of(const ExplainArguments& arguments) {
  const TableFormat format =
      table_format(arguments.output, arguments.format,
                   {TableFormat::csv, TableFormat::npy, TableFormat::json, TableFormat::jsonl});
  const ExplanationStyle style{format, false, arguments.details, arguments.top};
  if (arguments.evidence && !is_json(style.format))
    throw UsageError(
        "--evidence was given, expected an output file that ends in .json, or --format json");
  const bool has_more = style.top || style.details || !arguments.input.rows.kept.empty();
  if (style.format == TableFormat::npy && has_more)
    throw UsageError(
        "NPY holds the relevance alone, expected neither --top nor --details nor --keep");
  return style;
}

/// The encoding onto whose columns relevance is summed, where there is one.
const TableEncoding* columns_of(const ExplainArguments& arguments, const Model& model) {
  return model.encoding() && !arguments.per_level ? &*model.encoding() : nullptr;
}

void sum_by_column(const TableEncoding& encoding, ExplainedChunk& chunk) {
  chunk.explanation.relevance = encoding.sum_by_column(chunk.explanation.relevance);
  for (auto& pairs : chunk.evidence) {
    for (Evidence& pair : pairs) {
      const MatrixView<const double> row(pair.relevance.data(), 1, pair.relevance.size());
      pair.relevance = encoding.sum_by_column(row).values();
    }
  }
}

ExplanationHead head_of(const ExplainArguments& arguments, const Model& model,
                        const ExplainSettings& settings, const RowSource& rows) {
  ExplanationHead head{model, settings, rows.feature_names(), rows.kept_names()};
  if (arguments.for_predicted) head.settings.positive = head.settings.negative = "";
  if (const auto* encoding = columns_of(arguments, model)) head.features = encoding->column_names();
  return head;
}

ExplainedChunk explain_chunk(const ExplainArguments& arguments, const Explainer& explainer,
                             std::size_t first_row, const ModelChunk& source) {
  const Matrix& rows = source.rows;
  // People count rows from one, the library from zero.
  Explanation explanation = explainer(rows, first_row - 1);
  ExplainedChunk chunk{first_row,
                       {Matrix(), source.numbers, source.kept, source.target, source.unusable},
                       std::move(explanation),
                       {}};
  for (std::size_t r = 0; arguments.evidence && r < rows.rows(); ++r)
    chunk.evidence.push_back(explainer.evidence(rows.row(r), *arguments.evidence));
  if (!arguments.for_predicted) return chunk;
  const std::vector<bool> is_reversed = orient_to_prediction(chunk.explanation);
  for (std::size_t r = 0; r < chunk.evidence.size(); ++r) {
    if (!is_reversed[r]) continue;
    for (Evidence& pair : chunk.evidence[r]) reverse(pair);
  }
  return chunk;
}

/// What a reader of the numbers should know of some rows.
struct RowCounts {
  std::size_t ties = 0, outside = 0;

  void add(const Explanation& explanation) {
    ties += static_cast<std::size_t>(std::ranges::count(explanation.tie, true));
    outside += static_cast<std::size_t>(std::ranges::count(explanation.outside, true));
  }
};

void write_notes(const RowCounts& counts, std::ostream& notes) {
  if (counts.ties > 0)
    notes << fmt::format(
        "note: {} row{} a tie: the sign of g does not decide there (--details and .json mark such "
        "rows)\n",
        counts.ties, counts.ties == 1 ? " is" : "s are each");
  if (counts.outside > 0)
    notes << fmt::format(
        "note: {} row{} far outside the data: the explanation says little there (column outside)\n",
        counts.outside, counts.outside == 1 ? " lies" : "s lie");
}

void add_output_options(CLI::App& verb, ExplainArguments& arguments) {
  constexpr auto kGroup = "Output";
  add_output(
      verb, "-o,--output", arguments.output, "FILE",
      ".csv: row,prediction,g, one relevance per feature, then remainder (what they leave of g "
      "less the base) and outside (far from the data); .npy: the matrix of relevance; .json: "
      "everything (default: CSV to standard output)")
      ->group(kGroup);
  add_choice<std::optional<TableFormat>>(
      verb, "--format", arguments.format,
      {{"csv", TableFormat::csv},
       {"json", TableFormat::json},
       {"jsonl", TableFormat::jsonl},
       {"npy", TableFormat::npy}},
      "Of the output, whatever its name; jsonl is a line of JSON for each row")
      ->group(kGroup);
  add_count(verb, "--top", arguments.top, 1, "K",
            "Only the K features of largest |relevance|, in order; CSV gets one line for each")
      ->group(kGroup);
  add_choice<bool>(verb, "--for", arguments.for_predicted, {{"predicted", true}, {"fixed", false}},
                   "predicted: turn each row's signs so that positive speaks for its predicted "
                   "class; fixed: positive always speaks for pool P, which inspect names (default)")
      ->group(kGroup);
  verb.add_flag("--details", arguments.details,
                "CSV: the columns decision, positive, negative, tie, base and correction behind g "
                "(JSON has them anyway)")
      ->group(kGroup);
  verb.add_flag("--per-level", arguments.per_level,
                "Models with one-hot columns: one relevance per level, instead of their sum")
      ->group(kGroup);
  add_count(verb, "--evidence", arguments.evidence, 1, "K",
            "JSON: the K pairs of the model's points (counted from 1) that decided each row")
      ->group(kGroup);
}

}  // namespace

void explain_command(const ExplainArguments& arguments, std::ostream& out, std::ostream& notes) {
  ExplanationStyle style = style_of(arguments);
  const Model read = load_model(arguments.input);
  if (arguments.for_predicted && read.is_regressor())
    throw UsageError("--for predicted was given, expected a classifier");
  RowSource rows(arguments.input.data, arguments.input, read);
  const Model model = rows.widen(read);
  const Explainer explainer(model, method_of(arguments.rule),
                            explain_options(arguments.rule, arguments.input, model));

  tools::Output output(arguments.output, out);
  style.can_go_back = output.can_go_back();
  const auto writer = make_explanation_writer(
      output.stream(), style, head_of(arguments, model, explainer.settings(), rows));
  tools::Progress progress =
      tools::Progress::on_terminal("explaining", tools::is_standard_output(arguments.output));
  const std::size_t size = arguments.chunk.value_or(default_chunk_rows(model.features()));
  RowCounts counts;
  for_each_chunk(rows, size, progress, [&](std::size_t first_row, const ModelChunk& x) {
    ExplainedChunk chunk = explain_chunk(arguments, explainer, first_row, x);
    counts.add(chunk.explanation);
    if (const auto* encoding = columns_of(arguments, model)) sum_by_column(*encoding, chunk);
    writer->write(chunk);
    output.check();
  });
  writer->finish();
  output.commit();
  rows.write_unusable(notes);
  write_notes(counts, notes);
}

void add_explain(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "explain",
      "Which features speak for each row's prediction: one relevance per feature and row, positive "
      "for the one class and negative for the other.");
  const auto arguments = std::make_shared<ExplainArguments>();
  add_input_files(verb, arguments->input, "The rows to explain");
  add_output_options(verb, *arguments);
  add_method_options(verb, arguments->rule);
  add_rule_options(verb, arguments->rule);
  add_data_options(verb, arguments->input);
  add_background_drop(verb, arguments->input);
  add_row_policies(verb, arguments->input, true);
  add_keep_option(verb, arguments->input);
  add_knn_options(verb, arguments->input);
  add_machine_options(verb, arguments->rule.options.precision, arguments->rule.threads,
                      arguments->chunk);
  verb.footer(
      "Examples:\n"
      "  bisector explain wine.model wine.csv -o relevance.csv\n"
      "  bisector explain wine.model wine.csv --top 3 --for predicted\n"
      "  bisector explain --knn 5 --target quality train.csv new.csv -o relevance.json");
  verb.callback([arguments, &action] {
    action = [arguments](std::ostream& out, std::ostream& notes) {
      arguments->input.notes = &notes;
      explain_command(*arguments, out, notes);
    };
  });
}

}  // namespace bisector::cli
