#include "bisector/report/page_template.h"

#include "bisector/error.h"

namespace bisector {

std::string_view PageTemplate::up_to(std::string_view marker) {
  const std::size_t place = rest_.find(marker);
  if (place == std::string_view::npos)
    throw InvalidInput("the page lacks " + std::string(marker) + ", expected the built page");
  const std::string_view part = rest_.substr(0, place);
  rest_.remove_prefix(place + marker.size());
  return part;
}

/// These characters occur only inside JSON strings, where an escape means the same.
std::string json_for_script(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      text += "\\u003c";
    else if (c == '>')
      text += "\\u003e";
    else if (c == '&')
      text += "\\u0026";
    else
      text += c;
  }
  return text;
}

}  // namespace bisector
