#include "molecules/representation.h"

#include <gtest/gtest.h>

#include "bisector/error.h"
#include "molecules/molecule_testing.h"
#include "reference/error_of.h"
#include "reference/molecules.h"

namespace bisector {

using namespace molecules;

namespace {

using namespace testing_molecules;

constexpr RepresentationKind kKinds[] = {RepresentationKind::coulomb_matrix,
                                         RepresentationKind::bag_of_bonds};

Representation fit_to(RepresentationKind kind, const Molecule& molecule) {
  return Representation::fit(kind, std::span(&molecule, 1));
}

void expect_near(const std::vector<double>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t n = 0; n < actual.size(); ++n)
    EXPECT_NEAR(actual[n], expected[n], 1e-12 * (1.0 + std::abs(expected[n]))) << "feature " << n;
}

TEST(CoulombMatrix, EqualsHandComputedValuesOfWater) {
  const Molecule water = right_angled_water();
  const DescribedMolecule described = fit_to(RepresentationKind::coulomb_matrix, water)(water);
  // O, H, H: 8^2.4 / 2, 8 * 1 / 1 twice, 1 / 2, 1 / root 2, 1 / 2.
  expect_near(described.features,
              {0.5 * std::pow(8.0, 2.4), 8.0, 8.0, 0.5, 1.0 / std::sqrt(2.0), 0.5});
  const std::vector<FeatureOrigin> origin = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
  EXPECT_EQ(described.origin, origin);
}

TEST(BagOfBonds, EqualsHandComputedValuesOfAmmonia) {
  const Molecule ammonia = tall_ammonia();
  const Representation bags = fit_to(RepresentationKind::bag_of_bonds, ammonia);
  const std::vector<std::string> names = {"H-H 1", "H-H 2", "H-H 3", "N-H 1", "N-H 2", "N-H 3"};
  EXPECT_EQ(bags.feature_names(), names);
  const double side = std::sqrt(3.0), edge = std::sqrt(2.0);
  expect_near(bags(ammonia).features, {side, side, side, edge, edge, edge});
}

TEST(CoulombMatrix, EqualsHandComputedValuesOfAmmonia) {
  const Molecule ammonia = tall_ammonia();
  const DescribedMolecule described = fit_to(RepresentationKind::coulomb_matrix, ammonia)(ammonia);
  const double nh = 7.0 / std::sqrt(2.0), hh = 1.0 / std::sqrt(3.0);
  expect_near(described.features,
              {0.5 * std::pow(7.0, 2.4), nh, nh, nh, 0.5, hh, hh, 0.5, hh, 0.5});
  EXPECT_EQ(described.origin[0], (FeatureOrigin{1, 1}));  // nitrogen is the second atom
}

TEST(CoulombMatrix, EqualsItsDefinition) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Molecule molecule = random_molecule(3 + seed % 11, seed);
    const DescribedMolecule described =
        fit_to(RepresentationKind::coulomb_matrix, molecule)(molecule);
    std::size_t n = 0;
    for (std::size_t i = 0; i < molecule.atoms.size(); ++i) {
      for (std::size_t j = i; j < molecule.atoms.size(); ++j, ++n) {
        const std::size_t a = reference::atom_at(molecule.atoms, i);
        const std::size_t b = reference::atom_at(molecule.atoms, j);
        EXPECT_NEAR(described.features[n], reference::coulomb_entry(molecule.atoms, a, b), 1e-9);
        EXPECT_EQ(described.origin[n], (FeatureOrigin{std::min(a, b), std::max(a, b)}));
      }
    }
    EXPECT_EQ(n, described.features.size());
  }
}

TEST(BagOfBonds, EqualsItsDefinition) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Molecule molecule = random_molecule(2 + seed % 12, seed);
    const Representation bags = fit_to(RepresentationKind::bag_of_bonds, molecule);
    const DescribedMolecule described = bags(molecule);
    EXPECT_EQ(described.features.size(), molecule.atoms.size() * (molecule.atoms.size() - 1) / 2);
    for (std::size_t n = 0; n < described.features.size(); ++n) {
      const auto [i, j] = described.origin[n];
      const int one = molecule.atoms[i].number, other = molecule.atoms[j].number;
      const std::string& name = bags.feature_names()[n];
      EXPECT_TRUE(name.starts_with(pair_name(one, other) + " ")) << name;
      const std::size_t place = std::stoul(name.substr(name.find(' '))) - 1;
      EXPECT_NEAR(described.features[n], reference::bag_entry(molecule.atoms, one, other, place),
                  1e-12);
      EXPECT_DOUBLE_EQ(described.features[n], distance(molecule.atoms[i], molecule.atoms[j]));
    }
  }
}

