// Machines and rows that are made to go wrong.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bisector/kernel_machine.h"
#include "bisector/matrix.h"

namespace bisector::oracle {

struct Case {
  KernelMachine machine;
  Matrix rows;
};

/// A family of cases, one for every seed.
struct Family {
  std::string name;
  Case (*make)(std::uint64_t seed);
};

const std::vector<Family>& families();

}  // namespace bisector::oracle
