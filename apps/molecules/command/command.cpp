#include "apps/molecules/command/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/options/limit_option.h"
#include "cli/options/option_values.h"
#include "cli/run.h"
#include "cli/verbs.h"

namespace bisector::molecules {

using namespace cli;

namespace {

/// Adds a verb whose action calls `command(arguments, out, notes)`.
template <class Arguments>
CLI::App& add_verb(CLI::App& app, Action& action, const std::string& name,
                   const std::string& description, const std::shared_ptr<Arguments>& arguments,
                   void (*command)(const Arguments&, std::ostream&, std::ostream&)) {
  CLI::App& verb = *app.add_subcommand(name, description);
  set_action(verb, action, arguments, command);
  return verb;
}

void add_molecules(CLI::App& verb, MoleculeArguments& arguments) {
  add_path(verb, "FILE.xyz", arguments.molecules, "",
           "The molecules, in Angstrom: XYZ with any number of frames, compressed or not, or a tar "
           "archive of such files; files of QM9 can be read as they are")
      ->required();
}

void add_reading_options(CLI::App& verb, MoleculeArguments& arguments) {
  add_count(verb, "--threads", arguments.threads, 1, "N", "Number of threads (default: all)");
  add_count(verb, "--max-atoms", arguments.max_atoms, 1, "N",
            fmt::format("Refuse molecules with more atoms (default: {})", kMaxAtoms))
      ->group("Reading data");
  add_limit_option(verb, arguments.limits);
}

void add_model(CLI::App& verb, std::filesystem::path& model) {
  add_path(verb, "MODEL", model, "", "A model file of bisector-molecules train")->required();
}

void add_format_option(CLI::App& verb, std::optional<TableFormat>& format) {
  using enum TableFormat;
  add_choice(
      verb, "--format", format, std::vector{csv, json, jsonl},
      "Format of the output, whatever its name; jsonl writes a line of JSON for each molecule");
}

void add_train(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<TrainArguments>();
  CLI::App& verb = add_verb(app, action, "train",
                            "Trains kernel ridge regression of a property: writes a model file.",
                            arguments, train_command);
  add_molecules(verb, *arguments);
  add_text(verb, "--property", arguments->property, "NAME",
           "What to learn: a key of the comment lines (mu=1.85), or the position of a number there")
      ->required();
  add_output(verb, "-o,--output", arguments->output, "MODEL.npz", "The model file to write")
      ->required();
  using enum RepresentationKind;
  add_choice<RepresentationKind>(verb, "--representation", arguments->representation,
                                 {{"bag-of-bonds", bag_of_bonds}, {"coulomb", coulomb_matrix}},
                                 "bag-of-bonds: sorted distances for each pair of elements; "
                                 "coulomb: the sorted Coulomb matrix "
                                 "(default: bag-of-bonds)");
  add_number(verb, "--gamma", arguments->gamma, kPositive, "G",
             "Gamma of the Gaussian kernel, after scaling to a median distance of 1 (default: 3)");
  add_number(verb, "--lambda", arguments->lambda, kPositive, "L", "The ridge (default: 0.1)");
  verb.add_flag("--tune", arguments->tune, "Choose gamma and lambda by cross-validation");
  add_count(verb, "--seed", arguments->seed, 0, "N", "Seed of the folds (default: 0)");
  add_reading_options(verb, *arguments);
  verb.footer("Example:\n  bisector-molecules train qm9.xyz.gz --property mu -o dipole.npz");
}

void add_predict(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<PredictArguments>();
  CLI::App& verb =
      add_verb(app, action, "predict",
               "Predicts the property of each molecule, and shows the actual value if it is known.",
               arguments, predict_command);
  add_model(verb, arguments->model);
  add_molecules(verb, *arguments);
  add_output(verb, "-o,--output", arguments->output, "FILE",
             ".csv, .json or .jsonl (default: CSV to standard output)");
  add_format_option(verb, arguments->format);
  add_text(verb, "--property", arguments->property, "NAME",
           "The actual values to show (default: the property that the model has learned)");
  add_reading_options(verb, *arguments);
  verb.footer("Example:\n  bisector-molecules predict dipole.npz new.xyz -o dipoles.csv");
}

void add_explanation_options(CLI::App& verb, RuleArguments& rule) {
  rule.options.unit = Unit::decision;
  add_choice(verb, "--unit", rule.options.unit, std::vector{Unit::decision, Unit::share, Unit::g},
             "decision: the unit of the property (default); share: per cent; g: the "
             "output of the network, which has no unit");
  add_number(verb, "--level", rule.options.level, kAnyNumber, "T",
             "Explain why the prediction is above T (default: the mean of the training molecules)");
  add_method_options(verb, rule);
}

void add_explain(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<ExplainArguments>();
  CLI::App& verb = add_verb(
      app, action, "explain",
      "Computes the relevance of each pair of atoms and each atom: why is the prediction above the "
      "level?",
      arguments, explain_command);
  add_model(verb, arguments->model);
  add_molecules(verb, *arguments);
  add_output(verb, "-o,--output", arguments->output, "FILE",
             ".csv: a line for each pair or atom; .json: both; .svg: a picture of one molecule; "
             ".html: a page in which the user can rotate the molecules (default: CSV to standard "
             "output)");
  add_format_option(verb, arguments->format);
  add_choice<std::optional<MoleculePart>>(
      verb, "--per", arguments->part, {{"pair", MoleculePart::pair}, {"atom", MoleculePart::atom}},
      "The subject of a line of CSV; an atom has half of the relevance of each of its pairs "
      "(default: pair)");
  add_count(verb, "--frame", arguments->frame, 1, "N", "Only molecule N of the file");
  add_count(verb, "--largest", arguments->largest, 1, "N",
            fmt::format("Page: the N molecules with the largest predictions (default: {})",
                        kMoleculesOnPage));
  add_text(verb, "--unit-name", arguments->unit_name, "TEXT",
           "Page or picture: the unit of the property, such as Debye");
  add_explanation_options(verb, arguments->rule);
  add_reading_options(verb, *arguments);
  verb.footer(
      "Examples:\n"
      "  bisector-molecules explain dipole.npz new.xyz -o pairs.csv\n"
      "  bisector-molecules explain dipole.npz new.xyz --method lrp --unit g --per atom\n"
      "  bisector-molecules explain dipole.npz new.xyz --frame 3 -o molecule.svg\n"
      "  bisector-molecules explain dipole.npz new.xyz --largest 20 -o molecules.html");
}

constexpr AddVerb kMoleculeVerbs[] = {add_train, add_explain, add_predict, add_help};

}  // namespace

int run(std::vector<std::string> arguments, std::ostream& out, std::ostream& err) {
  return cli::run({"bisector-molecules",
                   "Explains predicted properties of molecules by their atoms: train learns a "
                   "property from XYZ files, explain shows which atoms and pairs of atoms raise or "
                   "lower a prediction, predict only predicts.",
                   "Examples:\n"
                   "  bisector-molecules train qm9.xyz.gz --property mu -o dipole.npz\n"
                   "  bisector-molecules explain dipole.npz new.xyz -o pairs.csv",
                   kMoleculeVerbs},
                  std::move(arguments), out, err);
}

}  // namespace bisector::molecules
