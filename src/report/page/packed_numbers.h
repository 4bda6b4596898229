// Numbers for a page in as few bytes as they need.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace bisector::report {

/// {"type", "scale", "data"}: base64 of little-endian integers, each divided by the scale, a power
/// of ten, where that gives every number back exactly (up to `tolerance` times the largest); else
/// of floats or doubles.
nlohmann::ordered_json packed_numbers(std::span<const double> numbers, double tolerance = 0.0);

/// The same as floats, for what nobody reads more than seven digits of.
nlohmann::ordered_json packed_floats(std::span<const double> numbers);

}  // namespace bisector::report
