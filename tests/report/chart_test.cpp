// Charts as SVG.
#include "bisector/report/chart.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/occurrences.h"

namespace bisector {

using namespace chart;

namespace {

TEST(RoundTicks, AreRoundAndWithin) {
  for (const auto& [low, high] : {std::pair{0.0, 1.0}, {-0.37, 12.2}, {1e-7, 3e-7}, {-5e9, 2e9}}) {
    const auto ticks = round_ticks(low, high);
    EXPECT_GE(ticks.size(), 3u);
    EXPECT_LE(ticks.size(), 11u);
    for (const Tick& tick : ticks) {
      EXPECT_GE(tick.at, low - 1e-9 * (high - low));
      EXPECT_LE(tick.at, high + 1e-9 * (high - low));
    }
  }
  EXPECT_EQ(round_ticks(-1.0, 1.0, 4)[2].text, "0");
}

TEST(Svg, DrawsEveryMarkAndEscapesText) {
  const Field grid{Matrix(2, 2, {-1.0, -1.0, 1.0, 1.0}), 0.0, 2.0, 0.0, 2.0};
  const Chart chart{"<title>",
                    "a & b",
                    {{"\"panel\"",
                      {"x", 0.0, 2.0},
                      {"y", 0.0, 2.0},
                      {Bands{grid, {0.0}, {"#111111", "#222222"}}, Contour{grid},
                       Points{{1.0, 1.5}, {1.0, 1.5}, {"#333333"}}, Line{{0.0, 1.0}, {0.0, 1.0}},
                       Bars{{{0.0, 1.0, 0.0, 1.0, "#444444"}}}, Label{1.0, 1.0, "</svg>"}},
                      {{"entry", "#555555"}}}}};
  const std::string text = svg(chart);
  EXPECT_NE(text.find("&lt;title&gt;"), std::string::npos);
  EXPECT_NE(text.find("a &amp; b"), std::string::npos);
  EXPECT_EQ(occurrences(text, "</svg>"), 1u);
  EXPECT_EQ(occurrences(text, "<circle"), 2u);
  for (const char* color : {"#111111", "#222222", "#333333", "#444444", "#555555"})
    EXPECT_NE(text.find(color), std::string::npos) << color;
}

// The level lies in the middle between the two rows of the grid: at y = 1, the panel's middle.
TEST(Svg, ContoursLieWhereTheLevelIs) {
  const Field grid{Matrix(2, 2, {-1.0, -1.0, 1.0, 1.0}), 0.0, 2.0, 0.0, 2.0};
  Chart chart{"", "", {{"", {"", 0.0, 2.0}, {"", 0.0, 2.0}, {Contour{grid, 0.0, "#abcdef"}}}}};
  chart.panel_width = chart.panel_height = 100;
  chart.left_margin = 0;
  const std::string text = svg(chart);
  EXPECT_NE(text.find("M75.0 80.0L25.0 80.0"), std::string::npos) << text;
}

TEST(Colors, GoFromAgainstOverNeutralToFor) {
  EXPECT_EQ(diverging_color(0.0), "#eeeeee");
  EXPECT_EQ(diverging_color(-5.0), diverging_color(-1.0));
  EXPECT_NE(diverging_color(-1.0), diverging_color(1.0));
}

}  // namespace
}  // namespace bisector
