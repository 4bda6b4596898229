#include "apps/molecules/pictures/molecule_shape.h"

#include <Eigen/Dense>
#include <cmath>
#include <map>

namespace bisector::molecules {
namespace {

/// Covalent radii in Angstrom (Cordero et al. 2008) of common elements.
double covalent_radius(int number) {
  static const std::map<int, double> kRadii = {{1, 0.31},  {5, 0.84},  {6, 0.76},  {7, 0.71},
                                               {8, 0.66},  {9, 0.57},  {14, 1.11}, {15, 1.07},
                                               {16, 1.05}, {17, 1.02}, {35, 1.20}, {53, 1.39}};
  const auto found = kRadii.find(number);
  return found == kRadii.end() ? 1.4 : found->second;
}

bool is_bonded(const Atom& a, const Atom& b) {
  return distance(a, b) < 1.25 * (covalent_radius(a.number) + covalent_radius(b.number));
}

}  // namespace

std::vector<Bond> bonds(const Molecule& molecule) {
  std::vector<Bond> result;
  for (std::size_t i = 0; i < molecule.atoms.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (is_bonded(molecule.atoms[i], molecule.atoms[j])) result.push_back({i, j});
    }
  }
  return result;
}

std::vector<std::array<double, 3>> principal_coordinates(const Molecule& molecule) {
  Eigen::MatrixX3d places(molecule.atoms.size(), 3);
  for (std::size_t n = 0; n < molecule.atoms.size(); ++n) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      places(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(axis)) =
          molecule.atoms[n].position[axis];
  }
  places.rowwise() -= places.colwise().mean().eval();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(places.transpose() * places);
  Eigen::MatrixX3d seen = places * axes.eigenvectors().rowwise().reverse();
  // The sign of an axis is arbitrary. The first atom off the center decides it, so that pictures
  // are reproducible; the sign of the third axis follows from the others.
  const double turns = axes.eigenvectors().rowwise().reverse().determinant();
  seen.col(2) *= turns < 0.0 ? -1.0 : 1.0;
  for (Eigen::Index axis = 0; axis < 2; ++axis) {
    for (Eigen::Index n = 0; n < seen.rows(); ++n) {
      if (std::abs(seen(n, axis)) < 1e-6) continue;
      if (seen(n, axis) < 0.0) {
        seen.col(axis) *= -1.0;
        seen.col(2) *= -1.0;
      }
      break;
    }
  }
  std::vector<std::array<double, 3>> result;
  for (const auto& row : seen.rowwise()) result.push_back({row(0), row(1), row(2)});
  return result;
}

}  // namespace bisector::molecules
