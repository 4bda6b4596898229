// The bonds of a molecule and its coordinates for a picture.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "apps/molecules/molecule.h"

namespace bisector::molecules {

struct Bond {
  std::size_t first, second;  // atoms, first > second
};

/// Pairs of atoms closer than 1.25 times the sum of their covalent radii.
std::vector<Bond> bonds(const Molecule& molecule);

/// The coordinates of each atom along the principal axes, the longest first. The molecule is
/// rotated about its center, never mirrored: left-handed molecules stay left-handed.
std::vector<std::array<double, 3>> principal_coordinates(const Molecule& molecule);

}  // namespace bisector::molecules
