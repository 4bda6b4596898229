// The study of the rules' parameters (the paper's Note G) on generated problems: AUFC over model
// parameter x rule parameter, for the eta rule and the path rule.
#pragma once

#include <cstddef>
#include <filesystem>
#include <ostream>

namespace bisector::paper {

struct HeuristicsOptions {
  std::filesystem::path out = "results";
  std::size_t problems = 130;  // generated; their models are tuned
  std::size_t per_value = 5;   // of those for which a value of gamma or k came out best
  std::size_t rows = 100;      // explained in each
};

/// Writes heuristics.csv (every cell) and heuristics.md (the heat maps' numbers and what they say).
void run_heuristics(const HeuristicsOptions& options, std::ostream& log);

}  // namespace bisector::paper
