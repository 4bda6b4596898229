// Slow reference implementations of the molecular representations, straight from their definitions:
// every entry is found by counting, without sorting anything.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "molecules/molecule.h"

namespace bisector::reference {

inline double plain_distance(const molecules::Atom& a, const molecules::Atom& b) {
  double sum = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
    sum += (a.position[axis] - b.position[axis]) * (a.position[axis] - b.position[axis]);
  return std::sqrt(sum);
}

inline double coulomb_entry(const std::vector<molecules::Atom>& atoms, std::size_t i,
                            std::size_t j) {
  const double charge = atoms[i].number;
  if (i == j) return std::pow(charge, 2.4) / 2.0;
  return charge * atoms[j].number / plain_distance(atoms[i], atoms[j]);
}

/// The atom that stands at `place` of the sorted Coulomb matrix: that number of atoms has a larger
/// L1 norm. For molecules whose norms all differ.
inline std::size_t atom_at(const std::vector<molecules::Atom>& atoms, std::size_t place) {
  std::vector<double> norms(atoms.size());
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    for (std::size_t j = 0; j < atoms.size(); ++j) norms[i] += std::abs(coulomb_entry(atoms, i, j));
  }
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    std::size_t larger = 0;
    for (std::size_t j = 0; j < atoms.size(); ++j) larger += norms[j] > norms[i];
    if (larger == place) return i;
  }
  return atoms.size();
}

/// The distance of rank `place` among those between atoms of elements `one` and `other`, as a value
/// that `place` of them exceed; zero where there are fewer.
inline double bag_entry(const std::vector<molecules::Atom>& atoms, int one, int other,
                        std::size_t place) {
  std::vector<double> bag;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const int a = atoms[i].number, b = atoms[j].number;
      if ((a == one && b == other) || (a == other && b == one))
        bag.push_back(plain_distance(atoms[i], atoms[j]));
    }
  }
  for (const double candidate : bag) {
    std::size_t larger = 0;
    for (const double value : bag) larger += value > candidate;
    if (larger == place) return candidate;
  }
  return 0.0;
}

}  // namespace bisector::reference
