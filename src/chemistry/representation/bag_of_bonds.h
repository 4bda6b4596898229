// Bags of distances, one for each pair of elements.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bisector/chemistry/representation.h"

namespace bisector::chemistry {

/// Two elements, the smaller number first.
std::pair<int, int> element_pair(int one, int other);
/// How many pairs of atoms each pair of elements has.
BagLayout bags_of(const Molecule& molecule);

std::size_t feature_count(const BagLayout& layout);
std::vector<std::string> feature_names(const BagLayout& layout);
/// Throws InvalidInput where there is no room.
DescribedMolecule describe(const BagLayout& layout, const Molecule& molecule);

}  // namespace bisector::chemistry
