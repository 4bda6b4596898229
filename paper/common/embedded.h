// The data files of this folder, embedded in the program.
#pragma once

#include <string_view>
#include <vector>

namespace bisector::paper {

std::vector<std::string_view> embedded_descriptions();  // datasets/*.json
std::string_view embedded_published();                  // published.json

}  // namespace bisector::paper
