// Explained molecules as one page: each of them can be turned, and its pairs of atoms looked at.
#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/chemistry/atom_relevance.h"
#include "bisector/chemistry/molecule.h"
#include "bisector/export.h"

namespace bisector::chemistry {

struct PageMolecule {
  Molecule molecule;
  AtomRelevance relevance;
  double prediction = 0.0, g = 0.0;
  std::string note = {};             // shown beside its name
  std::optional<double> truth = {};  // what its file says of the quantity
};

struct MoleculePage {
  std::string title;
  std::string description;      // what was explained, in a sentence or two
  std::optional<double> level;  // relevance says why the prediction is above it
  double eta = 0.0;
  std::vector<PageMolecule> molecules;
  std::string quantity = {}, unit = {};  // what is predicted, and what it is counted in
};

/// One file that needs nothing else; `page` is the built page with places for what differs.
/// Whatever names, notes and titles hold is shown as text.
BISECTOR_EXPORT void write_molecule_page(std::ostream& out, const MoleculePage& content,
                                         std::string_view page);

}  // namespace bisector::chemistry
