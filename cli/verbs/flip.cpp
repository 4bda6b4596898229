// bisector flip: the smallest change of a row that makes the model decide otherwise.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/enum_names.h"
#include "bisector/explain.h"
#include "bisector/flip.h"
#include "bisector/notes.h"
#include "bisector/table_encoding.h"
#include "cli/options/help.h"
#include "cli/options/input.h"
#include "cli/options/option_values.h"
#include "cli/options/rule_options.h"
#include "cli/verbs.h"
#include "cli/writers/describe_model.h"
#include "cli/writers/flip_text.h"
#include "cli/writers/placement.h"
#include "cli/writers/result_tables.h"
#include "cli/writers/table_sink.h"
#include "tools/output_file.h"

namespace bisector::cli {
namespace {

struct FlipArguments {
  InputArguments input;
  std::filesystem::path output, background;
  std::optional<TableFormat> format;
  bool text = false, no_radius = false;
  std::vector<std::string> fixed, only, increased, decreased;  // columns
  std::string to;                                              // class or value
  std::optional<std::size_t> row, count, changes, threads;

  /// One row on standard output is for people, unless something else is asked for.
  bool is_text() const {
    return text || (row && output.empty() && !format && input.rows.kept.empty());
  }
};

constexpr std::size_t kMostExamples = 2000;  // rows of DATA from which the search starts

std::size_t column_of(const std::string& option, const std::string& name,
                      const std::vector<std::string>& columns) {
  const auto found = std::ranges::find(columns, name);
  if (found == columns.end())
    throw UsageError(fmt::format("{}: the model has no column \"{}\", expected one of \"{}\"",
                                 option, name, fmt::join(columns, "\", \"")));
  return static_cast<std::size_t>(found - columns.begin());
}

void set_changes(const FlipArguments& arguments, const std::vector<std::string>& names,
                 std::vector<FlipColumn>& columns) {
  const auto set = [&](const char* option, const std::vector<std::string>& given,
                       AllowedChange change) {
    for (const std::string& name : given) columns[column_of(option, name, names)].change = change;
  };
  if (!arguments.only.empty()) {
    for (FlipColumn& column : columns) column.change = AllowedChange::none;
    set("--only", arguments.only, AllowedChange::any);
  }
  for (const std::string& name : arguments.increased)
    if (std::ranges::find(arguments.decreased, name) != arguments.decreased.end())
      throw UsageError(fmt::format(
          "--increase and --decrease both name column \"{}\", expected one of them or --fix",
          name));
  set("--increase", arguments.increased, AllowedChange::increase);
  set("--decrease", arguments.decreased, AllowedChange::decrease);
  set("--fix", arguments.fixed, AllowedChange::none);
}

void set_goal(const FlipArguments& arguments, const Model& model, FlipOptions& options) {
  if (model.is_regressor()) {
    if (arguments.to.empty())
      throw UsageError(
          "the model predicts numbers, which do not flip: use --to VALUE for the value to reach");
    options.reach = parse_number(arguments.to);
    if (!options.reach)
      throw UsageError(fmt::format("--to is \"{}\", expected a number", arguments.to));
    return;
  }
  if (!arguments.to.empty()) options.to_class = class_of_option(model, "--to", arguments.to);
}

Matrix first_rows(const Matrix& rows, std::size_t most) {
  const std::size_t count = std::min(rows.rows(), most);
  const auto begin = rows.values().begin();
  return Matrix(count, rows.cols(),
                {begin, begin + static_cast<std::ptrdiff_t>(count * rows.cols())});
}

/// The rows of DATA from which the search for the row of --row starts. Rows that the model cannot
/// use are left out, and the reading ends, with a note, before a line that cannot be read.
ModelChunk read_starts(const FlipArguments& arguments, const Model& model, std::ostream& notes) {
  constexpr std::size_t kStartRows = 256;
  ModelChunk starts;
  starts.rows = Matrix(0, model.features());
  if (arguments.input.data == "-") return starts;
  InputArguments input = arguments.input;
  input.rows = {.missing = RowPolicy::skip};
  input.notes = nullptr;
  std::vector<double> values;
  try {
    RowSource source(input.data, input, model);
    for (ModelChunk chunk = source.next_chunk(kStartRows); chunk.rows.rows() > 0;
         chunk = source.next_chunk(kStartRows)) {
      values.insert(values.end(), chunk.rows.values().begin(), chunk.rows.values().end());
      starts.numbers.insert(starts.numbers.end(), chunk.numbers.begin(), chunk.numbers.end());
    }
  } catch (const InvalidInput& error) {
    notes << fmt::format("note: the search starts from {} row{} of DATA: {}\n",
                         starts.numbers.size(), starts.numbers.size() == 1 ? "" : "s",
                         error.what());
  }
  starts.rows = Matrix(starts.numbers.size(), model.features(), std::move(values));
  return starts;
}

std::optional<std::string> note_on_missing(const std::vector<RowFlips>& found,
                                           const FlipOptions& options) {
  const auto missing = std::ranges::count_if(found, [&](const RowFlips& row) {
    return row.flips.empty() && row.prediction != options.to_class;
  });
  if (missing == 0) return std::nullopt;
  return fmt::format("for {} of {} row{} no allowed change that {} was found", missing,
                     found.size(), found.size() == 1 ? "" : "s",
                     options.reach ? "reaches the value of --to" : "flips the prediction");
}

void flip_command(const FlipArguments& arguments, std::ostream& out, std::ostream& notes) {
  std::optional<TableFormat> format;
  if (arguments.text) require_text(arguments.output, arguments.format);
  if (!arguments.is_text()) format = table_format(arguments.output, arguments.format);
  if (!format && !arguments.input.rows.kept.empty())
    throw UsageError("--text shows no other columns; leave out --keep, or --text");
  const Model read = load_model(arguments.input);
  InputArguments input = arguments.input;
  input.rows.only_row = arguments.row;
  RowSource source(input.data, input, read);
  const Model model = source.widen(read);
  const std::vector<std::string> columns =
      model.encoding() ? model.encoding()->column_names() : source.feature_names();
  const ResultNames names(model, columns, RowValues(model, true));
  tools::Output output(arguments.output, out);
  std::unique_ptr<TableSink> sink;
  if (format)
    sink = make_sink(*format, output,
                     {source.kept_names(),
                      flip_table({}, names, {}),
                      {{"model", model_json(model)}, {"columns", columns}}});
  const ModelChunk chosen = read_placed_rows(source, arguments.row, model.features());

  FlipOptions options;
  set_goal(arguments, model, options);
  const bool has_background = !arguments.background.empty();
  const Matrix background =
      has_background ? read_rows(arguments.background, arguments.input, model) : Matrix();
  const ModelChunk all =
      arguments.row && !has_background ? read_starts(arguments, model, notes) : chosen;
  options.columns = flip_columns(model, has_background ? background : all.rows);
  set_changes(arguments, columns, options.columns);
  options.examples = first_rows(has_background ? background : all.rows, kMostExamples);
  options.count = arguments.count.value_or(1);
  options.most_changes = arguments.changes.value_or(0);
  options.with_radius = !arguments.no_radius;
  options.threads = thread_count(arguments.threads);
  FlipRows flips{.found = FlipFinder(model, options)(chosen.rows)};
  if (!has_background) flips.examples = all.numbers;

  ExplainOptions explain;
  explain.unit = Unit::g;
  explain.threads = options.threads;
  if (has_background) explain.background = background;
  // For the flags, which every method has; the rule needs a distance.
  const Method quick = model.has_dot_product() ? Method(Sensitivity{}) : Method(EtaRule{});
  const Explanation explained = Explainer(model, quick, explain)(chosen.rows);
  NoteCounts counts;
  for (std::size_t r = 0; r < chosen.numbers.size(); ++r)
    counts.add_row({.is_tie = explained.tie[r], .is_outside = explained.outside[r]});
  flips.outside = explained.outside;
  flips.tie = explained.tie;
  std::vector<std::string> noted = sentences(counts, {}, FrontEnd::command);
  if (const auto missing = note_on_missing(flips.found, options); missing && format)
    noted.push_back(*missing);
  if (sink) {
    sink->write(flip_table(flips, names, chosen), chosen);
    sink->finish(noted);
  } else {
    write_flip_text(output.stream(), flips, names, chosen, options);
  }
  output.commit();
  source.write_unusable(notes);
  write_notes(noted, notes);
}

void add_change_options(CLI::App& verb, FlipArguments& arguments) {
  const OptionGroup group(verb, "Changes");
  add_text(verb, "--to", arguments.to, "CLASS|VALUE",
           "The class to reach (default: any other class); for a model that predicts numbers, the "
           "value to reach (required)");
  add_list(verb, "--fix", arguments.fixed, "COL", "This column must not change");
  add_list(verb, "--only", arguments.only, "COL", "Only this column may change (repeat it)");
  add_list(verb, "--increase", arguments.increased, "COL", "This column may only increase");
  add_list(verb, "--decrease", arguments.decreased, "COL", "This column may only decrease");
  add_count(verb, "--changes", arguments.changes, 1, "N",
            "At most N changed columns (default: any number)");
  add_count(verb, "--count", arguments.count, 1, "N",
            "N answers per row that change different columns (default: 1)");
  add_path(verb, "--background", arguments.background, "FILE",
           "Rows that give the ranges of the columns and the starts of the search (default: DATA "
           "and the model's points)");
}

void add_output_options(CLI::App& verb, FlipArguments& arguments) {
  const OptionGroup group(verb, "Output");
  add_output(
      verb, "-o,--output", arguments.output, "FILE",
      ".csv: one line per answer (row, prediction, answer, flipped, distance, radius, "
      "example, changed, outside, tie, and the changed row); .json: the same (default: CSV to "
      "standard output)");
  verb.add_flag("--no-radius", arguments.no_radius,
                "Do not find the radius within which no change flips the prediction; saves time");
  verb.add_flag("--text", arguments.text, "Text for people");
  add_count(verb, "--row", arguments.row, 1, "N",
            "Only row N of DATA, counted from 1; as text unless -o or --format is given");
  add_choice(
      verb, "--format", arguments.format, enum_values<TableFormat>(),
      "Format of the output (default: by the name of the file); jsonl is one line of JSON per row");
}

}  // namespace

void add_flip(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "flip",
      "Finds the smallest change of each row that flips the prediction, and a radius within which "
      "no change does.");
  const auto arguments = std::make_shared<FlipArguments>();
  add_input_files(verb, arguments->input, "The rows to change");
  add_change_options(verb, *arguments);
  add_output_options(verb, *arguments);
  add_model_table_options(verb, arguments->input);
  add_keep_option(verb, arguments->input);
  add_threads_option(verb, arguments->threads);
  list_first(verb, {"--output", "--row", "--to", "--fix", "--only", "--increase", "--decrease",
                    "--changes", "--count", "--background"});
  verb.footer(
      "Examples:\n"
      "  bisector flip credit.npz credit.csv --row 5\n"
      "  bisector flip credit.npz credit.csv --fix age --changes 2 --count 3 -o out.csv\n"
      "  bisector flip price.npz houses.csv --to 250000 --only area --only age");
  set_action(verb, action, arguments, flip_command);
}

}  // namespace bisector::cli
