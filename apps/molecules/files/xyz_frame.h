// Reading one frame of an XYZ text.
#pragma once

#include <cstddef>
#include <optional>

#include "apps/molecules/files/xyz_lines.h"
#include "apps/molecules/molecule.h"

namespace bisector::molecules {

/// Reads the next frame, which is frame `number` of its file; nothing if only blank lines are left.
/// Throws FormatError with line and frame, also for more than `max_atoms` atoms.
std::optional<Molecule> read_xyz_frame(XyzLines& lines, std::size_t number, std::size_t max_atoms);

}  // namespace bisector::molecules
