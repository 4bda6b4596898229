// Numbers packed into as few bytes as possible for the page.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace bisector::report {

/// {"type", "scale", "data"}: base64 of little-endian integers, to be divided by the scale (a power
/// of ten), if that gives every number up to `tolerance` times the largest; else floats or doubles.
nlohmann::ordered_json packed_numbers(std::span<const double> numbers, double tolerance = 0.0);

/// The same as floats, for numbers that need seven digits.
nlohmann::ordered_json packed_floats(std::span<const double> numbers);

std::string base64(std::span<const std::byte> bytes);
/// Little-endian doubles as base64.
std::string base64(std::span<const double> numbers);

}  // namespace bisector::report
