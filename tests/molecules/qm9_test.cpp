// The real QM9 files, if they are available.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "molecules/xyz.h"

namespace bisector {

using namespace molecules;

namespace {

std::filesystem::path qm9_file(const std::string& name) {
  const char* folder = std::getenv("BISECTOR_DATA");
  return folder == nullptr ? std::filesystem::path() : std::filesystem::path(folder) / "qm9" / name;
}

void expect_molecules(const std::string& name, std::size_t count, const std::string& sum,
                      double first_mu) {
  const auto path = qm9_file(name);
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no QM9 files are available";
  const std::vector<Molecule> molecules = read_molecules(path);
  ASSERT_EQ(molecules.size(), count);
  for (const Molecule& molecule : molecules) {
    ASSERT_EQ(formula(molecule), sum);
    ASSERT_TRUE(molecule.properties.contains("mu"));
  }
  EXPECT_EQ(property(molecules[0], "mu"), first_mu);
}

TEST(Qm9, FirstIsomersAreRead) { expect_molecules("qm9_C7H10O2.xyz.gz", 6087, "C7H10O2", 1.1626); }
TEST(Qm9, SecondIsomersAreRead) { expect_molecules("qm9_C7H11NO.xyz.gz", 5854, "C7H11NO", 0.4931); }
}  // namespace
}  // namespace bisector
