// The colours of all charts, in the page and in files: blue and orange, which people of every
// colour vision tell apart, with a neutral middle.
#pragma once

#include <array>
#include <string_view>

namespace bisector::chart {

/// From "against" over neutral to "for", the middle one being zero; and the same for dark pages.
inline constexpr std::array<std::string_view, 9> kDiverging = {"#08519c", "#2f7ab9", "#6aaed6",
                                                               "#b3d3e8", "#eeeeee", "#fdd0a2",
                                                               "#fd9a4e", "#e6621a", "#a63603"};
inline constexpr std::array<std::string_view, 9> kDivergingDark = {"#9fd0fa", "#6cb1ea", "#4488c0",
                                                                   "#345a7c", "#33363c", "#7a4a2c",
                                                                   "#c06a2c", "#f0934d", "#ffc08f"};
/// From low to high; even steps of lightness.
inline constexpr std::array<std::string_view, 7> kSequential = {
    "#3b0f70", "#641a80", "#8c2981", "#b73779", "#de4968", "#f7705c", "#fe9f6d"};
inline constexpr std::array<std::string_view, 7> kSequentialDark = {
    "#6a5acd", "#8c63c9", "#ae6bbf", "#cd76ae", "#e5879a", "#f59f8a", "#fcc08a"};
inline constexpr std::string_view kFor = "#d1580e", kForDark = "#f28e4b";
inline constexpr std::string_view kAgainst = "#2166ac", kAgainstDark = "#6aaee8";
/// For lines that have to be told apart (Okabe and Ito).
inline constexpr std::array<std::string_view, 8> kLines = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#8a7400"};

}  // namespace bisector::chart
