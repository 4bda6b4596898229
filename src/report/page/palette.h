// The colors of all charts: blue and orange, which differ for every color vision, with a neutral
// middle. In a gray print, orange is lighter.
#pragma once

#include <array>
#include <string_view>

namespace bisector::report {

/// From negative over zero to positive contributions, for light and dark pages.
inline constexpr std::array<std::string_view, 9> kDiverging = {"#08306b", "#2067a8", "#6aaed6",
                                                               "#b3d3e8", "#eeeeee", "#fdd0a2",
                                                               "#fdae6b", "#f58634", "#e0600f"};
inline constexpr std::array<std::string_view, 9> kDivergingDark = {"#5aa3e6", "#4a8dcc", "#3c74a8",
                                                                   "#345a7c", "#33363c", "#7a4a2c",
                                                                   "#c06a2c", "#f0934d", "#ffc890"};
/// From low to high values, with even steps of lightness.
inline constexpr std::array<std::string_view, 7> kSequential = {
    "#3b0f70", "#641a80", "#8c2981", "#b73779", "#de4968", "#f7705c", "#fe9f6d"};
inline constexpr std::array<std::string_view, 7> kSequentialDark = {
    "#6a5acd", "#8c63c9", "#ae6bbf", "#cd76ae", "#e5879a", "#f59f8a", "#fcc08a"};
inline constexpr std::string_view kFor = "#e67a22", kForDark = "#f9b27c";
inline constexpr std::string_view kAgainst = "#17518f", kAgainstDark = "#4e92d4";
/// For lines of different methods (Okabe and Ito).
inline constexpr std::array<std::string_view, 8> kLines = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#8a7400"};

}  // namespace bisector::report
