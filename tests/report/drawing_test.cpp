#include "bisector/report/drawing.h"

#include <gtest/gtest.h>

namespace bisector {

using namespace chart;

namespace {

TEST(SvgDrawing, ShowsTextAsText) {
  SvgDrawing drawing(10, 10, "<title> & \"more\"");
  drawing.text({1, 2}, "</text><script>alert(1)</script>\n");
  const std::string svg = drawing.svg();
  EXPECT_NE(svg.find("<title>&lt;title&gt; &amp; &quot;more&quot;</title>"), std::string::npos);
  EXPECT_NE(svg.find("&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt; </text>"),
            std::string::npos);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
}

TEST(SvgDrawing, DrawsFromBackToFront) {
  SvgDrawing drawing(100, 50, "shapes");
  drawing.line({0, 0}, {1.234567, -0.001}, {"#abc", 2, 0.5});
  drawing.circle({1, 2}, 3, "#123", {});
  const std::string svg = drawing.svg();
  EXPECT_NE(svg.find("<path d=\"M0 0L1.23 0\" stroke=\"#abc\" stroke-width=\"2\" "
                     "stroke-opacity=\"0.5\"/>"),
            std::string::npos)
      << svg;
  EXPECT_LT(svg.find("M0 0"), svg.find("<circle cx=\"1\" cy=\"2\" r=\"3\""));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

}  // namespace
}  // namespace bisector
