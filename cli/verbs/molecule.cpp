#include "cli/verbs/molecule.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/options/limit_option.h"
#include "cli/options/option_values.h"
#include "cli/verbs.h"

namespace bisector::cli {

using namespace chemistry;

namespace {

constexpr auto kMolecules =
    "The molecules: XYZ with any number of frames, .gz or .bz2 of it, or a .tar of such files, in "
    "Angstrom; QM9's own files too";

void add_molecule_train(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "train", "Kernel ridge regression of a property of molecules: writes a model file.");
  const auto arguments = std::make_shared<MoleculeTrainArguments>();
  add_path(verb, "FILE.xyz", arguments->molecules, "", kMolecules)->required();
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
             "Of the Gaussian kernel, after scaling to a median distance of one (default: 3)");
  add_number(verb, "--lambda", arguments->lambda, kPositive, "L", "The ridge (default: 0.1)");
  verb.add_flag("--tune", arguments->tune, "Choose gamma and lambda by cross-validation");
  add_count(verb, "--seed", arguments->seed, 0, "N", "Of the folds (default: 0)");
  add_count(verb, "--threads", arguments->threads, 1, "N", "How many work (default: all)");
  add_limit_option(verb, arguments->limits);
  verb.footer("Example:\n  bisector molecule train qm9.xyz.gz --property mu -o dipole.npz");
  verb.callback([arguments, &action] {
    action = [arguments](std::ostream& out, std::ostream& notes) {
      molecule_train_command(*arguments, out, notes);
    };
  });
}

void add_format_option(CLI::App& verb, std::optional<TableFormat>& format) {
  add_choice<std::optional<TableFormat>>(
      verb, "--format", format,
      {{"csv", TableFormat::csv}, {"json", TableFormat::json}, {"jsonl", TableFormat::jsonl}},
      "Of the output, whatever its name; jsonl is a line of JSON for each molecule");
}

void add_molecule_predict(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "predict", "What the model says about each molecule, beside the property where it is known.");
  const auto arguments = std::make_shared<MoleculePredictArguments>();
  add_path(verb, "MODEL", arguments->model, "", "A model file of bisector molecule train")
      ->required();
  add_path(verb, "FILE.xyz", arguments->molecules, "", kMolecules)->required();
  add_path(verb, "-o,--output", arguments->output, "FILE",
           ".csv, .json or .jsonl (default: CSV to standard output)");
  add_format_option(verb, arguments->format);
  add_text(verb, "--property", arguments->property, "NAME",
           "What to write beside the prediction (default: the property that the model learned)");
  add_count(verb, "--threads", arguments->threads, 1, "N", "How many work (default: all)");
  add_limit_option(verb, arguments->limits);
  verb.footer("Example:\n  bisector molecule predict dipole.npz new.xyz -o dipoles.csv");
  verb.callback([arguments, &action] {
    action = [arguments](std::ostream& out, std::ostream&) {
      molecule_predict_command(*arguments, out);
    };
  });
}

void add_molecule_explain(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "explain",
      "Relevance for each pair of atoms and for each atom: why is the prediction above the level?");
  const auto arguments = std::make_shared<MoleculeExplainArguments>();
  add_path(verb, "MODEL", arguments->model, "", "A model file of bisector molecule train")
      ->required();
  add_path(verb, "FILE.xyz", arguments->molecules, "", kMolecules)->required();
  add_output(
      verb, "-o,--output", arguments->output, "FILE",
      ".csv: a line for each pair or atom; .json: both; .svg: a picture of one molecule; "
      ".html: a page in which the molecules can be turned (default: CSV to standard output)");
  add_format_option(verb, arguments->format);
  add_choice<std::optional<MoleculePart>>(
      verb, "--per", arguments->part, {{"pair", MoleculePart::pair}, {"atom", MoleculePart::atom}},
      "What a line of CSV is about; an atom has half of each of its pairs "
      "(default: pair)");
  add_count(verb, "--frame", arguments->frame, 1, "N", "Only the N-th molecule of the file");
  add_count(verb, "--largest", arguments->largest, 1, "N",
            fmt::format("In a page: the N molecules with the largest predictions (default: {})",
                        kMoleculesOfAPage));
  add_number(verb, "--level", arguments->level, kAnyNumber, "T",
             "Explain why the prediction is above T (default: the mean of the training molecules)");
  add_number(verb, "--eta", arguments->eta, kFraction, "V",
             "From 0 (gradient x input on g) to 1 (midpoint rule); the default follows the paper's "
             "heuristics");
  add_text(verb, "--unit-name", arguments->unit_name, "TEXT",
           "In a page or picture: what the property is counted in, such as Debye");
  add_count(verb, "--threads", arguments->threads, 1, "N", "How many work (default: all)");
  add_limit_option(verb, arguments->limits);
  verb.footer(
      "Examples:\n"
      "  bisector molecule explain dipole.npz new.xyz -o pairs.csv\n"
      "  bisector molecule explain dipole.npz new.xyz --per atom -o atoms.csv\n"
      "  bisector molecule explain dipole.npz new.xyz --frame 3 -o molecule.svg\n"
      "  bisector molecule explain dipole.npz new.xyz --largest 20 -o molecules.html");
  verb.callback([arguments, &action] {
    action = [arguments](std::ostream& out, std::ostream&) {
      molecule_explain_command(*arguments, out);
    };
  });
}

}  // namespace

void add_molecule(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "molecule",
      "Properties of molecules, explained by their atoms: train learns one from XYZ files, explain "
      "says which atoms and pairs of atoms speak for a prediction, predict predicts alone.");
  verb.require_subcommand(1);
  add_molecule_train(verb, action);
  add_molecule_explain(verb, action);
  add_molecule_predict(verb, action);
  verb.footer(
      "Examples:\n"
      "  bisector molecule train qm9.xyz.gz --property mu -o dipole.npz\n"
      "  bisector molecule explain dipole.npz new.xyz -o pairs.csv");
}

}  // namespace bisector::cli
