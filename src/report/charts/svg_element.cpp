#include "report/charts/svg_element.h"

#include <fmt/format.h>

#include "bisector/report/markup.h"

namespace bisector::chart {
namespace {

std::string tag(std::string_view name, const Attributes& attributes, std::string_view end) {
  std::string text = fmt::format("<{}", name);
  for (const Attribute& attribute : attributes)
    text += fmt::format(" {}=\"{}\"", attribute.name, escaped_markup(attribute.value));
  return text.append(end);
}

}  // namespace

std::string tenths(double value) { return fmt::format("{:.1f}", value); }

std::string hundredths(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string opening(std::string_view name, const Attributes& attributes) {
  return tag(name, attributes, ">");
}

std::string element(std::string_view name, const Attributes& attributes) {
  return tag(name, attributes, "/>");
}

std::string closing(std::string_view name) { return fmt::format("</{}>", name); }

std::string element_with(std::string_view name, const Attributes& attributes,
                         std::string_view words) {
  return opening(name, attributes) + escaped_markup(words) + closing(name);
}

std::string svg_opening(const std::string& width, const std::string& height,
                        const Attributes& more) {
  Attributes attributes = {{"xmlns", "http://www.w3.org/2000/svg"},
                           {"viewBox", fmt::format("0 0 {} {}", width, height)},
                           {"width", width},
                           {"height", height},
                           {"role", "img"}};
  attributes.insert(attributes.end(), more.begin(), more.end());
  return opening("svg", attributes) + '\n';
}

}  // namespace bisector::chart
