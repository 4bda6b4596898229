// Explained molecules as one HTML page, in which the user can rotate each molecule and inspect its
// pairs of atoms.
#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "apps/molecules/molecule.h"
#include "apps/molecules/representation/atom_relevance.h"

namespace bisector::molecules {

struct PageMolecule {
  Molecule molecule;
  AtomRelevance relevance;
  double prediction = 0.0, base = 0.0, remainder = 0.0;
  std::string note = {};             // shown beside the name
  std::optional<double> truth = {};  // the actual value of the quantity, if the file has it
};

/// The error over all molecules of a file that have the property.
struct PageError {
  std::size_t molecules = 0;
  double mean_absolute = 0.0;  // of the predictions
  double of_the_mean = 0.0;    // of always predicting the mean of these molecules
};

struct MoleculePage {
  std::string title;
  std::string description;      // what was explained, in one or two sentences
  std::optional<double> level;  // in the unit g, relevance says why a prediction is above it
  std::string method;           // how the relevance was computed, and its unit
  std::vector<PageMolecule> molecules;
  std::string quantity = {}, unit = {};  // the predicted quantity and its unit
  std::optional<PageError> error = {};
  std::string files = {};  // where the page comes from: "dipole.npz, molecules.xyz"
};

/// Writes one self-contained file; `page` is the built page with markers for title and data. Names,
/// notes and titles are shown as plain text, whatever they contain.
void write_molecule_page(std::ostream& out, const MoleculePage& content, std::string_view page);

}  // namespace bisector::molecules
