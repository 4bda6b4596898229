#include "apps/molecules/representation/representation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "apps/molecules/representation/bag_of_bonds.h"
#include "apps/molecules/representation/coulomb_matrix.h"
#include "bisector/error.h"
#include "bisector/text.h"

namespace bisector::molecules {

namespace {

constexpr std::size_t kMaxFeatures = 10'000'000;
constexpr std::size_t kMaxElements = std::size_t{1} << 31;  // of a matrix of molecules
constexpr double kLargestFeature = 1e100;                   // models accept no larger ones
constexpr std::string_view kCoulomb = "coulomb ";

void require_feature_count(std::size_t features) {
  if (features == 0) throw InvalidInput("no features: expected a molecule of two atoms or more");
  if (features > kMaxFeatures)
    throw InvalidInput(fmt::format("{} features for the largest molecule, expected at most {}",
                                   features, kMaxFeatures));
}

/// The sort key of an element in the name of a pair: carbon first, hydrogen last.
std::pair<int, std::string_view> place_in_name(int number) {
  constexpr int kCarbon = 6, kHydrogen = 1;
  return {number == kCarbon ? 0 : number == kHydrogen ? 2 : 1, element_symbol(number)};
}

/// The elements of "C-H 3"; nothing for other text.
std::optional<std::pair<int, int>> bag_of_name(std::string_view name) {
  const std::size_t dash = name.find('-'), blank = name.find(' ');
  if (dash == std::string_view::npos || blank == std::string_view::npos || dash > blank)
    return std::nullopt;
  const auto one = element_number(name.substr(0, dash));
  const auto other = element_number(name.substr(dash + 1, blank - dash - 1));
  if (!one || !other) return std::nullopt;
  return element_pair(*one, *other);
}

BagLayout bags_of_names(std::span<const std::string> names) {
  BagLayout layout;
  for (const std::string& name : names) {
    if (const auto bag = bag_of_name(name)) ++layout.bags[*bag];
  }
  return layout;
}

CoulombLayout coulomb_of_count(std::size_t features) {
  CoulombLayout layout;
  while (feature_count(layout) < features) ++layout.atoms;
  return layout;
}

}  // namespace

std::string pair_name(int one, int other) {
  if (place_in_name(other) < place_in_name(one)) std::swap(one, other);
  return fmt::format("{}-{}", element_symbol(one), element_symbol(other));
}

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

Representation Representation::from_feature_names(std::span<const std::string> names) {
  if (!names.empty() && names.size() <= kMaxFeatures) {
    const Layout layout = names.front().starts_with(kCoulomb)
                              ? Layout(coulomb_of_count(names.size()))
                              : Layout(bags_of_names(names));
    const std::size_t count = std::visit([](const auto& l) { return feature_count(l); }, layout);
    if (count == names.size()) {
      Representation representation(layout);
      if (std::ranges::equal(representation.names_, names)) return representation;
    }
  }
  throw InvalidInput(fmt::format(
      "features {}, expected those of a Coulomb matrix (\"coulomb 1 1\") or a bag of bonds "
      "(\"C-H 1\"): was the model trained on molecules?",
      names.empty() ? "without names" : fmt::format("\"{}\"", printable(names.front()))));
}

RepresentationKind Representation::kind() const {
  return std::holds_alternative<CoulombLayout>(layout_) ? RepresentationKind::coulomb_matrix
                                                        : RepresentationKind::bag_of_bonds;
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
