// Explains the molecules of a file in their order.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "apps/molecules/command/command.h"
#include "apps/molecules/command/writer.h"
#include "apps/molecules/files/molecule_file.h"
#include "bisector/model.h"

namespace bisector::molecules {

class MoleculeExplainer {
 public:
  using Take = std::function<void(const ExplainedMolecule&)>;

  explicit MoleculeExplainer(const ExplainArguments& arguments);

  const ExplainSettings& settings() const { return explainer_.settings(); }
  /// The property that the model has learned; empty if the model does not name it.
  const std::string& property() const { return property_; }

  void operator()(std::span<const Molecule> molecules, std::size_t first_frame,
                  const Take& take) const;

 private:
  MoleculeExplainer(const Model& model, const ExplainArguments& arguments);

  std::string property_;
  Representation representation_;
  Explainer explainer_;
};

/// The representation of the model's training molecules. Throws InvalidInput, with the file, for a
/// model of other data.
Representation representation_of(const Model& model, const std::filesystem::path& file);

/// The next few hundred molecules; none at the end.
std::vector<Molecule> next_molecules(MoleculeReader& reader);

/// The requested molecule, or the first one.
Molecule one_molecule(const ExplainArguments& arguments);

/// Explains the requested molecule or the whole file; calls `after_chunk` after every few hundred
/// molecules.
void explain_file(const ExplainArguments& arguments, const MoleculeExplainer& explain,
                  const MoleculeExplainer::Take& take, const std::function<void()>& after_chunk);

}  // namespace bisector::molecules
