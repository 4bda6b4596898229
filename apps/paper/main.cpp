// bisector-paper: the paper's tables and studies, each by one command.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>

#include "bisector/version.h"
#include "choice/choice.h"
#include "concrete/concrete.h"
#include "dipole/dipole.h"
#include "figures/charts.h"
#include "figures/figures.h"
#include "figures/overview.h"
#include "heuristics/heuristics.h"
#include "table/other_models.h"
#include "table/table.h"
#include "tools/output_file.h"
#include "tools/platform/standard_streams.h"
#include "tools/platform/unfinished_files.h"
#include "truth/truth.h"
#include "wine/wine.h"

namespace bisector::paper {
namespace {

void add_study_options(CLI::App& verb, StudyOptions& options) {
  const char* folder = std::getenv("BISECTOR_DATA");
  if (folder != nullptr) options.data = folder;
  verb.add_option("--data", options.data, "The folder of the datasets (default: $BISECTOR_DATA)");
  verb.add_option("--out", options.out, "Where results go, and where a killed run continues")
      ->capture_default_str();
  verb.add_option("--seeds", options.seeds, "Seeds of split and sampling; image sets take one")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb.add_option("--datasets", options.datasets, "Only these, by id, separated by commas")
      ->delimiter(',');
  verb.add_flag("--tune", options.tune_all, "Tune gamma, C and k, rather than take the paper's");
}

void add_figure_verbs(CLI::App& app, OverviewOptions& options, std::function<void()>& action) {
  CLI::App& overview = *app.add_subcommand(
      "overview", "The paper's Figure 1: f, g and the deciding units of an SVM and a KNN, as SVG");
  CLI::App& figures = *app.add_subcommand(
      "figures", "Draws the figures of a folder with results anew, from their CSV files");
  for (CLI::App* verb : {&overview, &figures})
    verb->add_option("--out", options.out, "The folder of the results")->capture_default_str();
  overview.callback([&] { action = [&] { run_overview(options, std::cout); }; });
  figures.callback([&] { action = [&] { draw_all(options.out); }; });
}

/// What the use cases have in common.
template <class Options>
void add_case_options(CLI::App& verb, Options& options) {
  if (const char* folder = std::getenv("BISECTOR_DATA")) options.data = folder;
  verb.add_option("--data", options.data, "The folder of the datasets (default: $BISECTOR_DATA)");
  verb.add_option("--out", options.out, "Where results go, and where a killed run continues")
      ->capture_default_str();
}

void add_charts(CLI::App& app, std::function<void()>& action) {
  CLI::App& charts = *app.add_subcommand(
      "charts", "What an SVM makes of each dataset of the table, two charts each, as SVG");
  const auto options = std::make_shared<ChartsOptions>();
  add_case_options(charts, *options);
  charts.add_option("--datasets", options->datasets, "Only these, by id, separated by commas")
      ->delimiter(',');
  charts.callback([=, &action] { action = [=] { run_charts(*options, std::cout); }; });
}

void add_truth(CLI::App& app, std::function<void()>& action) {
  CLI::App& truth =
      *app.add_subcommand("truth", "Every method on generated problems whose effects are known");
  const auto options = std::make_shared<TruthOptions>();
  truth.add_option("--out", options->out, "Where results go, and where a killed run continues")
      ->capture_default_str();
  truth.add_option("--seeds", options->seeds, "Problems of each sort")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  truth.callback([=, &action] { action = [=] { run_truth(*options, std::cout); }; });
}

void add_other_models(CLI::App& app, std::function<void()>& action) {
  CLI::App& regressors = *app.add_subcommand(
      "regressors", "The table for kernel ridge, SVR and KNN regression, with disjoint donors");
  CLI::App& one_class =
      *app.add_subcommand("one-class", "The table for one-class SVMs, with disjoint donors");
  const auto options = std::make_shared<OtherModelsOptions>();
  for (CLI::App* verb : {&regressors, &one_class}) {
    add_case_options(*verb, *options);
    verb->add_option("--seeds", options->seeds, "Seeds of split and sampling")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
  }
  regressors.callback([=, &action] { action = [=] { run_regressors(*options, std::cout); }; });
  one_class.callback([=, &action] { action = [=] { run_one_class(*options, std::cout); }; });
}

void add_choice(CLI::App& app, std::function<void()>& action) {
  CLI::App& choice = *app.add_subcommand(
      "choice", "Which rule is the default: rules on problems outside the table");
  const auto options = std::make_shared<ChoiceOptions>();
  add_case_options(choice, *options);
  choice.add_option("--seeds", options->seeds, "Seeds of split and sampling; images take one")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  choice.add_option("--parts", options->parts, "Only these, separated by commas (default: all)")
      ->delimiter(',')
      ->check(CLI::IsMember(choice_parts()));
  choice.add_option("--rows", options->rows, "Held-out rows that are explained")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  choice.callback([=, &action] { action = [=] { run_choice(*options, std::cout); }; });
}

void add_use_cases(CLI::App& app, std::function<void()>& action) {
  CLI::App& wine = *app.add_subcommand("wine", "Use case 1: what makes a wine good");
  const auto wine_options = std::make_shared<WineOptions>();
  add_case_options(wine, *wine_options);
  wine.callback([=, &action] { action = [=] { run_wine(*wine_options, std::cout); }; });
  CLI::App& dipole = *app.add_subcommand("dipole", "Use case 2: what makes a molecule polar");
  const auto dipole_options = std::make_shared<DipoleOptions>();
  add_case_options(dipole, *dipole_options);
  dipole.add_option("--level", dipole_options->level,
                    "Explain why the prediction is above this, in Debye; the paper's is 0 "
                    "(default: the mean of the training molecules)");
  dipole.callback([=, &action] { action = [=] { run_dipole(*dipole_options, std::cout); }; });
  CLI::App& concrete = *app.add_subcommand(
      "concrete", "What is said of young concrete, by the paper's rule and by the default");
  const auto concrete_options = std::make_shared<ConcreteOptions>();
  add_case_options(concrete, *concrete_options);
  concrete.callback([=, &action] { action = [=] { run_concrete(*concrete_options, std::cout); }; });
}

void add_verbs(CLI::App& app, StudyOptions& study, HeuristicsOptions& heuristics,
               std::function<void()>& action) {
  CLI::App& table = *app.add_subcommand("table", "The paper's Table 2: AUFC of every method");
  add_study_options(table, study);
  table.callback([&] { action = [&] { run_table(study, std::cout); }; });
  CLI::App& ablation =
      *app.add_subcommand("ablation", "Gradient x input on f, on g, then LRP, per dataset");
  add_study_options(ablation, study);
  ablation.callback([&] { action = [&] { run_ablation(study, std::cout); }; });
  CLI::App& rules = *app.add_subcommand(
      "heuristics", "The rules' parameters on generated problems (the paper's Note G)");
  rules.add_option("--out", heuristics.out, "Where results go, and where a killed run continues")
      ->capture_default_str();
  rules.add_option("--problems", heuristics.problems, "Problems to generate")
      ->capture_default_str();
  rules.add_option("--rows", heuristics.rows, "Rows to explain in each")->capture_default_str();
  rules.callback([&] { action = [&] { run_heuristics(heuristics, std::cout); }; });
}

int run(int argc, char** argv) {
  CLI::App app("The experiments of the paper behind bisector, ours beside the published numbers.",
               "bisector-paper");
  app.set_version_flag("--version", std::string(kVersion));
  app.require_subcommand(1);
  app.footer("Example:\n  bisector-paper table --data ~/data --out results");
  StudyOptions study;
  HeuristicsOptions heuristics;
  std::function<void()> action;
  OverviewOptions overview;
  add_verbs(app, study, heuristics, action);
  add_figure_verbs(app, overview, action);
  add_charts(app, action);
  add_truth(app, action);
  add_choice(app, action);
  add_other_models(app, action);
  add_use_cases(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  tools::remove_unfinished_files_on_signals();
  action();
  tools::Output({}, std::cout).commit();  // a log that did not get through is no success
  return 0;
}

}  // namespace
}  // namespace bisector::paper

int main(int argc, char** argv) {
  bisector::tools::reopen_standard_streams();
  try {
    return bisector::paper::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
}
