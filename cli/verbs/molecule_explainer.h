// A model of molecules and the molecules of a file, explained in their order.
#pragma once

#include <functional>
#include <span>

#include "bisector/model.h"
#include "cli/verbs/molecule.h"
#include "cli/writers/molecule_writer.h"

namespace bisector::cli {

class MoleculeExplainer {
 public:
  using Take = std::function<void(const ExplainedMolecule&)>;

  explicit MoleculeExplainer(const MoleculeExplainArguments& arguments);

  const ExplainSettings& settings() const { return explainer_.settings(); }

  void operator()(std::span<const chemistry::Molecule> molecules, std::size_t first_frame,
                  const Take& take) const;

 private:
  MoleculeExplainer(const Model& model, const MoleculeExplainArguments& arguments);

  chemistry::Representation representation_;
  Explainer explainer_;
};

/// The frame that was asked for, or the first one.
chemistry::Molecule one_molecule(const MoleculeExplainArguments& arguments);

/// Explains the frame that was asked for, or all of the file; `after_chunk` hears of every few
/// hundred.
void explain_file(const MoleculeExplainArguments& arguments, const MoleculeExplainer& explain,
                  const MoleculeExplainer::Take& take, const std::function<void()>& after_chunk);

}  // namespace bisector::cli
