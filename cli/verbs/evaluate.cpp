#include "cli/verbs/evaluate.h"

#include <CLI/CLI.hpp>

#include "bisector/evaluate.h"
#include "cli/options/candidates.h"
#include "cli/options/file_roles.h"
#include "cli/options/option_values.h"
#include "cli/options/rule_options.h"
#include "cli/verbs.h"
#include "cli/writers/evaluation_writer.h"
#include "tools/output_file.h"
#include "tools/progress.h"

namespace bisector::cli {
namespace {

EvaluateOptions options_of(const EvaluateArguments& arguments, const Model& model) {
  EvaluateOptions options;
  options.flipping.samples = arguments.samples.value_or(options.flipping.samples);
  options.flipping.rows = arguments.rows.value_or(options.flipping.rows);
  options.flipping.seed = arguments.seed.value_or(options.flipping.seed);
  options.flipping.imputer = arguments.imputer.value_or(default_imputer(model));
  options.explain = explain_options(arguments.rule, arguments.input, model);
  options.explain.unit = Unit::g;  // features are removed in the order of their signed relevance
  options.flipping.threads = options.explain.threads;
  options.precision = options.explain.precision;
  options.donors = arguments.donors;
  options.reachable = arguments.reachable;
  return options;
}

/// The requested files. The table for people goes to `out` unless a file does.
class Outputs {
 public:
  Outputs(const EvaluateArguments& arguments, std::ostream& out) : out_(out) {
    add(arguments.output, write_evaluation_csv);
    add(arguments.json, write_evaluation_json);
    add(arguments.curves, write_curves_csv);
    if (to_standard_ > 1)
      throw UsageError("several results go to standard output; use - for one of them only");
  }

  void write(const EvaluationReport& report) {
    if (to_standard_ == 0) write_evaluation_text(out_, report);
    for (Part& part : parts_) {
      part.write(part.output->stream(), report);
      part.output->commit();
    }
  }

 private:
  using Write = void (*)(std::ostream&, const EvaluationReport&);
  struct Part {
    std::unique_ptr<tools::Output> output;
    Write write;
  };

  void add(const std::filesystem::path& path, Write how) {
    if (path.empty()) return;
    if (path == "-") ++to_standard_;
    parts_.push_back({std::make_unique<tools::Output>(path, out_), how});
  }

  std::ostream& out_;
  std::vector<Part> parts_;
  int to_standard_ = 0;
};

void add_candidate_options(CLI::App& verb, EvaluateArguments& arguments) {
  const OptionGroup group(verb, "What is evaluated");
  add_list(verb, "--methods", arguments.methods, "A,B,...",
           method_list() +
               ", or random (a random order). Default: all that are defined for the model except "
               "shapley-exact. --eta and other parameters are set in the methods that have them");
  CLI::Option* const files =
      add_list(verb, "--relevance", arguments.relevance, "FILE",
               "Existing contributions, one row per row of DATA: CSV as explain writes it, or a "
               "matrix as CSV or NPY; may be given several times");
  set_role(files, FileRole::input);
  add_choice<bool>(verb, "--for", arguments.for_predicted, {{"predicted", true}, {"fixed", false}},
                   "Signs in these files, as in explain --for (default: fixed)")
      ->needs(files);
}

void add_measurement_options(CLI::App& verb, EvaluateArguments& arguments) {
  const OptionGroup group(verb, "The measurement");
  add_path(verb, "--background", arguments.background, "DATA",
           "Rows that represent the data, best the training rows: removed features are imputed "
           "from them (default: DATA itself)");
  add_choice(
      verb, "--donors", arguments.donors, enum_values<Donors>(),
      "disjoint: the methods see one random half of the background, and the other half imputes, so "
      "that no method profits from knowing the donor rows; same: all rows impute, and the methods "
      "use the model's points (default: disjoint if the background has 100 rows or more)");
  add_path(verb, "--rule-background", arguments.rule.background, "DATA",
           "Rows that represent the data for the methods instead of that half; donor rows are left "
           "out if donors are disjoint");
  add_choice(verb, "--imputer", arguments.imputer, enum_values<Imputer>(),
             "How removed features are imputed: from a kernel density given the other features "
             "(default), from any row (default for models with categories), or by the mean");
  verb.add_flag("--reachable", arguments.reachable,
                "Also search for the best order of removal and give each method's share of the "
                "possible improvement over a random order: exact up to 8 features, greedy and on "
                "at most 30 rows up to 100 features, refused above (--limit without NAME=N is "
                "the same)");
  add_count(verb, "--rows", arguments.rows, 1, "N",
            "Evaluate at most N rows, drawn with the seed (default: 300)");
  add_count(verb, "--samples", arguments.samples, 1, "N",
            "Imputed rows per measurement (default: 50)");
  add_count(verb, "--seed", arguments.seed, 0, "N", "Seed of all random draws (default: 0)");
}

void add_output_options(CLI::App& verb, EvaluateArguments& arguments) {
  const OptionGroup group(verb, "Output (default: a table on standard output, which is also -)");
  add_output(verb, "-o,--output", arguments.output, "FILE", "The table as CSV");
  add_output(verb, "--json", arguments.json, "FILE", "Everything, row by row");
  add_output(verb, "--curves", arguments.curves, "FILE",
             "The mean flipping curves as CSV: method,removed,mean");
}

void evaluate_command(const EvaluateArguments& arguments, std::ostream& out, std::ostream&) {
  const Subject subject = read_subject(arguments.input, arguments.background);
  const EvaluateOptions options = options_of(arguments, subject.model);
  Outputs outputs(arguments, out);
  const std::string data = arguments.input.data.string();
  outputs.write({subject.model, arguments.input.model.string(), data,
                 arguments.background.empty() ? data : arguments.background.string(),
                 subject.rows.rows(), options.flipping.samples, options.flipping.seed,
                 options.flipping.imputer,
                 evaluate_subject(subject, candidates_of(arguments, subject), options)});
}

}  // namespace

void add_evaluate(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "evaluate",
      "How faithful are explanations? Removes the most relevant features first, imputes them from "
      "the data, and measures how soon the prediction changes (AUFC).");
  const auto arguments = std::make_shared<EvaluateArguments>();
  add_input_files(verb, arguments->input, "The rows to evaluate");
  add_candidate_options(verb, *arguments);
  add_measurement_options(verb, *arguments);
  add_output_options(verb, *arguments);
  add_parameter_options(verb, arguments->rule);
  add_data_options(verb, arguments->input);
  add_background_drop(verb, arguments->input);
  add_row_policies(verb, arguments->input, false);
  add_knn_options(verb, arguments->input);
  add_speed_options(verb, arguments->rule.options.precision, arguments->rule.threads);
  verb.footer(
      "Examples:\n"
      "  bisector evaluate wine.model test.csv --background train.csv\n"
      "  bisector evaluate wine.model test.csv --methods lrp,lrp-path --eta 0.3 --curves "
      "curves.csv\n"
      "  bisector evaluate wine.model test.csv --background train.csv --limit\n"
      "  bisector evaluate wine.model test.csv --relevance mine.npy --for predicted");
  set_action(verb, action, arguments, evaluate_command);
}

}  // namespace bisector::cli
