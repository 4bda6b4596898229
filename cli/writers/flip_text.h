// Flips as text for people.
#pragma once

#include <ostream>

#include "bisector/flip.h"
#include "cli/writers/result_tables.h"

namespace bisector::cli {

/// The answers for each row of the chunk.
void write_flip_text(std::ostream& out, const FlipRows& flips, const ResultNames& names,
                     const ModelChunk& chunk, const FlipOptions& options);

}  // namespace bisector::cli
