#include "cli/options/rule_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "bisector/error.h"
#include "cli/options/file_roles.h"
#include "cli/options/option_values.h"
#include "cli/verb.h"

namespace bisector::cli {
namespace {

constexpr unsigned kMaxThreads = 1024;
constexpr auto kSpeedGroup = "Speed";

Reference read_reference(const std::string& text, const InputArguments& input, const Model& model) {
  if (text.empty()) return {Reference::Kind::automatic, {}};
  if (text == "origin") return {Reference::Kind::origin, {}};
  if (text == "mean") return {Reference::Kind::mean, {}};
  const Matrix rows = read_rows(text, input, model);
  if (rows.rows() != 1)
    throw InvalidInput(
        fmt::format("{} has {} rows, expected one: the reference point", text, rows.rows()));
  return {Reference::Kind::given, rows.values()};
}

constexpr auto kPoolGroup = "What is explained";

void add_pool_options(CLI::App& app, RuleArguments& arguments) {
  ExplainOptions& options = arguments.options;
  add_choice<std::optional<View>>(
      app, "--view", arguments.parameters.view, {{"model", View::model}, {"data", View::data}},
      "What the model uses (default), or what, in data like these, goes with its decision")
      ->group(kPoolGroup);
  add_text(app, "--class", options.positive_class, "A",
           "The class that positive relevance speaks for (default: with two classes the one that "
           "inspect names, with more the predicted class)")
      ->group(kPoolGroup);
  add_text(app, "--versus", options.versus, "B",
           "The class to contrast with (default: the strongest rival)")
      ->group(kPoolGroup);
  add_number(app, "--level", options.level, kAnyNumber, "T",
             "Regression: explain why the prediction is above T (default: the mean of the "
             "training target where the model knows it, else 0)")
      ->group(kPoolGroup);
}

constexpr auto kRuleGroup = "The rule (auto sets what is not given)";
constexpr auto kMethodGroup = "The method";

/// The parameters that the rules share, and the reference point; the note is about --eta.
void add_shared_parameters(CLI::App& app, RuleArguments& arguments, const std::string& note) {
  MethodParameters& parameters = arguments.parameters;
  add_number(app, "--eta", parameters.eta, kFraction, "V",
             "From 0 (gradient x input on g) to 1 (midpoint rule)" + note)
      ->group(kRuleGroup);
  add_number(app, "--beta", parameters.beta, kPositive, "V",
             "Kernel machines: stiffness of the responsibilities (default: gamma)")
      ->group(kRuleGroup);
  add_count(app, "--kappa", parameters.kappa, 0, "V",
            "Neighbors: half-width of the band of ranks (default: (k-1)/2)")
      ->group(kRuleGroup);
  CLI::Option* const reference =
      add_text(app, "--reference", arguments.reference, "origin|mean|FILE",
               "The point from which eta < 1 measures a row; FILE has one row of data (default: "
               "the origin, or the mean where the model's points are off-center)");
  set_role(reference, FileRole::input)->group(kRuleGroup);
  app.add_flag_callback(
         "--ignore-intercept", [&parameters] { parameters.ignore_intercept = true; },
         "Keep the intercept's share out of the relevance")
      ->group(kRuleGroup);
}

/// Those that only some methods have.
void add_own_parameters(CLI::App& app, RuleArguments& arguments) {
  MethodParameters& parameters = arguments.parameters;
  add_choice<std::optional<ExplainedOutput>>(
      app, "--on", parameters.output,
      {{"f", ExplainedOutput::f}, {"g", ExplainedOutput::g}, {"votes", ExplainedOutput::votes}},
      "What gi, ig, sensitivity, occlusion and shapley explain: the model's own f "
      "(for neighbors the outcome, default), the network's g, or the neighbors' "
      "votes")
      ->group(kMethodGroup);
  add_count(app, "--steps", parameters.steps, 1, "N", "ig: steps of the path (default: 10)")
      ->group(kMethodGroup);
  add_count(app, "--sequences", parameters.sequences, 1, "N",
            "shapley: random removal sequences (default: 10)")
      ->group(kMethodGroup);
  add_path_options(app, arguments);
}

}  // namespace

void add_rule_options(CLI::App& app, RuleArguments& arguments) {
  add_pool_options(app, arguments);
  add_choice<Unit>(
      app, "--unit", arguments.options.unit,
      {{"g", Unit::g}, {"decision", Unit::decision}, {"share", Unit::share}},
      "What relevance is counted in: g, which the rules explain and which has no unit; "
      "the model's own output (decision value, votes, the target's unit above the "
      "level); or per cent of it (default: g, in reports decision)")
      ->group(kPoolGroup);
  add_shared_parameters(app, arguments,
                        "; without --method this, --beta, --kappa and --ignore-intercept mean lrp");
  add_path(app, "--background", arguments.background, "DATA",
           "Rows that stand for the data: references, neighbors, median distance and mean are "
           "theirs instead of the model's points', and shapley-exact is the mean over them (unless "
           "--reference is given)")
      ->group(kRuleGroup);
}

void add_path_options(CLI::App& app, RuleArguments& arguments) {
  MethodParameters& parameters = arguments.parameters;
  add_count(app, "--path-steps", parameters.path_steps, 1, "N",
            "lrp-path: gradients on the way to the reference (default: 5)")
      ->group(kMethodGroup);
  add_count(app, "--references", parameters.references, 1, "N",
            "lrp-expected: references, a step of the way from each (default: 60); shapley-exact: "
            "references out of the background or the model's points (default: the reference "
            "alone, or with --background all of it)")
      ->group(kMethodGroup);
  add_choice<std::optional<ReferenceSide>>(
      app, "--side", parameters.side,
      {{"all", ReferenceSide::all}, {"other", ReferenceSide::other}, {"both", ReferenceSide::both}},
      "lrp-expected: where the references stand, as the model decides about them: anywhere, "
      "opposite to the row, or on both sides in equal parts (default: both, regressors all)")
      ->group(kMethodGroup);
  add_number(app, "--neighborhood", parameters.neighborhood, kFraction, "V",
             "lrp-path, lrp-expected, shapley-exact: share of the neighborhood rule blended in "
             "(default: 0)")
      ->group(kMethodGroup);
}

void add_method_options(CLI::App& app, RuleArguments& arguments) {
  add_text(
      app, "--method", arguments.method, "NAME",
      "auto (default: the best rule known for the kind of model), lrp (the paper's), lrp-path, "
      "lrp-expected, neighborhood, gi (gradient x input), ig (integrated gradients), sensitivity, "
      "occlusion, shapley (sampled) or shapley-exact")
      ->group(kMethodGroup);
  add_own_parameters(app, arguments);
  add_count(app, "--seed", arguments.parameters.seed, 0, "N",
            "lrp-expected, neighborhood, shapley, shapley-exact: seed of the draws (default: 0)")
      ->group(kMethodGroup);
}

void add_parameter_options(CLI::App& app, RuleArguments& arguments) {
  add_pool_options(app, arguments);
  add_shared_parameters(app, arguments, "");
  add_own_parameters(app, arguments);
}

void add_threads_option(CLI::App& app, std::optional<std::size_t>& threads) {
  add_count(app, "--threads", threads, 1, "N",
            "How many work (default: all); changes no number of the output")
      ->group(kSpeedGroup);
}

void add_chunk_option(CLI::App& app, std::optional<std::size_t>& chunk) {
  add_count(app, "--chunk", chunk, 1, "ROWS",
            "Rows in memory at a time (default: 8192, fewer for wide rows)")
      ->group(kSpeedGroup);
}

void add_speed_options(CLI::App& app, Precision& precision, std::optional<std::size_t>& threads) {
  add_choice<Precision>(app, "--precision", precision,
                        {{"double", Precision::float64}, {"float", Precision::float32}},
                        "float is faster, and falls back to double where its rounding would show "
                        "(default: double)")
      ->group(kSpeedGroup);
  add_threads_option(app, threads);
}

void add_machine_options(CLI::App& app, Precision& precision, std::optional<std::size_t>& threads,
                         std::optional<std::size_t>& chunk) {
  add_speed_options(app, precision, threads);
  add_chunk_option(app, chunk);
}

unsigned thread_count(std::optional<std::size_t> threads) {
  return static_cast<unsigned>(std::min<std::size_t>(threads.value_or(0), kMaxThreads));
}

Method method_of(const RuleArguments& arguments) {
  try {
    return method_from_name(arguments.method, arguments.parameters);
  } catch (const InvalidInput& error) {
    throw UsageError(error.what());
  }
}

ExplainOptions explain_options(const RuleArguments& arguments, const InputArguments& input,
                               const Model& model) {
  ExplainOptions options = arguments.options;
  options.threads = thread_count(arguments.threads);
  options.reference = read_reference(arguments.reference, input, model);
  if (!arguments.background.empty())
    options.background = read_rows(arguments.background, input, model);
  return options;
}

}  // namespace bisector::cli
