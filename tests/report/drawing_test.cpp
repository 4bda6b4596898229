#include "bisector/report/drawing.h"

#include <gtest/gtest.h>

#include "bisector/chemistry/molecule_picture.h"
#include "report/occurrences.h"

namespace bisector {

using namespace chart;
using namespace chemistry;

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
  drawing.line({0, 0}, {1.234567, -0.001}, {"#abc", 2, 0.5, true});
  const Point points[] = {{1, 2}, {3, 4}};
  drawing.dots(points, 3, "#123");
  drawing.polyline(points);
  drawing.polyline({});
  const std::string svg = drawing.svg();
  EXPECT_NE(svg.find("<path d=\"M0 0L1.23 0\" stroke=\"#abc\" stroke-width=\"2\" "
                     "stroke-opacity=\"0.5\" stroke-dasharray=\"4 3\"/>"),
            std::string::npos)
      << svg;
  EXPECT_LT(svg.find("M0 0"), svg.find("M1.0 2.0h0M3.0 4.0h0"));
  EXPECT_NE(svg.find("M1 2L3 4"), std::string::npos);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

class MoleculePicture : public testing::Test {
 protected:
  // Formaldehyde: bonds C-O and twice C-H.
  const Molecule molecule_{
      "", {{6, {0, 0, 0}}, {8, {1.2, 0, 0}}, {1, {-0.6, 0.9, 0}}, {1, {-0.6, -0.9, 0}}}, {}, ""};
};

TEST_F(MoleculePicture, HasAtomsBondsAndPairs) {
  AtomRelevance relevance;
  relevance.pairs = {{0, 0, 9.0}, {0, 1, 1.0}, {1, 2, -0.5}, {2, 3, 0.01}};
  const std::string svg = molecule_svg(molecule_, relevance, "H<sub>2</sub>CO");
  EXPECT_EQ(occurrences(svg, "<circle"), 4u);
  EXPECT_EQ(occurrences(svg, "stroke=\"#999\""), 3u);
  // One line and the legend's; an atom's own relevance and what is under a twentieth is no line.
  EXPECT_EQ(occurrences(svg, std::string(kColorFor)), 2u);
  EXPECT_EQ(occurrences(svg, std::string(kColorAgainst)), 2u);
  EXPECT_NE(svg.find("H&lt;sub&gt;2&lt;/sub&gt;CO"), std::string::npos);
  EXPECT_NE(svg.find(">O</text>"), std::string::npos);
}

TEST_F(MoleculePicture, IsTheSameHoweverTheMoleculeWasMoved) {
  Molecule moved = molecule_;
  for (Atom& atom : moved.atoms) {
    auto& [x, y, z] = atom.position;
    atom.position = {z + 3.0, x - 1.0, y};
  }
  EXPECT_EQ(molecule_svg(moved, {}, "one"), molecule_svg(molecule_, {}, "one"));
}

TEST_F(MoleculePicture, OfASingleAtomIsDrawn) {
  const Molecule atom{"", {{2, {1, 2, 3}}}, {}, ""};
  const std::string svg = molecule_svg(atom, {}, "helium");
  EXPECT_EQ(occurrences(svg, "<circle"), 1u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace bisector
