// A molecule and the relevance of its pairs of atoms, as a picture.
#pragma once

#include <string>
#include <string_view>

#include "bisector/chemistry/atom_relevance.h"
#include "bisector/chemistry/molecule.h"
#include "bisector/export.h"
#include "bisector/report/drawing.h"

namespace bisector::chemistry {

/// The colors of relevance: for a larger prediction, and for a smaller one.
inline constexpr std::string_view kColorFor = "#d8432f", kColorAgainst = "#123f77";

/// Draws the molecule into the box, seen along its shortest principal axis: atoms as circles, bonds
/// in gray behind them, and a line for every pair of atoms whose width and opacity are its share of
/// the largest |relevance|. Pairs under a twentieth of that are left out.
BISECTOR_EXPORT void draw_molecule(chart::SvgDrawing& drawing, const chart::Box& box,
                                   const Molecule& molecule, const AtomRelevance& relevance);

/// One picture with its caption and legend.
BISECTOR_EXPORT std::string molecule_svg(const Molecule& molecule, const AtomRelevance& relevance,
                                         std::string_view caption);

}  // namespace bisector::chemistry
