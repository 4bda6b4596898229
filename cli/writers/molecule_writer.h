// Explained molecules as files: CSV with a line for each pair or atom, or JSON with both.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

#include "bisector/chemistry/atom_relevance.h"
#include "bisector/chemistry/molecule.h"
#include "bisector/explain.h"
#include "cli/verbs/molecule.h"
#include "cli/writers/json_rows.h"
#include "cli/writers/row_buffer.h"
#include "cli/writers/table_format.h"

namespace bisector::cli {

struct ExplainedMolecule {
  std::size_t frame;  // in its file, from one
  const chemistry::Molecule& molecule;
  double prediction, g;
  chemistry::AtomRelevance relevance;
};

class MoleculeWriter {
 public:
  MoleculeWriter(std::ostream& out, TableFormat format, MoleculePart part,
                 const ExplainSettings& settings);
  void write(const ExplainedMolecule& explained);
  /// After the last molecule.
  void finish();

 private:
  void write_pairs(const ExplainedMolecule& explained);
  void write_atoms(const ExplainedMolecule& explained);
  void write_json(const ExplainedMolecule& explained);

  RowBuffer buffer_;
  TableFormat format_;
  MoleculePart part_;
  JsonRows rows_;
};

}  // namespace bisector::cli
