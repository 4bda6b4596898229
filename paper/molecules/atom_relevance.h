// Maps the relevance of features back to the atoms of a molecule.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "molecules/representation.h"

namespace bisector::molecules {

struct PairRelevance {
  std::size_t first, second;  // atoms, first <= second; equal for a feature of a single atom
  double relevance;
  bool operator==(const PairRelevance&) const = default;
};

struct AtomRelevance {
  std::vector<PairRelevance> pairs;  // the relevance of one feature each, in the order of the atoms
  std::vector<double> atoms;         // half of the relevance of each pair, and all of its own
  double padding = 0.0;              // relevance of features that this molecule does not use
};

/// `relevance` has one number for each feature; else throws InvalidInput.
AtomRelevance atom_relevance(const DescribedMolecule& molecule, std::size_t atoms,
                             std::span<const double> relevance);

}  // namespace bisector::molecules
