// bisector evaluate: how faithful are explanations? bisector choose: which method is the most
// faithful for a model, stored in its file.
#include "cli/verbs/evaluate.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/choose.h"
#include "bisector/error.h"
#include "bisector/evaluate.h"
#include "bisector/io/model_file.h"
#include "cli/options/file_roles.h"
#include "cli/options/help.h"
#include "cli/options/input.h"
#include "cli/options/option_values.h"
#include "cli/options/rule_options.h"
#include "cli/verbs.h"
#include "cli/writers/evaluation_writer.h"
#include "cli/writers/json_text.h"
#include "cli/writers/relevance_file.h"
#include "tools/output_file.h"
#include "tools/progress.h"

namespace bisector::cli {
namespace {

/// What both verbs have.
struct MeasurementArguments {
  InputArguments input;
  RuleArguments rule;
  std::filesystem::path background;  // donor rows; evaluate: empty for the data
  std::filesystem::path output;
  std::optional<std::size_t> sample, samples, seed;
  bool json = false;
};

struct EvaluateArguments : MeasurementArguments {
  std::vector<std::string> methods;    // with parameters; empty: all defined for the model
  std::vector<std::string> relevance;  // files
  std::optional<Donors> donors;
  std::optional<Imputer> imputer;
  std::filesystem::path curves;
};

struct ChooseArguments : MeasurementArguments {
  View view = View::model;
};

/// A method with its parameters, or a random order. The name of its result is what was typed.
Candidate candidate_of(const std::string& text, std::uint64_t seed) {
  const NameWithParameters method = parse_parameters("--method", text);
  const MethodParameters parameters = parameters_of(method);
  try {
    const bool has_seed = parameters.contains("seed");
    Candidate candidate = candidates_from_names({&method.name, 1}, parameters, seed).front();
    if (has_seed) candidate.what = method_from_name(method.name, parameters);
    candidate.name = text;
    return candidate;
  } catch (const InvalidInput& error) {
    throw UsageError(fmt::format("--method: {}", error.what()));
  }
}

/// The requested files and methods, or the default methods.
std::vector<Candidate> candidates_of(const EvaluateArguments& arguments, const Subject& subject) {
  const std::uint64_t seed = arguments.seed.value_or(0);
  std::vector<Candidate> candidates;
  for (const auto& file : arguments.relevance)
    candidates.push_back(
        {file, GivenRelevance{read_relevance(file, subject.model, subject.features,
                                             subject.rows.rows(), arguments.input.format.limits),
                              arguments.rule.for_predicted}});
  for (const auto& text : arguments.methods) candidates.push_back(candidate_of(text, seed));
  return candidates.empty() ? default_candidates(subject.model, {}, seed) : candidates;
}

EvaluateOptions options_of(const EvaluateArguments& arguments, const Model& model) {
  EvaluateOptions options;
  options.flipping.samples = arguments.samples.value_or(options.flipping.samples);
  options.flipping.rows = arguments.sample.value_or(options.flipping.rows);
  options.flipping.seed = arguments.seed.value_or(options.flipping.seed);
  options.flipping.imputer = arguments.imputer.value_or(default_imputer(model));
  options.explain = explain_options(arguments.rule, arguments.input, model);
  options.explain.unit = Unit::g;  // features are removed in the order of their signed relevance
  options.flipping.threads = options.explain.threads;
  options.precision = options.explain.precision;
  options.donors = arguments.donors;
  return options;
}

/// Calls work(progress of the library) and shows the progress over `rows` rows.
template <class Work>
auto measured(std::size_t rows, const Work& work) {
  tools::Progress progress = tools::Progress::on_terminal("measuring", false);
  return work([&progress, rows](std::size_t done, std::size_t total) {
    progress.update(done * rows / total, static_cast<double>(done) / static_cast<double>(total));
  });
}

bool has_table(const EvaluateArguments& arguments) {
  return arguments.json || !arguments.output.empty();
}

/// The table for people goes to `out` unless a requested result does.
void write_evaluation(const EvaluateArguments& arguments, const EvaluationReport& report,
                      std::ostream& out) {
  std::optional<tools::Output> table, curves;
  if (has_table(arguments)) table.emplace(arguments.output, out);
  if (!arguments.curves.empty()) curves.emplace(arguments.curves, out);
  const bool is_taken = (table && tools::is_standard_output(arguments.output)) ||
                        (curves && tools::is_standard_output(arguments.curves));
  if (!is_taken) write_evaluation_text(out, report);
  if (table) {
    const bool is_json = arguments.json || arguments.output.extension() == ".json";
    (is_json ? write_evaluation_json : write_evaluation_csv)(table->stream(), report);
    table->commit();
  }
  if (!curves) return;
  write_curves_csv(curves->stream(), report);
  curves->commit();
}

void evaluate_command(const EvaluateArguments& arguments, std::ostream& out, std::ostream&) {
  if (arguments.rule.for_predicted && arguments.relevance.empty())
    throw UsageError("--class predicted is about the signs in --relevance FILE; add that option");
  if (arguments.curves == "-" && has_table(arguments) &&
      tools::is_standard_output(arguments.output))
    throw UsageError("several results go to standard output; use - for one of them only");
  const Subject subject = read_subject(arguments.input, arguments.background);
  const EvaluateOptions options = options_of(arguments, subject.model);
  const std::string data = arguments.input.data.string();
  write_evaluation(
      arguments,
      {subject.model, arguments.input.model.string(), data,
       arguments.background.empty() ? data : arguments.background.string(), subject.rows.rows(),
       options.flipping.samples, options.flipping.seed, options.flipping.imputer,
       evaluate_subject(subject, candidates_of(arguments, subject), options)},
      out);
}

std::string text_of(const MeasuredMethod& measured, const Choice& choice) {
  std::string text = fmt::format("{:<26} {:>8} {:>8}   (AUFC: lower is better, no unit)\n",
                                 "method", "AUFC", "± s.e.");
  for (const auto& [label, aufc, error] : measured.figures)
    text += fmt::format("{:<26} {:>8.3f} {:>8.3f}{}\n", label, aufc, error,
                        label == choice.name ? "   <- taken" : "");
  return text + fmt::format("\n{} ({} view): {}\n", name(choice.measured.method),
                            name(measured.view), choice.reason);
}

std::string json_of(const MeasuredMethod& measured, const Choice& choice) {
  Json figures = Json::array();
  for (const auto& [label, aufc, error] : measured.figures)
    figures.push_back({{"name", label}, {"aufc", aufc}, {"standard_error", error}});
  return json_text({{"method", std::string(name(choice.measured.method))},
                    {"candidate", choice.name},
                    {"view", std::string(name(measured.view))},
                    {"reason", choice.reason},
                    {"rows", measured.rows},
                    {"figures", figures}}) +
         '\n';
}

/// Errors name the file of the background.
Choice measured_choice(const ChooseArguments& arguments, const Model& model,
                       const Matrix& background) {
  ChooseOptions options;
  options.view = arguments.view;
  options.rows = arguments.sample.value_or(options.rows);
  options.samples = arguments.samples.value_or(options.samples);
  options.seed = arguments.seed.value_or(options.seed);
  const ExplainOptions given = explain_options(arguments.rule, arguments.input, model);
  options.explain.level = given.level;
  options.explain.threads = given.threads;
  try {
    return measured(options.rows, [&](auto progress) {
      options.progress = progress;
      return choose(model, background.view(), options);
    });
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", arguments.background.string(), error.what()));
  }
}

void choose_command(const ChooseArguments& arguments, std::ostream& out, std::ostream& notes) {
  if (arguments.background.empty())
    throw UsageError(
        "--background is missing; add --background DATA with rows that represent the data");
  if (!arguments.output.empty() && arguments.output.extension() != ".npz")
    throw UsageError(fmt::format("the output {} is not a model file; use a name that ends in .npz",
                                 arguments.output.string()));
  const Model model = load_model(arguments.input);
  if (arguments.rule.versus && !model.is_regressor())
    throw UsageError("--versus is for models that predict numbers; leave it out");
  const Matrix background = read_rows(arguments.background, arguments.input, model);
  const Choice choice = measured_choice(arguments, model, background);
  const MeasuredMethod& kept = choice.measured;
  if (!arguments.output.empty()) {
    tools::OutputFile file(arguments.output);
    write_bundle(file.stream(), model.with_measured(kept), load_extras(arguments.input));
    file.commit();
  }
  tools::Output output({}, out);
  output.stream() << (arguments.json ? json_of(kept, choice) : text_of(kept, choice));
  output.commit();
  if (arguments.output.empty())
    notes
        << "note: the choice was not stored; add -o MODEL.npz to store it for explain and report\n";
}

void add_candidate_options(CLI::App& verb, EvaluateArguments& arguments) {
  const OptionGroup group(verb, "What is evaluated");
  add_list(verb, "--method", arguments.methods, "NAME[:PARAMETER=VALUE,...]",
           fmt::format("A method, such as lrp:eta=0.5,kappa=2; repeatable: {}, or random for a "
                       "random order (default: all that are defined "
                       "for the model except shapley-exact)",
                       fmt::join(method_names(), ", ")));
  set_role(add_list(verb, "--relevance", arguments.relevance, "FILE",
                    "Existing contributions, one row per row of DATA: CSV as explain writes it, or "
                    "a matrix as CSV or NPY; repeatable"),
           FileRole::input);
}

/// `sample` and `samples` are the defaults.
void add_measurement_options(CLI::App& verb, MeasurementArguments& arguments, std::size_t sample,
                             std::size_t samples, const std::string& background) {
  const OptionGroup group(verb, "The measurement");
  add_path(verb, "--background", arguments.background, "DATA", background);
  add_count(verb, "--sample", arguments.sample, 1, "N",
            fmt::format("Evaluate at most N rows, drawn with the seed (default: {})", sample));
  add_count(verb, "--samples", arguments.samples, 1, "N",
            fmt::format("Imputed rows per measurement (default: {})", samples));
  add_count(verb, "--seed", arguments.seed, 0, "N", "Seed of all random draws (default: 0)");
}

void add_donor_options(CLI::App& verb, EvaluateArguments& arguments) {
  const OptionGroup group(verb, "The measurement");
  add_choice(
      verb, "--donors", arguments.donors, enum_values<Donors>(),
      "disjoint: the methods see one random half of the background, and the other half imputes, so "
      "that no method profits from knowing the donor rows; same: all rows impute, and the methods "
      "use the model's points (default: disjoint if the background has 100 rows or more)");
  add_choice(verb, "--imputer", arguments.imputer, enum_values<Imputer>(),
             "How removed features are imputed: from a kernel density given the other features "
             "(default), from any row (default for models with categories), or by the mean");
}

void add_output_options(CLI::App& verb, EvaluateArguments& arguments) {
  const OptionGroup group(verb, "Output");
  add_output(verb, "-o,--output", arguments.output, "FILE",
             ".csv: the table; .json: everything, row by row (default: a table for people)");
  verb.add_flag("--json", arguments.json, "Write JSON (default for an output that ends in .json)");
  add_output(verb, "--curves", arguments.curves, "FILE",
             "The mean flipping curves as CSV: method,removed,mean");
}

}  // namespace

Subject read_subject(const InputArguments& input, const std::filesystem::path& background) {
  const Model read = load_model(input);
  RowSource source(input.data, input, read);
  Subject subject{source.widen(read), source.feature_names(), {}, {}};
  subject.rows = source.rest();
  if (input.notes != nullptr) source.write_unusable(*input.notes);
  if (subject.rows.rows() == 0)
    throw InvalidInput(fmt::format("{} has no rows to evaluate", input.data.string()));
  if (!background.empty()) subject.background = read_rows(background, input, subject.model);
  return subject;
}

Evaluation evaluate_subject(const Subject& subject, const std::vector<Candidate>& candidates,
                            EvaluateOptions options) {
  return measured(std::min(subject.rows.rows(), options.flipping.rows), [&](auto progress) {
    options.flipping.progress = progress;
    return evaluate(subject.model, subject.rows, subject.background.value_or(subject.rows),
                    candidates, options);
  });
}

void add_evaluate(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "evaluate",
      "How faithful are explanations? Removes the most relevant features first, imputes them from "
      "the data, and measures how soon the prediction changes (AUFC).");
  const auto arguments = std::make_shared<EvaluateArguments>();
  add_input_files(verb, arguments->input, "The rows to evaluate");
  add_candidate_options(verb, *arguments);
  add_measurement_options(verb, *arguments, PixelFlippingOptions{}.rows,
                          PixelFlippingOptions{}.samples,
                          "Rows that represent the data, best the training rows: removed features "
                          "are imputed from them (default: DATA itself)");
  add_donor_options(verb, *arguments);
  add_output_options(verb, *arguments);
  add_class_options(verb, arguments->rule,
                    ", or predicted if the contributions of --relevance push toward that of each "
                    "row");
  add_model_table_options(verb, arguments->input);
  add_threads_option(verb, arguments->rule.threads);
  list_first(verb, {"--background", "--method", "--relevance", "--sample", "--samples", "--output",
                    "--json", "--curves", "--drop", "--threads"});
  verb.footer(
      "Examples:\n"
      "  bisector evaluate wine.model test.csv --background train.csv\n"
      "  bisector evaluate wine.model test.csv --method lrp:eta=0.3 --method lrp-path\n"
      "  bisector evaluate wine.model test.csv --curves curves.csv\n"
      "  bisector evaluate wine.model test.csv --relevance mine.npy --class predicted");
  set_action(verb, action, arguments, evaluate_command);
}

void add_choose(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "choose",
      "Tries each explanation method on your data and stores the most faithful one in the model "
      "file, for explain and report.");
  const auto arguments = std::make_shared<ChooseArguments>();
  add_path(verb, "MODEL", arguments->input.model, "", kModelFormats)->required();
  add_measurement_options(verb, *arguments, ChooseOptions{}.rows, ChooseOptions{}.samples,
                          "Rows that represent the data, such as the training rows: at least 140");
  CLI::Option* const output =
      add_output(verb, "-o,--output", arguments->output, "MODEL.npz",
                 "Where the model with the choice is written; may be the model file itself");
  set_role(output, FileRole::replacement);
  add_choice(verb, "--view", arguments->view, enum_values<View>(),
             "Explain what the model uses (default), or what is correlated with its decision "
             "in the data");
  add_level_option(verb, arguments->rule);
  verb.add_flag("--json", arguments->json, "The table as JSON");
  add_table_options(verb, arguments->input, "the training target");
  add_threads_option(verb, arguments->rule.threads);
  verb.footer("Example:\n  bisector choose wine.npz --background train.csv -o wine.npz");
  set_action(verb, action, arguments, choose_command);
}

}  // namespace bisector::cli