TEST(Representations, DoNotChangeWithMotionReflectionAndNumbering) {
  for (const RepresentationKind kind : kKinds) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      const Molecule molecule = random_molecule(2 + seed % 15, seed);
      const Representation representation = fit_to(kind, molecule);
      const std::vector<double> features = representation(molecule).features;
      expect_near(representation(moved(molecule, seed)).features, features);
      expect_near(representation(mirrored(molecule)).features, features);
      // The same numbers in another order: not a bit may differ.
      EXPECT_EQ(representation(renumbered(molecule, seed)).features, features);
    }
  }
}

TEST(Representations, OfSymmetricMoleculesDoNotChangeWithNumbering) {
  for (const RepresentationKind kind : kKinds) {
    for (const Molecule& molecule : {right_angled_water(), tall_ammonia()}) {
      const Representation representation = fit_to(kind, molecule);
      for (std::uint64_t seed = 0; seed < 20; ++seed)
        expect_near(representation(renumbered(moved(molecule, seed), seed)).features,
                    representation(molecule).features);
    }
  }
}

TEST(Representations, PadMoleculesThatAreSmaller) {
  const std::vector<Molecule> both = {right_angled_water(), tall_ammonia()};
  for (const RepresentationKind kind : kKinds) {
    const Representation larger = Representation::fit(kind, both);
    const DescribedMolecule padded = larger(both[0]);
    const std::vector<double> alone = fit_to(kind, both[0])(both[0]).features;
    ASSERT_EQ(padded.features.size(), larger.features());
    std::vector<double> filled;
    for (std::size_t n = 0; n < padded.features.size(); ++n) {
      if (padded.origin[n].is_padding())
        EXPECT_EQ(padded.features[n], 0.0);
      else
        filled.push_back(padded.features[n]);
    }
    EXPECT_EQ(filled, alone);
    EXPECT_LT(filled.size(), padded.features.size());
  }
}

TEST(Representations, RefuseMoleculesThatAreTooLarge) {
  Molecule ammonia = tall_ammonia();
  ammonia.place = "some.xyz:2: frame 1";
  const auto coulomb = fit_to(RepresentationKind::coulomb_matrix, right_angled_water());
  EXPECT_EQ(error_of([&] { coulomb(ammonia); }),
            "some.xyz:2: frame 1: 4 atoms, expected at most 3, as in the model");
  const auto bags = fit_to(RepresentationKind::bag_of_bonds, right_angled_water());
  EXPECT_EQ(error_of([&] { bags(ammonia); }),
            "some.xyz:2: frame 1: 3 pairs of H-H, expected at most 1, as in the model");
  EXPECT_EQ(error_of([] { Representation::fit(RepresentationKind::bag_of_bonds, {}); }),
            "no features: expected a molecule of two atoms or more");
}

TEST(CoulombMatrix, RefusesAtomsAtTheSamePosition) {
  Molecule water = right_angled_water();
  water.atoms[2].position = water.atoms[1].position;
  const auto coulomb = fit_to(RepresentationKind::coulomb_matrix, water);
  EXPECT_EQ(error_of([&] { coulomb(water); }), "atoms 2 and 3 have the same position");
}

TEST(Representations, RefuseTooManyFeaturesBeforeAllocation) {
  Molecule crowd;
  crowd.atoms.resize(100'000, Atom{1, {}});
  for (const RepresentationKind kind : kKinds)
    EXPECT_THROW(Representation::fit(kind, std::span(&crowd, 1)), InvalidInput);
  const auto bags = fit_to(RepresentationKind::bag_of_bonds, right_angled_water());
  EXPECT_THROW(bags(crowd), InvalidInput);
}

}  // namespace
}  // namespace bisector
