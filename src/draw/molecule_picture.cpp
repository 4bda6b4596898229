#include "bisector/molecule_picture.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

namespace bisector {
namespace {

constexpr double kLeastShare = 0.05;  // of the largest |relevance|, for a pair to be drawn

/// Covalent radii in Angstrom (Cordero et al. 2008) of the elements of organic chemistry.
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

/// Columns: along the longest extent, across it, towards the viewer; a row for each atom.
Eigen::MatrixX3d seen_from_its_flat_side(const Molecule& molecule) {
  Eigen::MatrixX3d places(molecule.atoms.size(), 3);
  for (std::size_t n = 0; n < molecule.atoms.size(); ++n) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      places(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(axis)) =
          molecule.atoms[n].position[axis];
  }
  places.rowwise() -= places.colwise().mean().eval();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(places.transpose() * places);
  Eigen::MatrixX3d seen = places * axes.eigenvectors().rowwise().reverse();
  // The sign of an axis is arbitrary: the first atom off the middle decides, so that a picture
  // stays the same.
  for (Eigen::Index axis = 0; axis < 3; ++axis) {
    for (Eigen::Index n = 0; n < seen.rows(); ++n) {
      if (std::abs(seen(n, axis)) < 1e-6) continue;
      if (seen(n, axis) < 0.0) seen.col(axis) *= -1.0;
      break;
    }
  }
  return seen;
}

/// Pixels for each atom of a molecule in a box, and what an Angstrom is in pixels.
struct Projection {
  std::vector<Point> places;
  std::vector<double> depth;  // larger is nearer
  double scale;
};

Projection project(const Molecule& molecule, const Box& box) {
  const Eigen::MatrixX3d seen = seen_from_its_flat_side(molecule);
  const Eigen::RowVector3d low = seen.colwise().minCoeff(), high = seen.colwise().maxCoeff();
  constexpr double kMargin = 1.2;  // Angstrom around the atoms' centres, for their circles
  const double scale = std::min(box.width / (high.x() - low.x() + kMargin),
                                box.height / (high.y() - low.y() + kMargin));
  Projection result{{}, {}, scale};
  for (Eigen::Index n = 0; n < seen.rows(); ++n) {
    result.places.push_back(
        {box.x + box.width / 2 + scale * (seen(n, 0) - (low.x() + high.x()) / 2),
         box.y + box.height / 2 - scale * (seen(n, 1) - (low.y() + high.y()) / 2)});
    result.depth.push_back(seen(n, 2));
  }
  return result;
}

void draw_bonds(SvgDrawing& drawing, const Molecule& molecule, const Projection& view) {
  const Stroke stroke{"#999", 0.09 * view.scale};
  for (std::size_t i = 0; i < molecule.atoms.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (is_bonded(molecule.atoms[i], molecule.atoms[j]))
        drawing.line(view.places[i], view.places[j], stroke);
    }
  }
}

void draw_pairs(SvgDrawing& drawing, const AtomRelevance& relevance, const Projection& view) {
  std::vector<PairRelevance> pairs;
  for (const PairRelevance& pair : relevance.pairs) {
    if (pair.first != pair.second) pairs.push_back(pair);
  }
  std::ranges::stable_sort(pairs, {},
                           [](const PairRelevance& pair) { return std::abs(pair.relevance); });
  const double largest = pairs.empty() ? 0.0 : std::abs(pairs.back().relevance);
  for (const PairRelevance& pair : pairs) {
    const double share = std::abs(pair.relevance) / largest;
    if (!(share >= kLeastShare)) continue;
    drawing.line(view.places[pair.first], view.places[pair.second],
                 {pair.relevance > 0 ? kColourFor : kColourAgainst,
                  std::max(0.6, 0.14 * share * view.scale), 0.15 + 0.8 * share});
  }
}

struct AtomLook {
  double radius;  // Angstrom
  std::string_view fill;
  bool has_symbol;
};

AtomLook look_of(int number) {
  switch (number) {
    case 1:
      return {0.16, "#c9c9c9", false};
    case 6:
      return {0.24, "#2b2b2b", false};
    case 7:
      return {0.28, "#7fa8f0", true};
    default:
      return {0.28, "#fff", true};
  }
}

void draw_atoms(SvgDrawing& drawing, const Molecule& molecule, const Projection& view) {
  std::vector<std::size_t> order(molecule.atoms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t n) { return view.depth[n]; });
  for (const std::size_t n : order) {
    const int number = molecule.atoms[n].number;
    const AtomLook look = look_of(number);
    const Point at = view.places[n];
    drawing.circle(at, look.radius * view.scale, look.fill, {"#222", 0.03 * view.scale});
    const double size = 0.34 * view.scale;
    if (look.has_symbol)
      drawing.text({at.x, at.y + 0.36 * size}, element_symbol(number),
                   {size, TextStyle::Anchor::middle, true});
  }
}

}  // namespace

void draw_molecule(SvgDrawing& drawing, const Box& box, const Molecule& molecule,
                   const AtomRelevance& relevance) {
  const Projection view = project(molecule, box);
  draw_bonds(drawing, molecule, view);
  draw_pairs(drawing, relevance, view);
  draw_atoms(drawing, molecule, view);
}

std::string molecule_svg(const Molecule& molecule, const AtomRelevance& relevance,
                         std::string_view caption) {
  constexpr double kWidth = 560, kHeight = 480, kHead = 34, kFoot = 44;
  SvgDrawing drawing(kWidth, kHeight, caption);
  drawing.text({kWidth / 2, 22}, caption, {13, TextStyle::Anchor::middle, true});
  draw_molecule(drawing, {10, kHead, kWidth - 20, kHeight - kHead - kFoot}, molecule, relevance);
  const double y = kHeight - 18;
  drawing.line({40, y}, {70, y}, {kColourFor, 5});
  drawing.text({76, y + 4}, "pair speaks for a larger value");
  drawing.line({290, y}, {320, y}, {kColourAgainst, 5});
  drawing.text({326, y + 4}, "pair speaks for a smaller value");
  return drawing.svg();
}

}  // namespace bisector
