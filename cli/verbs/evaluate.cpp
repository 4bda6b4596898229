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
  options.flipping.threads = options.explain.threads;
  options.precision = options.explain.precision;
  options.donors = arguments.donors;
  options.reachable = arguments.reachable;
  return options;
}

/// The files that were asked for; the table to read goes to `out` unless one of them does.
class Outputs {
 public:
  Outputs(const EvaluateArguments& arguments, std::ostream& out) : out_(out) {
    add(arguments.output, write_evaluation_csv);
    add(arguments.json, write_evaluation_json);
    add(arguments.curves, write_curves_csv);
    if (to_standard_ > 1)
      throw UsageError("several results go to standard output, expected - for one at most");
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
  constexpr auto kGroup = "What is evaluated";
  add_list(verb, "--methods", arguments.methods, "A,B,...",
           method_list() +
               ", or random (a random order). Default: all that are defined for the model except "
               "shapley-exact. --eta and other parameters are set in the methods that have them")
      ->group(kGroup);
  CLI::Option* const files =
      add_list(verb, "--relevance", arguments.relevance, "FILE",
               "Relevance that exists already, a row for each row of DATA: CSV as explain writes "
               "it, or a bare matrix as CSV or NPY; may be given several times");
  set_role(files, FileRole::input)->group(kGroup);
  add_choice<bool>(verb, "--for", arguments.for_predicted, {{"predicted", true}, {"fixed", false}},
                   "How the signs of these files were written, as explain --for (default: fixed)")
      ->needs(files)
      ->group(kGroup);
}

void add_measurement_options(CLI::App& verb, EvaluateArguments& arguments) {
  constexpr auto kGroup = "The measurement";
  add_path(verb, "--background", arguments.background, "DATA",
           "Rows that stand for the data, best the training rows: removed features are completed "
           "from them (default: DATA itself)")
      ->group(kGroup);
  add_choice<std::optional<Donors>>(
      verb, "--donors", arguments.donors, {{"disjoint", Donors::disjoint}, {"same", Donors::same}},
      "disjoint: a seeded half of the background stands for the data in the rules, and the other "
      "half completes, so that no rule profits from knowing what completes; same: all of it "
      "completes, and the rules go by the model's own points (default: disjoint where the "
      "background has 100 rows or more)")
      ->group(kGroup);
  add_path(verb, "--rule-background", arguments.rule.background, "DATA",
           "Rows that stand for the data in the rules instead of that half; those that complete "
           "are left out where donors are disjoint")
      ->group(kGroup);
  add_choice<std::optional<Imputer>>(
      verb, "--imputer", arguments.imputer,
      {{"conditional", Imputer::conditional},
       {"marginal", Imputer::marginal},
       {"mean", Imputer::mean}},
      "How removed features are completed: from a kernel density given those that are kept "
      "(default), from any row (default where there are categories), or by the mean")
      ->group(kGroup);
  verb.add_flag("--reachable", arguments.reachable,
                "Also --limit, without NAME=N: search for the best order there is, by the "
                "measurement itself, and give each "
                "method's share of what is reachable below chance: exact up to 8 features, greedy "
                "and on at most 30 rows up to 100, refused above")
      ->group(kGroup);
  add_count(verb, "--rows", arguments.rows, 1, "N",
            "Evaluate at most N rows, drawn with the seed (default: 300)")
      ->group(kGroup);
  add_count(verb, "--samples", arguments.samples, 1, "N",
            "Completed rows for each measurement (default: 50)")
      ->group(kGroup);
  add_count(verb, "--seed", arguments.seed, 0, "N", "Of all random draws (default: 0)")
      ->group(kGroup);
}

void add_output_options(CLI::App& verb, EvaluateArguments& arguments) {
  constexpr auto kGroup = "Output (a table to read goes to standard output; - is that, too)";
  add_output(verb, "-o,--output", arguments.output, "FILE", "The table as CSV")->group(kGroup);
  add_output(verb, "--json", arguments.json, "FILE", "Everything, row by row")->group(kGroup);
  add_output(verb, "--curves", arguments.curves, "FILE",
             "The mean flipping curves as CSV: method,removed,mean")
      ->group(kGroup);
}

}  // namespace

void evaluate_command(const EvaluateArguments& arguments, std::ostream& out) {
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

void add_evaluate(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "evaluate",
      "How faithful are explanations? Removes the features that each method calls relevant, "
      "completes the rows from the data, and measures how soon the prediction flips (AUFC).");
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
  verb.callback([arguments, &action] {
    action = [arguments](std::ostream& out, std::ostream& notes) {
      arguments->input.notes = &notes;
      evaluate_command(*arguments, out);
    };
  });
}

}  // namespace bisector::cli
