// What a picture of a molecule begins with: its bonds, and the side from which it is seen best.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "bisector/chemistry/molecule.h"

namespace bisector::chemistry {

struct Bond {
  std::size_t first, second;  // atoms, first > second
};

/// Pairs of atoms that are hardly further from each other than the sum of their covalent radii.
std::vector<Bond> bonds(const Molecule& molecule);

/// For each atom its place along the longest extent, across it, and towards the viewer. Turned
/// about the middle, never mirrored: left-handed molecules stay left-handed.
std::vector<std::array<double, 3>> seen_from_its_flat_side(const Molecule& molecule);

}  // namespace bisector::chemistry
