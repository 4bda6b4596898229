// Text for terminals, broken into lines.
#pragma once

#include <cstddef>
#include <string>

namespace bisector::cli {

/// The longest line of --help and inspect, where words allow.
inline constexpr std::size_t kTextWidth = 96;

/// Breaks text at blanks. The first line starts at column `indent` already, and every other one
/// gets that many blanks.
std::string wrapped(const std::string& text, std::size_t indent);

/// A line of a list: a name, and from `column` on its value, broken into lines.
std::string list_line(const std::string& name, const std::string& value, std::size_t column);

}  // namespace bisector::cli
