#include "molecules/representation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "bisector/error.h"

namespace bisector::molecules {
namespace {

/// The sort key of an element in the name of a pair: carbon first, hydrogen last.
std::pair<int, std::string_view> place_in_name(int number) {
  constexpr int kCarbon = 6, kHydrogen = 1;
  return {number == kCarbon ? 0 : number == kHydrogen ? 2 : 1, element_symbol(number)};
}

}  // namespace

std::string pair_name(int one, int other) {
  if (place_in_name(other) < place_in_name(one)) std::swap(one, other);
  return fmt::format("{}-{}", element_symbol(one), element_symbol(other));
}

namespace {

// The sorted Coulomb matrix.

Matrix coulomb_matrix(const std::vector<Atom>& atoms) {
  Matrix matrix(atoms.size(), atoms.size());
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    matrix(i, i) = 0.5 * std::pow(atoms[i].number, 2.4);
    for (std::size_t j = 0; j < i; ++j)
      matrix(i, j) = matrix(j, i) =
          atoms[i].number * atoms[j].number / distance(atoms[i], atoms[j]);
  }
  return matrix;
}

/// Sorts the atoms by descending norm of their rows. The entries of a row are sorted first, so that
/// the norm and the order of equal norms do not depend on the numbering of the atoms.
std::vector<std::size_t> sorted_atoms(const Matrix& matrix) {
  std::vector<std::vector<double>> rows;
  std::vector<double> norms;
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    auto& row = rows.emplace_back(matrix.row(i).begin(), matrix.row(i).end());
    std::ranges::sort(row, std::greater());
    norms.push_back(std::accumulate(row.begin(), row.end(), 0.0));
  }
  std::vector<std::size_t> order(matrix.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return norms[a] != norms[b] ? norms[a] > norms[b] : rows[a] > rows[b];
  });
  return order;
}

std::size_t feature_count(const CoulombLayout& layout) {
  return layout.atoms * (layout.atoms + 1) / 2;
}

std::vector<std::string> feature_names(const CoulombLayout& layout) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= layout.atoms; ++i) {
    for (std::size_t j = i; j <= layout.atoms; ++j)
      names.push_back(fmt::format("coulomb {} {}", i, j));
  }
  return names;
}

DescribedMolecule describe(const CoulombLayout& layout, const Molecule& molecule) {
  const std::size_t count = molecule.atoms.size();
  if (count > layout.atoms)
    throw InvalidInput(
        fmt::format("{} atoms, expected at most {}, as in the model", count, layout.atoms));
  const Matrix matrix = coulomb_matrix(molecule.atoms);
  const std::vector<std::size_t> order = sorted_atoms(matrix);
  DescribedMolecule described;
  for (std::size_t i = 0; i < layout.atoms; ++i) {
    for (std::size_t j = i; j < layout.atoms; ++j) {
      const bool is_there = j < count;
      described.features.push_back(is_there ? matrix(order[i], order[j]) : 0.0);
      described.origin.push_back(
          is_there ? FeatureOrigin{std::min(order[i], order[j]), std::max(order[i], order[j])}
                   : FeatureOrigin{});
    }
  }
  return described;
}

// The bag of bonds: bags of distances, one for each pair of elements.

/// Two elements, the smaller atomic number first.
std::pair<int, int> element_pair(int one, int other) {
  return {std::min(one, other), std::max(one, other)};
}

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

/// The number of pairs of atoms for each pair of elements.
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

// Both.

constexpr std::size_t kMaxFeatures = 10'000'000;
constexpr std::size_t kMaxElements = std::size_t{1} << 31;  // of a matrix of molecules
constexpr double kLargestFeature = 1e100;                   // models accept no larger ones

void require_feature_count(std::size_t features) {
  if (features == 0) throw InvalidInput("no features: expected a molecule of two atoms or more");
  if (features > kMaxFeatures)
    throw InvalidInput(fmt::format("{} features for the largest molecule, expected at most {}",
                                   features, kMaxFeatures));
}

}  // namespace

Representation::Representation(Layout layout) : layout_(std::move(layout)) {
  std::visit(
      [&](const auto& shape) {
        require_feature_count(feature_count(shape));
        names_ = molecules::feature_names(shape);
      },
      layout_);
}

Representation Representation::fit(RepresentationKind kind, std::span<const Molecule> molecules) {
  CoulombLayout coulomb;
  BagLayout bags;
  for (const Molecule& molecule : molecules) {
    coulomb.atoms = std::max(coulomb.atoms, molecule.atoms.size());
    if (kind == RepresentationKind::coulomb_matrix) continue;
    for (const auto& [pair, size] : bags_of(molecule).bags)
      bags.bags[pair] = std::max(bags.bags[pair], size);
  }
  if (kind == RepresentationKind::coulomb_matrix) return Representation(coulomb);
  return Representation(std::move(bags));
}

DescribedMolecule Representation::operator()(const Molecule& molecule) const {
  const std::string where = molecule.place.empty() ? "" : molecule.place + ": ";
  DescribedMolecule described;
  try {
    described = std::visit([&](const auto& shape) { return describe(shape, molecule); }, layout_);
  } catch (const InvalidInput& error) {
    throw InvalidInput(where + error.what());
  }
  for (std::size_t n = 0; n < described.features.size(); ++n) {
    if (!(std::abs(described.features[n]) <= kLargestFeature))
      throw InvalidInput(fmt::format("{}atoms {} and {} have the same position", where,
                                     described.origin[n].first + 1,
                                     described.origin[n].second + 1));
  }
  return described;
}

Matrix Representation::rows(std::span<const Molecule> molecules) const {
  if (molecules.size() > kMaxElements / features())
    throw InvalidInput(
        fmt::format("{} molecules with {} features each, expected at most {} numbers",
                    molecules.size(), features(), kMaxElements));
  Matrix rows(molecules.size(), features());
  for (std::size_t m = 0; m < molecules.size(); ++m)
    std::ranges::copy((*this)(molecules[m]).features, rows.row(m).begin());
  return rows;
}

}  // namespace bisector::molecules
