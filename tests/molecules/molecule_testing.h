// Molecules for tests: water, ammonia, and random ones.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "bisector/random.h"
#include "molecules/molecule.h"

namespace bisector::testing_molecules {

/// O-H 1 along x and along y: a right angle, so that H-H is the root of two.
inline molecules::Molecule right_angled_water() {
  return {"water", {{8, {0, 0, 0}}, {1, {1, 0, 0}}, {1, {0, 1, 0}}}, {}, ""};
}

/// N at a height of 1 above an equilateral triangle of H with sides of root 3 (each 1 from the
/// center), so that N-H is the root of two.
inline molecules::Molecule tall_ammonia() {
  const double half = std::sqrt(3.0) / 2.0;
  return {"ammonia",
          {{1, {1, 0, 0}}, {7, {0, 0, 1}}, {1, {-0.5, half, 0}}, {1, {-0.5, -half, 0}}},
          {},
          ""};
}

/// Atoms of H, C, N and O anywhere in a box; no two distances are alike.
inline molecules::Molecule random_molecule(std::size_t atoms, std::uint64_t seed) {
  constexpr std::array<int, 4> kElements = {1, 6, 7, 8};
  Random random(seed);
  molecules::Molecule molecule;
  for (std::size_t n = 0; n < atoms; ++n) {
    molecules::Atom atom{kElements[random.below(kElements.size())], {}};
    for (double& axis : atom.position) axis = 6.0 * random.uniform();
    molecule.atoms.push_back(atom);
  }
  return molecule;
}

/// Turned about two axes and moved.
inline molecules::Molecule moved(molecules::Molecule molecule, std::uint64_t seed) {
  Random random(seed);
  const double a = 6.28 * random.uniform(), b = 6.28 * random.uniform();
  const std::array<double, 3> shift = {random.normal(), random.normal(), random.normal()};
  for (molecules::Atom& atom : molecule.atoms) {
    auto& [x, y, z] = atom.position;
    const double x1 = std::cos(a) * x - std::sin(a) * y, y1 = std::sin(a) * x + std::cos(a) * y;
    const double y2 = std::cos(b) * y1 - std::sin(b) * z, z2 = std::sin(b) * y1 + std::cos(b) * z;
    atom.position = {x1 + shift[0], y2 + shift[1], z2 + shift[2]};
  }
  return molecule;
}

inline molecules::Molecule mirrored(molecules::Molecule molecule) {
  for (molecules::Atom& atom : molecule.atoms) atom.position[0] = -atom.position[0];
  return molecule;
}

inline molecules::Molecule renumbered(molecules::Molecule molecule, std::uint64_t seed) {
  Random(seed).shuffle(std::span(molecule.atoms));
  return molecule;
}

}  // namespace bisector::testing_molecules
