#include "apps/molecules/representation/coulomb_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "bisector/error.h"

namespace bisector::molecules {
namespace {

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

}  // namespace

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

}  // namespace bisector::molecules
