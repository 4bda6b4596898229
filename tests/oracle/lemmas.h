// The two lemmas on which every model by distance rests, over many random models: g has the sign of
// f. Judged by sums in 80-bit arithmetic, whose own rounding is a thousandth of the bound that a
// row has to exceed to be decided.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bisector::oracle {

struct LemmaCount {
  std::string name;
  std::size_t models = 0, rows = 0;
  std::size_t decided = 0;  // rows whose f exceeds its rounding bound, and without a tie
  std::size_t wrong = 0;    // ... and whose g has another sign
  std::size_t ties = 0;     // rows that are flagged as such
};

/// Kernels of any distance: one count for each form of kernel. Models with the seeds from `seed`
/// on.
std::vector<LemmaCount> check_kernels(std::size_t models, std::uint64_t seed);
/// Votes of any weight, regressors by neighbours, detectors.
std::vector<LemmaCount> check_votes(std::size_t models, std::uint64_t seed);

}  // namespace bisector::oracle
