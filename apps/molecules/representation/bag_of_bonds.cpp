#include "apps/molecules/representation/bag_of_bonds.h"

#include <fmt/format.h>

#include <algorithm>

#include "bisector/error.h"

namespace bisector::molecules {
namespace {

struct Distance {
  double value;
  FeatureOrigin atoms;
};

using Bags = std::map<std::pair<int, int>, std::vector<Distance>>;

Bags sorted_bags(const std::vector<Atom>& atoms) {
  Bags bags;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    for (std::size_t j = i + 1; j < atoms.size(); ++j)
      bags[element_pair(atoms[i].number, atoms[j].number)].push_back(
          {distance(atoms[i], atoms[j]), {i, j}});
  }
  for (auto& [pair, bag] : bags)
    std::ranges::stable_sort(bag, std::ranges::greater(), &Distance::value);
  return bags;
}

void require_fits(const BagLayout& layout, const BagLayout& needed) {
  for (const auto& [pair, size] : needed.bags) {
    const auto found = layout.bags.find(pair);
    const std::size_t limit = found == layout.bags.end() ? 0 : found->second;
    if (size > limit)
      throw InvalidInput(fmt::format("{} pairs of {}, expected at most {}, as in the model", size,
                                     pair_name(pair.first, pair.second), limit));
  }
}

}  // namespace

std::pair<int, int> element_pair(int one, int other) {
  return {std::min(one, other), std::max(one, other)};
}

BagLayout bags_of(const Molecule& molecule) {
  std::map<int, std::size_t> atoms;
  for (const Atom& atom : molecule.atoms) ++atoms[atom.number];
  BagLayout layout;
  for (auto one = atoms.begin(); one != atoms.end(); ++one) {
    if (one->second > 1)
      layout.bags[{one->first, one->first}] = one->second * (one->second - 1) / 2;
    for (auto other = std::next(one); other != atoms.end(); ++other)
      layout.bags[{one->first, other->first}] = one->second * other->second;
  }
  return layout;
}

std::size_t feature_count(const BagLayout& layout) {
  std::size_t count = 0;
  for (const auto& [pair, size] : layout.bags) count += size;
  return count;
}

std::vector<std::string> feature_names(const BagLayout& layout) {
  std::vector<std::string> names;
  for (const auto& [pair, size] : layout.bags) {
    for (std::size_t n = 1; n <= size; ++n)
      names.push_back(fmt::format("{} {}", pair_name(pair.first, pair.second), n));
  }
  return names;
}

DescribedMolecule describe(const BagLayout& layout, const Molecule& molecule) {
  require_fits(layout, bags_of(molecule));
  Bags bags = sorted_bags(molecule.atoms);
  DescribedMolecule described;
  for (const auto& [pair, size] : layout.bags) {
    const std::vector<Distance>& bag = bags[pair];
    for (const Distance& entry : bag) {
      described.features.push_back(entry.value);
      described.origin.push_back(entry.atoms);
    }
    described.features.resize(described.features.size() + size - bag.size());
    described.origin.resize(described.features.size());
  }
  return described;
}

}  // namespace bisector::molecules
