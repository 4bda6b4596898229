// A molecule with the relevance of its pairs of atoms as a picture.
#pragma once

#include <string>
#include <string_view>

#include "apps/molecules/molecule.h"
#include "apps/molecules/representation/atom_relevance.h"
#include "bisector/report/drawing.h"

namespace bisector::molecules {

/// The colors of pairs that raise and that lower the prediction.
inline constexpr std::string_view kColorFor = "#d8432f", kColorAgainst = "#123f77";

/// Draws the molecule into the box, viewed along its shortest principal axis: atoms as circles,
/// bonds in gray, and a line for each pair of atoms. The width and opacity of a line are
/// proportional to |relevance|; pairs below 5 % of the largest are left out.
void draw_molecule(chart::SvgDrawing& drawing, const chart::Box& box, const Molecule& molecule,
                   const AtomRelevance& relevance);

/// A picture with caption and legend.
std::string molecule_svg(const Molecule& molecule, const AtomRelevance& relevance,
                         std::string_view caption);

}  // namespace bisector::molecules
