// bisector molecule: kernel ridge models of molecules, explained by their atoms.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>

#include "bisector/chemistry/representation.h"
#include "bisector/limits.h"
#include "cli/writers/table_format.h"

namespace CLI {
class App;
}

namespace bisector::cli {

struct MoleculeTrainArguments {
  std::filesystem::path molecules, output;
  std::string property;
  chemistry::RepresentationKind representation = chemistry::RepresentationKind::bag_of_bonds;
  std::optional<double> gamma, lambda;
  bool tune = false;
  std::optional<std::size_t> seed, threads;
  Limits limits;
};

/// What a row of CSV is about.
enum class MoleculePart { pair, atom };

/// A page has this many molecules where nothing else is said.
inline constexpr std::size_t kMoleculesOfAPage = 100;

struct MoleculeExplainArguments {
  std::filesystem::path model, molecules, output;
  std::optional<TableFormat> format;
  std::optional<MoleculePart> part;  // of CSV
  std::optional<std::size_t> frame, largest, threads;
  std::optional<double> level, eta;
  std::string unit_name;  // of the predicted quantity, in a page
  Limits limits;
};

struct MoleculePredictArguments {
  std::filesystem::path model, molecules, output;
  std::optional<TableFormat> format;
  std::string property;  // to write beside the prediction; empty: what the model learned
  std::optional<std::size_t> threads;
  Limits limits;
};

void molecule_train_command(const MoleculeTrainArguments& arguments, std::ostream& out,
                            std::ostream& notes);
void molecule_predict_command(const MoleculePredictArguments& arguments, std::ostream& out);
void molecule_explain_command(const MoleculeExplainArguments& arguments, std::ostream& out);

}  // namespace bisector::cli
