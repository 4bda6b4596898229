// What the library computes with on this machine.
#pragma once

#include <string>
#include <vector>

namespace bisector {

struct Machine {
  std::string instruction_set;         // of the kernels in use, e.g. "avx2"
  std::vector<std::string> supported;  // those that this machine can run, slowest first
  unsigned threads = 1;                // as many as work where nobody says how many
};

/// Throws InvalidInput when the environment variable BISECTOR_ISA, which chooses the instruction
/// set, names one that is not supported.
Machine machine();

}  // namespace bisector
