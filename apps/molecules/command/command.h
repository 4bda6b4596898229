// The verbs of bisector-molecules: kernel ridge models of molecules, explained by their atoms.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "apps/molecules/files/molecule_file.h"
#include "apps/molecules/representation/representation.h"
#include "bisector/limits.h"
#include "cli/options/rule_options.h"
#include "cli/writers/table_format.h"

namespace bisector::molecules {

/// What every verb needs to read a file of molecules.
struct MoleculeArguments {
  std::filesystem::path molecules, output;
  std::optional<std::size_t> max_atoms, threads;
  Limits limits;

  MoleculeReader reader() const { return MoleculeReader(molecules, limits, atom_limit()); }
  std::size_t atom_limit() const { return max_atoms.value_or(kMaxAtoms); }
};

struct TrainArguments : MoleculeArguments {
  std::string property;
  RepresentationKind representation = RepresentationKind::bag_of_bonds;
  std::optional<double> gamma, lambda;
  bool tune = false;
  std::optional<std::size_t> seed;
};

struct PredictArguments : MoleculeArguments {
  std::filesystem::path model;
  std::optional<cli::TableFormat> format;
  std::string property;  // written beside the prediction; empty: the property that was learned
};

/// The subject of a line of CSV.
enum class MoleculePart { pair, atom };

/// The default number of molecules on a page.
inline constexpr std::size_t kMoleculesOnPage = 100;

struct ExplainArguments : MoleculeArguments {
  std::filesystem::path model;
  std::optional<cli::TableFormat> format;
  std::optional<MoleculePart> part;  // CSV only
  std::optional<std::size_t> frame, largest;
  cli::RuleArguments rule;  // method, level and unit
  std::string unit_name;    // of the property, on a page or picture
};

void train_command(const TrainArguments& arguments, std::ostream& out, std::ostream& notes);
void predict_command(const PredictArguments& arguments, std::ostream& out, std::ostream& notes);
void explain_command(const ExplainArguments& arguments, std::ostream& out, std::ostream& notes);

/// Runs `bisector-molecules` with these arguments (without the program's name) and returns the exit
/// status: 0, 1 after an error, 2 after a usage error; `err` then has one line.
int run(std::vector<std::string> arguments, std::ostream& out, std::ostream& err);

}  // namespace bisector::molecules
