#include "apps/molecules/pictures/molecule_picture.h"

#include <gtest/gtest.h>

#include "report/occurrences.h"

namespace bisector::molecules {
namespace {

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
  // One line each besides the legend: single atoms and pairs below 5 % have no line.
  EXPECT_EQ(occurrences(svg, std::string(kColorFor)), 2u);
  EXPECT_EQ(occurrences(svg, std::string(kColorAgainst)), 2u);
  EXPECT_NE(svg.find("H&lt;sub&gt;2&lt;/sub&gt;CO"), std::string::npos);
  EXPECT_NE(svg.find(">O</text>"), std::string::npos);
}

TEST_F(MoleculePicture, DoesNotDependOnThePositionOfTheMolecule) {
  Molecule moved = molecule_;
  for (Atom& atom : moved.atoms) {
    auto& [x, y, z] = atom.position;
    atom.position = {z + 3.0, x - 1.0, y};
  }
  EXPECT_EQ(molecule_svg(moved, {}, "one"), molecule_svg(molecule_, {}, "one"));
}

TEST_F(MoleculePicture, ASingleAtomIsDrawn) {
  const Molecule atom{"", {{2, {1, 2, 3}}}, {}, ""};
  const std::string svg = molecule_svg(atom, {}, "helium");
  EXPECT_EQ(occurrences(svg, "<circle"), 1u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace bisector::molecules
