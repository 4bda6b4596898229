#include "apps/molecules/pictures/molecule_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "apps/molecules/pictures/molecule_shape.h"

namespace bisector::molecules {

using namespace chart;

namespace {

constexpr double kLeastShare = 0.05;  // pairs below this share of the largest are not drawn

/// The position of each atom in a box, in pixels, and the pixels per Angstrom.
struct Projection {
  std::vector<Point> places;
  std::vector<double> depth;  // larger is nearer
  double scale;
};

/// The smallest and the largest coordinate along an axis.
std::pair<double, double> extent(const std::vector<std::array<double, 3>>& places,
                                 std::size_t axis) {
  const auto [low, high] =
      std::ranges::minmax_element(places, {}, [&](const auto& place) { return place[axis]; });
  return {(*low)[axis], (*high)[axis]};
}

Projection project(const Molecule& molecule, const Box& box) {
  const std::vector<std::array<double, 3>> seen = principal_coordinates(molecule);
  const auto [left, right] = extent(seen, 0);
  const auto [low, high] = extent(seen, 1);
  constexpr double kMargin = 1.2;  // Angstrom around the atoms' centers, for their circles
  const double scale =
      std::min(box.width / (right - left + kMargin), box.height / (high - low + kMargin));
  Projection result{{}, {}, scale};
  for (const auto& [x, y, z] : seen) {
    result.places.push_back({box.x + box.width / 2 + scale * (x - (left + right) / 2),
                             box.y + box.height / 2 - scale * (y - (low + high) / 2)});
    result.depth.push_back(z);
  }
  return result;
}

void draw_bonds(SvgDrawing& drawing, const Molecule& molecule, const Projection& view) {
  const Stroke stroke{"#999", 0.09 * view.scale};
  for (const Bond& bond : bonds(molecule))
    drawing.line(view.places[bond.first], view.places[bond.second], stroke);
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
                 {pair.relevance > 0 ? kColorFor : kColorAgainst,
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
  drawing.line({40, y}, {70, y}, {kColorFor, 5});
  drawing.text({76, y + 4}, "pair raises the prediction");
  drawing.line({290, y}, {320, y}, {kColorAgainst, 5});
  drawing.text({326, y + 4}, "pair lowers the prediction");
  return drawing.svg();
}

}  // namespace bisector::molecules
