// bisector choose: measures which method is the most faithful for a model, and stores the choice.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <ostream>

#include "bisector/choose.h"
#include "bisector/error.h"
#include "bisector/io/model_file.h"
#include "cli/options/file_roles.h"
#include "cli/options/input.h"
#include "cli/options/option_values.h"
#include "cli/options/rule_options.h"
#include "cli/verbs.h"
#include "cli/writers/json_text.h"
#include "tools/output_file.h"
#include "tools/progress.h"

namespace bisector::cli {
namespace {

struct ChooseArguments {
  InputArguments input;
  std::filesystem::path background, output;
  std::optional<std::size_t> rows, samples, seed, threads;
  std::optional<double> level;
  View view = View::model;
  bool json = false;
};

ChooseOptions options_of(const ChooseArguments& arguments, tools::Progress& progress) {
  ChooseOptions options;
  options.view = arguments.view;
  options.rows = arguments.rows.value_or(options.rows);
  options.samples = arguments.samples.value_or(options.samples);
  options.seed = arguments.seed.value_or(options.seed);
  options.explain.level = arguments.level;
  options.explain.threads = thread_count(arguments.threads);
  options.progress = [&progress, rows = options.rows](std::size_t done, std::size_t total) {
    progress.update(done * rows / total, static_cast<double>(done) / static_cast<double>(total));
  };
  return options;
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

/// Shows progress; errors name the file of the background.
Choice measured_choice(const ChooseArguments& arguments, const Model& model,
                       const Matrix& background) {
  tools::Progress progress = tools::Progress::on_terminal("measuring", false);
  try {
    return choose(model, background.view(), options_of(arguments, progress));
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

}  // namespace

void add_choose(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "choose",
      "Tries each explanation method on your data and stores the most faithful one in the model "
      "file, for explain and report.");
  const auto arguments = std::make_shared<ChooseArguments>();
  add_path(verb, "MODEL", arguments->input.model, "",
           "A LIBSVM model file or an .npz bundle; with --knn the training rows")
      ->required();
  add_path(verb, "--background", arguments->background, "DATA",
           "Rows that represent the data, such as the training rows: at least 140");
  CLI::Option* const output =
      add_output(verb, "-o,--output", arguments->output, "MODEL.npz",
                 "Where the model with the choice is written; may be the model file itself");
  set_role(output, FileRole::replacement);
  add_choice(verb, "--view", arguments->view, enum_values<View>(),
             "Explain what the model uses (default), or what is correlated with its decision "
             "in the data");
  add_count(verb, "--rows", arguments->rows, 1, "N", "Rows to evaluate (default: 40)");
  add_count(verb, "--samples", arguments->samples, 1, "N",
            "Imputed rows per measurement (default: 20)");
  add_count(verb, "--seed", arguments->seed, 0, "N", "Seed of all random draws (default: 0)");
  add_number(verb, "--level", arguments->level, kAnyNumber, "T",
             "Regression: above or below T (default: the mean of the training target)");
  verb.add_flag("--json", arguments->json, "The table as JSON");
  add_data_options(verb, arguments->input);
  add_background_drop(verb, arguments->input);
  add_knn_options(verb, arguments->input);
  add_threads_option(verb, arguments->threads);
  verb.footer("Example:\n  bisector choose wine.npz --background train.csv -o wine.npz");
  set_action(verb, action, arguments, choose_command);
}

}  // namespace bisector::cli
