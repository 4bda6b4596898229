// Two-class neighbor models against the oracle: f is the difference of the votes, and its sign is
// decided where the q-th nearest points of the classes keep their order however their squared
// distances are moved by the rounding of a sum of D squares, (D + 8) 2^-53 of each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/neighbor_model.h"

namespace bisector::oracle {

struct NeighborCase {
  NeighborModel model;
  Matrix rows;
};

struct NeighborFamily {
  std::string name;
  NeighborCase (*make)(std::uint64_t seed);
};

const std::vector<NeighborFamily>& neighbor_families();

struct NeighborComparison {
  std::size_t models = 0, rows = 0;
  std::size_t decided = 0;    // rows with a sign that rounding cannot change
  std::size_t wrong = 0;      // ... and another sign of g, of the votes, or another class
  std::size_t unlucky = 0;    // other rows whose g has another sign than the exact votes
  std::size_t differing = 0;  // rows with other results in single than in double precision
};

NeighborComparison compare(const NeighborFamily& family, std::size_t models, std::uint64_t seed);

}  // namespace bisector::oracle
