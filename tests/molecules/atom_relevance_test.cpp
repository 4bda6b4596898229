#include "molecules/atom_relevance.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "bisector/error.h"
#include "bisector/explain.h"
#include "bisector/train/train.h"
#include "molecules/molecule_testing.h"

namespace bisector {

using namespace molecules;

namespace {

using namespace testing_molecules;

constexpr RepresentationKind kBoth[] = {RepresentationKind::coulomb_matrix,
                                        RepresentationKind::bag_of_bonds};

TEST(AtomRelevance, EqualsHandComputedValuesOfWater) {
  const Molecule water = right_angled_water();
  const auto coulomb =
      Representation::fit(RepresentationKind::coulomb_matrix, std::span(&water, 1));
  // O, O-H, O-H', H, H-H', H'.
  const std::vector<double> relevance = {1, 2, 4, 8, 16, 32};
  const AtomRelevance result = atom_relevance(coulomb(water), 3, relevance);
  const std::vector<PairRelevance> pairs = {{0, 0, 1}, {0, 1, 2},  {0, 2, 4},
                                            {1, 1, 8}, {1, 2, 16}, {2, 2, 32}};
  EXPECT_EQ(result.pairs, pairs);
  EXPECT_EQ(result.atoms, (std::vector<double>{1 + 1 + 2, 1 + 8 + 8, 2 + 8 + 32}));
  EXPECT_EQ(result.padding, 0.0);
}

TEST(AtomRelevance, RefusesAnotherNumberOfFeatures) {
  const Molecule water = right_angled_water();
  const auto bags = Representation::fit(RepresentationKind::bag_of_bonds, std::span(&water, 1));
  EXPECT_THROW(atom_relevance(bags(water), 3, std::vector<double>(2)), InvalidInput);
}

// Whole numbers, whose sums are exact in any order: pairs, atoms and features have the same total,
// and every pair has exactly its own feature's relevance.
TEST(AtomRelevance, SumsOverPairsEqualSumsOverFeatures) {
  for (const RepresentationKind kind : kBoth) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      const std::vector<Molecule> molecules = {random_molecule(2 + seed % 9, seed),
                                               random_molecule(10, seed + 1000)};
      const auto representation = Representation::fit(kind, molecules);
      const DescribedMolecule described = representation(molecules[0]);
      Random random(seed);
      std::vector<double> relevance(representation.features());
      for (double& value : relevance) value = 2.0 * static_cast<double>(random.below(2001)) - 2000;
      const AtomRelevance result = atom_relevance(described, molecules[0].atoms.size(), relevance);
      const double features = std::accumulate(relevance.begin(), relevance.end(), 0.0);
      double pairs = result.padding;
      std::set<std::pair<std::size_t, std::size_t>> seen;
      for (const PairRelevance& pair : result.pairs) {
        pairs += pair.relevance;
        EXPECT_TRUE(seen.emplace(pair.first, pair.second).second);
      }
      EXPECT_EQ(pairs, features);
      EXPECT_EQ(std::accumulate(result.atoms.begin(), result.atoms.end(), result.padding),
                features);
    }
  }
}

// The same molecule, moved and renumbered, is explained alike: relevance belongs to the atoms.
TEST(AtomRelevance, DoesNotDependOnNumberingAndMotion) {
  std::vector<Molecule> molecules;
  std::vector<double> target;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    molecules.push_back(random_molecule(6, 0));
    Random random(seed);
    for (Atom& atom : molecules.back().atoms) {
      for (double& axis : atom.position) axis += 0.3 * random.normal();
    }
    target.push_back(distance(molecules.back().atoms[0], molecules.back().atoms[5]));
  }
  for (const RepresentationKind kind : kBoth) {
    const auto representation = Representation::fit(kind, molecules);
    const TrainResult training = train(RidgeLearner{1.0, 0.1}, representation.rows(molecules),
                                       target, {.scaling = Scaling::median});
    const Molecule& one = molecules[7];
    const Molecule other = moved(one, 3);
    const auto relevance_of = [&](const Molecule& molecule) {
      const DescribedMolecule described = representation(molecule);
      const MatrixView<const double> row(described.features.data(), 1, described.features.size());
      const Explanation why = explain(training.model, row, EtaRule{});
      return atom_relevance(described, molecule.atoms.size(), why.relevance.row(0));
    };
    const AtomRelevance before = relevance_of(one), after = relevance_of(other);
    for (std::size_t a = 0; a < one.atoms.size(); ++a)
      EXPECT_NEAR(before.atoms[a], after.atoms[a], 1e-9 * (1.0 + std::abs(before.atoms[a])));
  }
}

}  // namespace
}  // namespace bisector
