// The two lemmas on which every model by distance rests, over many random models: g has the sign of
// f. Judged by sums in 80-bit arithmetic where these leave no doubt, that is, where f is a thousand
// times its rounding bound (their own rounding is a thousandth of the bound), else in 2048 bits.
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
  std::size_t close = 0;    // rows that took 2048 bits
};

/// Kernels of any distance: one count for each form of kernel. Models with the seeds from `seed`
/// on, with as many rows each.
std::vector<LemmaCount> check_kernels(std::size_t models, std::size_t rows, std::uint64_t seed);
/// Votes of any weight, regressors by neighbors, detectors.
std::vector<LemmaCount> check_votes(std::size_t models, std::size_t rows, std::uint64_t seed);

}  // namespace bisector::oracle
