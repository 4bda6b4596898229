// Writes explained molecules as CSV, with a line for each pair or atom, or as JSON with both.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

#include "apps/molecules/command/command.h"
#include "apps/molecules/molecule.h"
#include "apps/molecules/representation/atom_relevance.h"
#include "bisector/explain.h"
#include "cli/writers/json_rows.h"
#include "cli/writers/row_buffer.h"
#include "cli/writers/table_format.h"

namespace bisector::molecules {

struct ExplainedMolecule {
  std::size_t frame;  // number in the file, from 1
  const Molecule& molecule;
  double prediction, output, base, remainder;
  AtomRelevance relevance;
};

class MoleculeWriter {
 public:
  MoleculeWriter(std::ostream& out, cli::TableFormat format, MoleculePart part,
                 const ExplainSettings& settings);
  void write(const ExplainedMolecule& explained);
  /// Call it after the last molecule.
  void finish();

 private:
  void write_pairs(const ExplainedMolecule& explained);
  void write_atoms(const ExplainedMolecule& explained);
  void write_json(const ExplainedMolecule& explained);

  cli::RowBuffer buffer_;
  cli::TableFormat format_;
  MoleculePart part_;
  cli::JsonRows rows_;
};

}  // namespace bisector::molecules
