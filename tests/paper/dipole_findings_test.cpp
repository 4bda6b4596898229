#include "dipole/dipole_findings.h"

#include <gtest/gtest.h>

namespace bisector::paper {

using namespace molecules;

namespace {

// O-C-C-O in a row with one O bent back to the middle: the other is peripheral.
const Molecule kChain{
    "",
    {{8, {0, 0, 0}}, {6, {1.4, 0, 0}}, {6, {2.9, 0, 0}}, {8, {2.2, 1.2, 0}}, {1, {9, 9, 9}}},
    {},
    ""};

TEST(DipoleFindings, PeripheralAtomsAreFarFromTheCenterAndHeavy) {
  EXPECT_EQ(peripheral_atoms(kChain), (std::vector<bool>{true, false, true, false, false}));
}

TEST(DipoleFindings, BandsAreHalfOpen) {
  EXPECT_EQ(band_of(1.69), 0u);
  EXPECT_EQ(band_of(1.7), 1u);
  EXPECT_EQ(band_of(100.0), kBands.size() - 1);
}

TEST(DipoleFindings, SharesAreOfAbsoluteRelevance) {
  FindingSums sums;
  AtomRelevance relevance;
  relevance.pairs = {{0, 0, 5.0}, {0, 1, 3.0}, {0, 2, -1.0}};
  sums.add(kChain, relevance);
  const Facts facts = sums.facts();
  EXPECT_EQ(facts.at("band 0"), (std::vector<double>{0.75, 0.5, 0.75}));
  EXPECT_EQ(facts.at("band 1"), (std::vector<double>{0.25, 0.5, -0.25}));
  EXPECT_EQ(facts.at("pair C-O"), (std::vector<double>{1.0, 1.0, 0.5}));
  EXPECT_EQ(facts.at("peripheral oxygen"), (std::vector<double>{0.5, 0.2, 0.25}));
  EXPECT_EQ(facts.at("inner oxygen"), (std::vector<double>{0.0, 0.2, 0.0}));
  EXPECT_EQ(facts.at("other"), (std::vector<double>{0.5, 0.6, 0.25}));
  EXPECT_DOUBLE_EQ(facts.at("distance").at(0), (3.0 * 1.4 + 2.9) / 4.0);
  EXPECT_DOUBLE_EQ(facts.at("diagonal").at(0), 5.0 / 9.0);
}

}  // namespace
}  // namespace bisector::paper
