// SHA-256 checksums.
#pragma once

#include <istream>
#include <string>

namespace bisector::tools {

/// The SHA-256 hash of the rest of a stream, in hexadecimal digits.
std::string sha256(std::istream& in);

}  // namespace bisector::tools
