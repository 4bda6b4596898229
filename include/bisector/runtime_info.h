// The instruction set and the number of threads that the library uses on this computer.
#pragma once

#include <string>
#include <vector>

#include "bisector/export.h"

namespace bisector {

struct RuntimeInfo {
  std::string instruction_set;         // of the kernels in use, e.g. "avx2"
  std::vector<std::string> supported;  // those that this processor can run, slowest first
  unsigned threads = 1;                // the default number of threads
};

/// Throws InvalidInput when the environment variable BISECTOR_ISA, which chooses the instruction
/// set, names one that is not supported.
BISECTOR_EXPORT RuntimeInfo runtime_info();

}  // namespace bisector
