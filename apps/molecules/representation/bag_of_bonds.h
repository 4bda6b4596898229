// The bag of bonds: bags of distances, one for each pair of elements.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "apps/molecules/representation/representation.h"

namespace bisector::molecules {

/// Two elements, the smaller atomic number first.
std::pair<int, int> element_pair(int one, int other);
/// The number of pairs of atoms for each pair of elements.
BagLayout bags_of(const Molecule& molecule);

std::size_t feature_count(const BagLayout& layout);
std::vector<std::string> feature_names(const BagLayout& layout);
/// Throws InvalidInput if the molecule does not fit.
DescribedMolecule describe(const BagLayout& layout, const Molecule& molecule);

}  // namespace bisector::molecules
