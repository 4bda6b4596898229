#include "dipole/dipole_findings.h"

#include <fmt/format.h>

#include <cmath>

namespace bisector::paper {

using namespace molecules;

std::size_t band_of(double distance) {
  std::size_t band = 0;
  while (distance >= kBands[band].limit) ++band;
  return band;
}

std::vector<bool> peripheral_atoms(const Molecule& molecule) {
  Atom center;
  double heavy = 0.0;
  for (const Atom& atom : molecule.atoms) {
    if (atom.number == 1) continue;
    ++heavy;
    for (std::size_t axis = 0; axis < 3; ++axis) center.position[axis] += atom.position[axis];
  }
  for (double& axis : center.position) axis /= heavy;
  double mean = 0.0;
  for (const Atom& atom : molecule.atoms) {
    if (atom.number != 1) mean += distance(atom, center) / heavy;
  }
  std::vector<bool> result;
  for (const Atom& atom : molecule.atoms)
    result.push_back(atom.number != 1 && distance(atom, center) > mean);
  return result;
}

void FindingSums::add(const Molecule& molecule, const AtomRelevance& relevance) {
  constexpr int kOxygen = 8;
  const std::vector<bool> is_peripheral = peripheral_atoms(molecule);
  std::vector<double> by_atom(molecule.atoms.size()), net(molecule.atoms.size());
  const auto count_in = [](Sums& sums, double size, double signed_size) {
    sums.relevance += size;
    sums.net += signed_size;
    sums.count += 1.0;
  };
  for (const PairRelevance& pair : relevance.pairs) {
    const double size = std::abs(pair.relevance);
    if (pair.first == pair.second) {
      diagonal_ += size;
      continue;
    }
    const Atom &a = molecule.atoms[pair.first], &b = molecule.atoms[pair.second];
    const double length = distance(a, b);
    count_in(pairs_, size, pair.relevance);
    distances_.relevance += size * length;
    distances_.count += length;
    count_in(parts_[fmt::format("band {}", band_of(length))], size, pair.relevance);
    count_in(parts_[fmt::format("pair {}", pair_name(a.number, b.number))], size, pair.relevance);
    for (const std::size_t n : {pair.first, pair.second}) {
      by_atom[n] += 0.5 * size;
      net[n] += 0.5 * pair.relevance;
    }
  }
  for (std::size_t n = 0; n < by_atom.size(); ++n) {
    const bool is_oxygen = molecule.atoms[n].number == kOxygen;
    count_in(parts_[!is_oxygen         ? "other"
                    : is_peripheral[n] ? "peripheral oxygen"
                                       : "inner oxygen"],
             by_atom[n], net[n]);
    atoms_ += 1.0;
  }
}

Facts FindingSums::facts() const {
  Facts facts;
  for (const auto& [name, sums] : parts_) {
    const bool is_pairs = name.starts_with("band") || name.starts_with("pair");
    facts[name] = {sums.relevance / pairs_.relevance,
                   sums.count / (is_pairs ? pairs_.count : atoms_), sums.net / pairs_.relevance};
  }
  facts["distance"] = {distances_.relevance / pairs_.relevance, distances_.count / pairs_.count};
  facts["diagonal"] = {diagonal_ / (diagonal_ + pairs_.relevance)};
  return facts;
}

}  // namespace bisector::paper
