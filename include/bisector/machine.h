// What the library computes with on this machine.
#pragma once

#include <string>
#include <vector>

namespace bisector {

struct Machine {
  std::string instruction_set;         // of the kernels in use, e.g. "avx2"
  std::vector<std::string> supported;  // those that this machine can run, slowest first
  unsigned threads = 1;                // as many as work where nobody says how many
  std::string blas_core;               // OpenBLAS's kernels, e.g. "SkylakeX"; empty: another BLAS
  /// False where OpenBLAS is older than the processor and runs kernels without AVX2. Kernel ridge
  /// then factors with the library's own kernels.
  bool blas_recognised_processor = true;
};

/// Throws InvalidInput when the environment variable BISECTOR_ISA, which chooses the instruction
/// set, names one that is not supported.
Machine machine();

}  // namespace bisector
