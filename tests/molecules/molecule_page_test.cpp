#include "apps/molecules/pictures/molecule_page.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/molecules/pictures/molecule_shape.h"
#include "bisector/error.h"

namespace bisector {

using namespace molecules;

namespace {

constexpr std::string_view kPage = "<title><!--title--></title><script><!--data--></script>";

nlohmann::json data_of(const std::string& page) {
  const std::size_t first = page.find("<script>") + 8;
  return nlohmann::json::parse(page.substr(first, page.rfind("</script>") - first));
}

// Bromochlorofluoromethane, which differs from its mirror image.
const Molecule kHanded{"</script><img src=x onerror=alert(1)>",
                       {{6, {0, 0, 0}},
                        {1, {0.63, 0.63, 0.63}},
                        {9, {-0.8, -0.8, 0.8}},
                        {17, {-1.02, 1.02, -1.02}},
                        {35, {1.12, -1.12, -1.12}}},
                       {},
                       ""};

/// Determinant of the vectors from the first atom to the next three; a mirror image has the other
/// sign.
double handedness(const std::vector<std::array<double, 3>>& p) {
  const auto from = [&](std::size_t n, std::size_t axis) { return p[n][axis] - p[0][axis]; };
  double sum = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    sum += from(1, i) * (from(2, j) * from(3, k) - from(2, k) * from(3, j));
  }
  return sum;
}

TEST(MoleculePage, ContainsEveryPairAndEscapesItsText) {
  MoleculePage content{"<b>title", "why", 2.5, "lrp", {}};
  content.molecules.push_back({kHanded,
                               {{{0, 0, 0.25}, {0, 3, -1.0 / 3.0}}, {0.1, 0.2, 0.3, 0.4, 0.5}, 0.0},
                               3.0,
                               0.5,
                               0.0});
  std::ostringstream out;
  write_molecule_page(out, content, kPage);
  const std::string page = out.str();
  EXPECT_TRUE(page.starts_with("<title>&lt;b&gt;title</title><script>{")) << page.substr(0, 60);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  const auto json = data_of(page);
  const auto& shown = json["molecules"][0];
  EXPECT_EQ(shown["name"], kHanded.name);
  EXPECT_EQ(shown["formula"], "CHBrClF");
  EXPECT_EQ(shown["pairs"][1][3], -1.0 / 3.0);
  EXPECT_EQ(shown["pairs"][1][2], distance(kHanded.atoms[0], kHanded.atoms[3]));
  EXPECT_EQ(shown["bonds"].size(), 4u);
  EXPECT_EQ(shown["atoms"][4][0], "Br");
  EXPECT_EQ(json["level"], 2.5);
}

TEST(MoleculePage, ThrowsWithoutTheMarkers) {
  std::ostringstream out;
  EXPECT_THROW(write_molecule_page(out, {}, "<title></title>"), InvalidInput);
}

TEST(MoleculeShape, IsRotatedAndNeverMirrored) {
  for (const double mirror : {1.0, -1.0}) {
    Molecule molecule = kHanded;
    std::vector<std::array<double, 3>> before;
    for (Atom& atom : molecule.atoms) {
      atom.position[1] *= mirror;
      before.push_back(atom.position);
    }
    EXPECT_NEAR(handedness(principal_coordinates(molecule)), handedness(before), 1e-9);
    EXPECT_GT(std::abs(handedness(before)), 0.5);
  }
}

}  // namespace
}  // namespace bisector
