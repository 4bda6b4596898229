// The relevance of a molecule's features, brought back onto its atoms.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/chemistry/representation.h"
#include "bisector/export.h"

namespace bisector::chemistry {

struct PairRelevance {
  std::size_t first, second;  // atoms, first <= second; the same for an atom's own feature
  double relevance;
  bool operator==(const PairRelevance&) const = default;
};

struct AtomRelevance {
  std::vector<PairRelevance> pairs;  // in the order of their atoms; each is one feature's relevance
  std::vector<double> atoms;         // half of each of its pairs, and its own
  double padding = 0.0;              // of features that this molecule does not fill
};

/// `relevance` has one number for each feature. Throws InvalidInput where it has not.
BISECTOR_EXPORT AtomRelevance atom_relevance(const DescribedMolecule& molecule, std::size_t atoms,
                                             std::span<const double> relevance);

}  // namespace bisector::chemistry
