// Text wrapped into lines for terminals.
#pragma once

#include <cstddef>
#include <string>

namespace bisector::cli {

/// The line width of text for people: that of most terminals.
inline constexpr std::size_t kTextWidth = 80;

/// Wraps text at blanks. The first line starts at column `indent`; the others are indented.
std::string wrapped(const std::string& text, std::size_t indent);

/// A line of a list: a name, and its wrapped value from `column` on.
std::string list_line(const std::string& name, const std::string& value, std::size_t column);

}  // namespace bisector::cli
