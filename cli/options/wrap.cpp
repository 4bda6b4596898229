#include "cli/options/wrap.h"

#include <fmt/format.h>

#include <sstream>

namespace bisector::cli {

std::string wrapped(const std::string& text, std::size_t indent) {
  std::istringstream words(text);
  std::string result, word;
  std::size_t used = indent;
  while (words >> word) {
    if (used > indent && used + 1 + word.size() > kTextWidth) {
      result += '\n' + std::string(indent, ' ');
      used = indent;
    } else if (used > indent) {
      result += ' ';
      ++used;
    }
    result += word;
    used += word.size();
  }
  return result;
}

std::string list_line(const std::string& name, const std::string& value, std::size_t column) {
  constexpr std::size_t kIndent = 2;
  return fmt::format("{:{}}{:<{}}{}\n", "", kIndent, name, column - kIndent,
                     wrapped(value, column));
}

}  // namespace bisector::cli
