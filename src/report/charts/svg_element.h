// SVG as text: elements, attributes, numbers and escaped text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bisector::chart {

struct Attribute {
  std::string_view name;
  std::string value;
};
using Attributes = std::vector<Attribute>;

/// "12.0", for coordinates.
std::string tenths(double value);
/// "12.34", without trailing zeros.
std::string hundredths(double value);

/// <name a="b"/>; values are escaped.
std::string element(std::string_view name, const Attributes& attributes);
/// <name a="b">, to be closed by closing(name).
std::string opening(std::string_view name, const Attributes& attributes);
std::string closing(std::string_view name);
/// <name a="b">text</name>; the text is escaped.
std::string element_with(std::string_view name, const Attributes& attributes,
                         std::string_view words);

/// The opening element of an SVG file, with additional attributes.
std::string svg_opening(const std::string& width, const std::string& height,
                        const Attributes& more);

}  // namespace bisector::chart
