#include "io/text/text_lines.h"

#include <cmath>

#include "bisector/error.h"
#include "io/text/cells.h"

namespace bisector::io {

bool TextLines::next() {
  if (!std::getline(in_, text_)) {
    if (in_.bad()) throw FileError("cannot read " + source_ + " to its end");
    text_.clear();
    return false;
  }
  if (!text_.empty() && text_.back() == '\r') text_.pop_back();
  ++number_;
  bytes_ += text_.size();
  return true;
}

void TextLines::fail_at(std::size_t line, std::string_view problem) const {
  throw FormatError(source_, line, problem);
}

std::optional<double> parse_finite(std::string_view word) {
  const auto value = cell_number(word);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace bisector::io
