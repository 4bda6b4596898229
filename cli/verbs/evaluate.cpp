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
  RuleArguments rule;                // parameters are set in the methods that have them
  std::filesystem::path background;  // donor rows; evaluate: empty for the data
  std::filesystem::path output;
  std::optional<std::size_t> rows, samples, seed;
  bool json = false;
};

struct EvaluateArguments : MeasurementArguments {
  std::vector<std::string> methods;    // empty: all that are defined for the model
  std::vector<std::string> relevance;  // files
  bool for_predicted = false;          // positive values in files push toward the predicted class
  std::optional<Donors> donors;
  std::optional<Imputer> imputer;
  std::filesystem::path curves;
};

struct ChooseArguments : MeasurementArguments {
  View view = View::model;
};

/// The words of lists that are separated by commas.
std::vector<std::string> split(const std::vector<std::string>& lists) {
  std::vector<std::string> words;
  for (const auto& list : lists) {
    for (auto& word : CLI::detail::split(list, ',')) words.push_back(CLI::detail::trim(word));
  }
  return words;
}

/// Without names: all methods that are defined for the model.
std::vector<Candidate> by_name(const EvaluateArguments& arguments, const Model& model) {
  const std::uint64_t seed = arguments.seed.value_or(0);
  try {
    if (arguments.methods.empty() && arguments.relevance.empty())
      return default_candidates(model, arguments.rule.parameters, seed);
    return candidates_from_names(split(arguments.methods), arguments.rule.parameters, seed);
  } catch (const InvalidInput& error) {
    throw UsageError(fmt::format("--methods: {}", error.what()));
  }
}

/// The requested files and methods, or the default methods. Throws UsageError for an unknown method
/// and for a parameter that none of the methods has.
std::vector<Candidate> candidates_of(const EvaluateArguments& arguments, const Subject& subject) {
  std::vector<Candidate> candidates = by_name(arguments, subject.model);
  std::vector<Candidate> files;
  for (const auto& file : arguments.relevance)
    files.push_back(
        {file, GivenRelevance{read_relevance(file, subject.model, subject.features,
                                             subject.rows.rows(), arguments.input.format.limits),
                              arguments.for_predicted}});
  candidates.insert(candidates.begin(), files.begin(), files.end());
  return candidates;
}

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
  options.rows = arguments.rows.value_or(options.rows);
  options.samples = arguments.samples.value_or(options.samples);
  options.seed = arguments.seed.value_or(options.seed);
  options.explain.level = arguments.rule.options.level;
  options.explain.threads = thread_count(arguments.rule.threads);
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

/// `rows` and `samples` are the defaults.
void add_measurement_options(CLI::App& verb, MeasurementArguments& arguments, std::size_t rows,
                             std::size_t samples, const std::string& background) {
  const OptionGroup group(verb, "The measurement");
  add_path(verb, "--background", arguments.background, "DATA", background);
  add_count(verb, "--rows", arguments.rows, 1, "N",
            fmt::format("Evaluate at most N rows, drawn with the seed (default: {})", rows));
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
  add_path(verb, "--rule-background", arguments.rule.background, "DATA",
           "Rows that represent the data for the methods instead of that half; donor rows are left "
           "out if donors are disjoint");
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

/// Options about files, which both verbs have.
void add_file_options(CLI::App& verb, MeasurementArguments& arguments) {
  add_data_options(verb, arguments.input);
  add_background_drop(verb, arguments.input);
  add_knn_options(verb, arguments.input);
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
  add_parameter_options(verb, arguments->rule);
  add_file_options(verb, *arguments);
  add_row_policies(verb, arguments->input);
  add_speed_options(verb, arguments->rule.options.precision, arguments->rule.threads);
  verb.footer(
      "Examples:\n"
      "  bisector evaluate wine.model test.csv --background train.csv\n"
      "  bisector evaluate wine.model test.csv --methods lrp,lrp-path --eta 0.3 --curves "
      "curves.csv\n"
      "  bisector evaluate wine.model test.csv --relevance mine.npy --for predicted");
  set_action(verb, action, arguments, evaluate_command);
}

void add_choose(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "choose",
      "Tries each explanation method on your data and stores the most faithful one in the model "
      "file, for explain and report.");
  const auto arguments = std::make_shared<ChooseArguments>();
  add_path(verb, "MODEL", arguments->input.model, "",
           "A LIBSVM model file or an .npz bundle; with --knn the training rows")
      ->required();
  add_measurement_options(verb, *arguments, ChooseOptions{}.rows, ChooseOptions{}.samples,
                          "Rows that represent the data, such as the training rows: at least 140");
  CLI::Option* const output =
      add_output(verb, "-o,--output", arguments->output, "MODEL.npz",
                 "Where the model with the choice is written; may be the model file itself");
  set_role(output, FileRole::replacement);
  add_choice(verb, "--view", arguments->view, enum_values<View>(),
             "Explain what the model uses (default), or what is correlated with its decision "
             "in the data");
  add_number(verb, "--level", arguments->rule.options.level, kAnyNumber, "T",
             "Regression: above or below T (default: the mean of the training target)");
  verb.add_flag("--json", arguments->json, "The table as JSON");
  add_file_options(verb, *arguments);
  add_threads_option(verb, arguments->rule.threads);
  verb.footer("Example:\n  bisector choose wine.npz --background train.csv -o wine.npz");
  set_action(verb, action, arguments, choose_command);
}

}  // namespace bisector::cli
