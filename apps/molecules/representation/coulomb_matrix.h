// The sorted Coulomb matrix.
#pragma once

#include <string>
#include <vector>

#include "apps/molecules/representation/representation.h"

namespace bisector::molecules {

std::size_t feature_count(const CoulombLayout& layout);
std::vector<std::string> feature_names(const CoulombLayout& layout);
/// Throws InvalidInput if the molecule does not fit. Does not check the size of the features.
DescribedMolecule describe(const CoulombLayout& layout, const Molecule& molecule);

}  // namespace bisector::molecules
