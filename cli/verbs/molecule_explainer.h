// A model of molecules and the molecules of a file, explained in their order.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "bisector/chemistry/molecule_file.h"
#include "bisector/model.h"
#include "cli/verbs/molecule.h"
#include "cli/writers/molecule_writer.h"

namespace bisector::cli {

class MoleculeExplainer {
 public:
  using Take = std::function<void(const ExplainedMolecule&)>;

  explicit MoleculeExplainer(const MoleculeExplainArguments& arguments);

  const ExplainSettings& settings() const { return explainer_.settings(); }
  /// The property that the model learned; empty where it does not say.
  const std::string& property() const { return property_; }

  void operator()(std::span<const chemistry::Molecule> molecules, std::size_t first_frame,
                  const Take& take) const;

 private:
  MoleculeExplainer(const Model& model, const MoleculeExplainArguments& arguments);

  std::string property_;
  chemistry::Representation representation_;
  Explainer explainer_;
};

/// How the model's rows are made of molecules. Throws InvalidInput, naming the file, for a model
/// that is none of molecules.
chemistry::Representation representation_of(const Model& model, const std::filesystem::path& file);

/// The next few hundred; none at the end.
std::vector<chemistry::Molecule> next_molecules(chemistry::MoleculeReader& reader);

/// The frame that was asked for, or the first one.
chemistry::Molecule one_molecule(const MoleculeExplainArguments& arguments);

/// Explains the frame that was asked for, or all of the file; `after_chunk` hears of every few
/// hundred.
void explain_file(const MoleculeExplainArguments& arguments, const MoleculeExplainer& explain,
                  const MoleculeExplainer::Take& take, const std::function<void()>& after_chunk);

}  // namespace bisector::cli
