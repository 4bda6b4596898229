// bisector-paper: the paper's tables and studies, each by one command.
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>

#include "bisector/version.h"
#include "dipole/dipole.h"
#include "studies.h"
#include "tools/output_file.h"
#include "tools/platform/machine.h"
#include "tools/platform/unfinished_files.h"
#include "wine/wine.h"

namespace bisector::paper {
namespace {

struct Program {
  CLI::App app{"The studies of the paper behind bisector, compared with the published numbers.",
               "bisector-paper"};
  std::function<void()> action;
};

template <class Options>
struct Verb {
  CLI::App& app;
  std::shared_ptr<Options> options = std::make_shared<Options>();
};

/// Adds a verb that calls `run`, with the option --out.
template <class Options>
Verb<Options> add_verb(Program& program, const std::string& name, const std::string& description,
                       void (*run)(const Options&, std::ostream&)) {
  Verb<Options> verb{*program.app.add_subcommand(name, description)};
  verb.app
      .add_option("--out", verb.options->out,
                  "Folder of the results; a run that was killed continues there")
      ->capture_default_str();
  verb.app.callback([options = verb.options, run, &program] {
    program.action = [options, run] { run(*options, std::cout); };
  });
  return verb;
}

/// Adds a verb that also reads datasets: with --data.
template <class Options>
Verb<Options> add_study(Program& program, const std::string& name, const std::string& description,
                        void (*run)(const Options&, std::ostream&)) {
  Verb<Options> verb = add_verb(program, name, description, run);
  if (const char* folder = std::getenv("BISECTOR_DATA")) verb.options->data = folder;
  verb.app.add_option("--data", verb.options->data,
                      "Folder of the datasets (default: $BISECTOR_DATA)");
  return verb;
}

void add_count(CLI::App& verb, const std::string& name, std::size_t& value,
               const std::string& description) {
  verb.add_option(name, value, description)->check(CLI::PositiveNumber)->capture_default_str();
}

void add_datasets(CLI::App& verb, std::vector<std::string>& datasets) {
  verb.add_option("--datasets", datasets, "Only these ids, separated by commas")->delimiter(',');
}

constexpr auto kSeeds = "Number of seeds of split and sampling; image datasets take one";

void add_tables(Program& program) {
  for (const auto& [app, options] :
       {add_study(program, "table", "The paper's Table 2: AUFC of every method", run_table),
        add_study(program, "ablation", "Gradient x input on f, on g, then LRP, per dataset",
                  run_ablation)}) {
    add_count(app, "--seeds", options->seeds, kSeeds);
    add_datasets(app, options->datasets);
    app.add_flag("--tune", options->selection.tune_all,
                 "Tune gamma, C and k instead of the paper's values");
    app.add_flag("--balanced", options->selection.is_balanced,
                 "Tune by the balanced accuracy instead of the accuracy");
  }
}

void add_heuristics(Program& program) {
  const auto rules =
      add_verb(program, "heuristics",
               "The rules' parameters on generated problems (the paper's Note G)", run_heuristics);
  add_count(rules.app, "--problems", rules.options->problems, "Number of generated problems");
  add_count(rules.app, "--rows", rules.options->rows, "Explained rows per problem");
}

void add_use_cases(Program& program) {
  add_study(program, "wine", "Use case 1: what makes a wine good", run_wine);
  const auto dipole =
      add_study(program, "dipole", "Use case 2: what makes a molecule polar", run_dipole);
  dipole.app.add_option("--level", dipole.options->level,
                        "Explain why the prediction is above this many Debye; the paper's is 0 "
                        "(default: the mean of the training molecules)");
}

int run(int argc, char** argv) {
  Program program;
  program.app.set_version_flag("--version", std::string(kVersion));
  program.app.require_subcommand(1);
  program.app.footer("Example:\n  bisector-paper table --data ~/data --out results");
  add_tables(program);
  add_heuristics(program);
  add_use_cases(program);
  add_verb(program, "overview",
           "The paper's Figure 1: f, g and the most influential units of an SVM and a KNN",
           run_overview);
  try {
    program.app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.app.exit(error) == 0 ? 0 : 2;
  }
  tools::remove_unfinished_files_on_signals();
  program.action();
  tools::Output({}, std::cout).commit();  // report a failed write to standard output
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
