// Doubles as base64 text.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace bisector::report {

std::string base64(std::span<const std::byte> bytes);

/// Little-endian doubles.
std::string base64(std::span<const double> numbers);

}  // namespace bisector::report
