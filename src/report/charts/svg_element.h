// SVG as text: elements, attributes, numbers and escaped text.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bisector::chart {

/// "12.0", for coordinates.
std::string tenths(double value);
/// "12.34", without trailing zeros.
std::string hundredths(double value);

struct Attribute {
  Attribute(std::string_view its_name, std::string text) : name(its_name), value(std::move(text)) {}
  /// A coordinate, in tenths.
  Attribute(std::string_view its_name, double coordinate)
      : Attribute(its_name, tenths(coordinate)) {}

  std::string_view name;
  std::string value;
};
using Attributes = std::vector<Attribute>;

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
