// SVG as text: elements with their attributes, numbers and escaped words. Everything that is drawn
// is written here.
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

/// "12.0": the places in charts, of which there are many.
std::string tenths(double value);
/// "12.34", without needless digits.
std::string hundredths(double value);

/// <name a="b"/>; values are escaped.
std::string element(std::string_view name, const Attributes& attributes);
/// <name a="b">, to be closed by closing(name).
std::string opening(std::string_view name, const Attributes& attributes);
std::string closing(std::string_view name);
/// <name a="b">words</name>; the words are escaped, whatever they hold.
std::string element_with(std::string_view name, const Attributes& attributes,
                         std::string_view words);

/// The beginning of a file that opening and closing elements of "svg" hold; `more` are further
/// attributes.
std::string svg_opening(const std::string& width, const std::string& height,
                        const Attributes& more);

}  // namespace bisector::chart
