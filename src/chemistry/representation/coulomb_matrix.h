// The sorted Coulomb matrix.
#pragma once

#include <string>
#include <vector>

#include "bisector/chemistry/representation.h"

namespace bisector::chemistry {

std::size_t feature_count(const CoulombLayout& layout);
std::vector<std::string> feature_names(const CoulombLayout& layout);
/// The features without a check of their size; throws InvalidInput where there is no room.
DescribedMolecule describe(const CoulombLayout& layout, const Molecule& molecule);

}  // namespace bisector::chemistry
