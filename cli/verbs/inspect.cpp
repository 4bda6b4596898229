#include "cli/verbs/inspect.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "bisector/error.h"
#include "bisector/runtime_info.h"
#include "bisector/version.h"
#include "cli/options/option_values.h"
#include "cli/verbs.h"
#include "cli/writers/describe_data.h"
#include "cli/writers/json_text.h"
#include "cli/writers/row_text.h"
#include "tools/output_file.h"

namespace bisector::cli {
namespace {

constexpr std::size_t kStrongestPairs = 10, kRowsPerPass = 256;

std::string runtime_text(bool json) {
  const RuntimeInfo runtime = runtime_info();
  if (json)
    return json_text({{"version", std::string(kVersion)},
                      {"instruction_set", runtime.instruction_set},
                      {"supported", runtime.supported},
                      {"threads", runtime.threads}}) +
           '\n';
  return fmt::format(
      "version          {}\n"
      "instruction set  {} (this machine can run {}; BISECTOR_ISA chooses)\n"
      "threads          {}\n",
      kVersion, runtime.instruction_set, fmt::join(runtime.supported, ", "), runtime.threads);
}

void require_consistent(const InspectArguments& arguments) {
  if (arguments.machine && !arguments.input.model.empty())
    throw UsageError("--machine takes no model; leave MODEL out");
  if (!arguments.table.empty() && (arguments.machine || !arguments.input.model.empty()))
    throw UsageError("--data takes neither a model nor --machine; leave them out");
  if (!arguments.machine && arguments.table.empty() && arguments.input.model.empty())
    throw UsageError("MODEL is missing; give a model file, or --data FILE");
  if (arguments.input.data.empty() && (arguments.row || arguments.evidence))
    throw UsageError("--row and --evidence need DATA; name the file with the row after MODEL");
}

NetworkAtRow network_at(const InspectArguments& arguments, const Explainer& explainer,
                        RowSource& rows) {
  const std::string source = arguments.input.data.string();
  const std::size_t row = arguments.row.value_or(1);
  const Matrix x = rows.next(1);
  if (x.rows() == 0) refuse_row(rows, row);
  const std::size_t pairs = arguments.evidence.value_or(kStrongestPairs);
  return {source, row, explainer(x), explainer.network(x.row(0)),
          explainer.settings().has_evidence ? explainer.evidence(x.row(0), pairs)
                                            : std::vector<Evidence>()};
}

Inspection inspect(const InspectArguments& arguments) {
  Model model = load_model(arguments.input);
  std::optional<RowSource> rows;
  if (!arguments.input.data.empty()) {
    InputArguments input = arguments.input;
    input.rows.only_row = arguments.row.value_or(1);
    rows.emplace(input.data, input, model);
    model = rows->widen(model);
  }
  const ExplainOptions options = explain_options(arguments.rule, arguments.input, model);
  const Explainer explainer(model, method_of(arguments.rule.method), options);
  Inspection result{arguments.input.model.string(),
                    model,
                    explainer.settings(),
                    parameters_of(arguments.rule.method),
                    options.level.has_value(),
                    options.reference.kind != Reference::Kind::automatic,
                    options.background || model.background(),
                    rows ? rows->feature_names() : model.feature_names(),
                    std::nullopt};
  if (rows) result.network = network_at(arguments, explainer, *rows);
  result.has_probabilities = load_extras(arguments.input).probabilities.has_value();
  return result;
}

void add_output_options(CLI::App& verb, InspectArguments& arguments) {
  const OptionGroup group(verb, "Output");
  verb.add_flag("--json", arguments.json, "Everything as JSON");
  verb.add_flag("--machine", arguments.machine,
                "Instead of a model: the instruction sets of this machine, and threads");
  add_path(verb, "--data", arguments.table, "FILE",
           "Instead of a model: how a data file is read, and a summary of its columns");
}

void add_network_options(CLI::App& verb, InspectArguments& arguments) {
  const OptionGroup group(verb, "The network at one row");
  add_count(verb, "--row", arguments.row, 1, "N", "Row N of DATA, counted from 1 (default: 1)");
  add_count(verb, "--evidence", arguments.evidence, 1, "K",
            "Number of pairs of points to list, strongest first (default: 10)");
}

void inspect_command(const InspectArguments& arguments, std::ostream& out, std::ostream&) {
  require_consistent(arguments);
  tools::Output output({}, out);
  if (arguments.machine) {
    out << runtime_text(arguments.json);
  } else if (!arguments.table.empty()) {
    out << data_description(arguments.table, arguments.input.format, arguments.json);
  } else {
    const Inspection inspection = inspect(arguments);
    out << (arguments.json ? inspection_json(inspection)
                           : printable_lines(inspection_text(inspection)));
  }
  output.commit();
}

}  // namespace

void add_inspect(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "inspect",
      "Describes a model: its kind and points, the class that positive contributions push toward, "
      "and the method and parameters that explain will use.");
  const auto arguments = std::make_shared<InspectArguments>();
  add_path(verb, "MODEL", arguments->input.model, "", kModelFormats);
  add_path(verb, "DATA", arguments->input.data, "",
           "Show the neuralized model at a row of this file: pools, detection units z_ij, h_j and "
           "g");
  add_output_options(verb, *arguments);
  add_network_options(verb, *arguments);
  add_rule_options(verb, arguments->rule);
  add_model_table_options(verb, arguments->input);
  verb.footer(
      "Examples:\n"
      "  bisector inspect wine.model\n"
      "  bisector inspect wine.model wine.csv --row 3\n"
      "  bisector inspect --data wine.csv\n"
      "  bisector inspect --machine");
  set_action(verb, action, arguments, inspect_command);
}

}  // namespace bisector::cli
