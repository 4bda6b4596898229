// Text of a user's file in messages.
#pragma once

#include <string>
#include <string_view>

namespace bisector::detail {

/// The text in quotes for a message: printable, and at most 80 characters of it.
std::string quoted(std::string_view text);

}  // namespace bisector::detail
