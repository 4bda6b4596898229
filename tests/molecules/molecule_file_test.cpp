#include "molecules/xyz.h"

#include <gtest/gtest.h>

#include "bisector/error.h"
#include "io/packing.h"
#include "io/temp_file.h"
#include "reference/error_of.h"

namespace bisector {

using namespace molecules;

namespace {

constexpr auto kTwoFrames =
    "3\n"
    "water mu=1.85 dipole=\"0 0 1.85\" formula=H2O\n"
    "O 0.0 0.0 0.1\n"
    "H 0.76 0.0 -0.47\n"
    "H -0.76 0.0 -0.47 extra columns\n"
    "\n"
    "2\r\n"
    "1.5 -3e-2\r\n"
    "6  0 0 0\r\n"
    "8  0 0 1.13\r\n";

constexpr auto kQm9 =
    "2\n"
    "gdb 7\t1.5\t2.\t3.\t0.11\t5.\t6.\t7.\t8.\t9.\t1.5*^-3\t11.\t12.\t13.\t14.\t-1.*^2\t\n"
    "C\t-6.8424*^-6\t 0.0730561146\t 1.\t-0.495405\n"
    "O\t1.1\t 2.2\t 3.3\t 1.*^-6\n"
    "2143.2\n"
    "[C-]#[O+]\t[C-]#[O+]\t\n"
    "InChI=1S/CO/c1-2\tInChI=1S/CO/c1-2\n";

std::vector<Molecule> read_text(std::string_view text, const std::string& name = "some.xyz") {
  return read_molecules(TempFile(name, text).path());
}

/// The message for a file of this content, without the folder in front of its name.
std::string message_of(std::string_view text, const std::string& name = "some.xyz") {
  try {
    read_text(text, name);
  } catch (const InvalidInput& error) {
    const std::string message = error.what();
    return message.substr(std::min(message.find(name), message.size()));
  }
  return "no error";
}

TEST(MoleculeFile, AQuotedNameMayContainAnything) {
  const auto molecules = read_text("1\n\"a=b c\" mu=2\nH 0 0 0\n");
  EXPECT_EQ(molecules[0].name, "a=b c");
  EXPECT_EQ(property(molecules[0], "mu"), 2.0);
}

TEST(MoleculeFile, ReadsFramesNamesAndProperties) {
  const std::vector<Molecule> molecules = read_text(kTwoFrames);
  ASSERT_EQ(molecules.size(), 2u);
  EXPECT_EQ(molecules[0].name, "water");
  ASSERT_EQ(molecules[0].atoms.size(), 3u);
  EXPECT_EQ(molecules[0].atoms[1], (Atom{1, {0.76, 0.0, -0.47}}));
  EXPECT_EQ(molecules[0].properties.size(), 1u);
  EXPECT_EQ(property(molecules[0], "mu"), 1.85);
  EXPECT_EQ(formula(molecules[0]), "H2O");
  EXPECT_EQ(molecules[1].name, "");
  EXPECT_EQ(property(molecules[1], "1"), 1.5);
  EXPECT_EQ(property(molecules[1], "2"), -0.03);
  EXPECT_EQ(molecules[1].atoms[1], (Atom{8, {0, 0, 1.13}}));
  EXPECT_EQ(formula(molecules[1]), "CO");
  EXPECT_TRUE(molecules[1].place.ends_with("some.xyz:8: frame 2")) << molecules[1].place;
}

TEST(MoleculeFile, ReadsFilesOfQm9) {
  const std::vector<Molecule> molecules = read_text(kQm9);
  ASSERT_EQ(molecules.size(), 1u);
  EXPECT_EQ(molecules[0].name, "gdb_7");
  EXPECT_EQ(property(molecules[0], "mu"), 0.11);
  EXPECT_EQ(property(molecules[0], "zpve"), 1.5e-3);
  EXPECT_EQ(property(molecules[0], "Cv"), -100.0);
  EXPECT_EQ(molecules[0].atoms[0], (Atom{6, {-6.8424e-6, 0.0730561146, 1.0}}));
}

TEST(MoleculeFile, ReadsTheSameFromACompressedFile) {
  const std::string text = kTwoFrames;
  const auto names = [](const std::vector<Molecule>& molecules) {
    std::string all;
    for (const Molecule& m : molecules) all += m.name + "/" + formula(m) + " ";
    return all;
  };
  EXPECT_EQ(names(read_text(gzipped(text), "a.gz")), "water/H2O /CO ");
  // Some programs compress a file in parts: one stream follows another.
  EXPECT_EQ(names(read_text(gzipped(text) + gzipped(kQm9))), "water/H2O /CO gdb_7/CO ");
}

TEST(MoleculeFile, ErrorsHaveFileFrameAndLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "some.xyz: no molecule, expected XYZ frames"},
      {"two\n", "some.xyz:1: frame 1: \"two\", expected the number of atoms"},
      {"0\n\n", "some.xyz:1: frame 1: 0 atoms, expected 1 to 100000"},
      {"1000000000000\nx\n", "some.xyz:1: frame 1: 1000000000000 atoms, expected 1 to 100000"},
      {"-3\nx\n", "some.xyz:1: frame 1: \"-3\", expected the number of atoms"},
      {"1", "some.xyz:1: frame 1: the text ends before the comment line"},
      {"2\nx\nC 0 0 0\n", "some.xyz:3: frame 1: the text ends after 1 of 2 atoms"},
      {"2\nx\nC 0 0 0\n\nC 0 0 0\n",
       "some.xyz:4: frame 1: atom 2 of 2: the atom is missing; is the atom count too large?"},
      {"2\nx\nC 0 0 0\n1\ny\nC 0 0 0\n",
       "some.xyz:4: frame 1: atom 2 of 2: the atom is missing; is the atom count too large?"},
      {"1\nx\nC 0 0 0\nH 0 0 1\n",
       "some.xyz:4: frame 2: \"H 0 0 1\", expected the number of atoms; does frame 1 have more "
       "atoms than it says?"},
      {"1\nx\nC1 0 0 0\n",
       "some.xyz:3: frame 1: atom 1 of 1: \"C1\" is not an element, expected a symbol such as C or "
       "Cl"},
      {"1\nx\n119 0 0 0\n",
       "some.xyz:3: frame 1: atom 1 of 1: \"119\" is not an element, expected a symbol such as C "
       "or "
       "Cl"},
      {"1\nx\nC 0 nan 0\n", "some.xyz:3: frame 1: atom 1 of 1: y is \"nan\", expected a number"},
      {"1\nx\nC 0 0\n", "some.xyz:3: frame 1: atom 1 of 1: z is missing, expected a number"},
      {"1\nProperties=pos:R:3:species:S:1\n0 0 0 C\n",
       "some.xyz:2: frame 1: Properties is \"pos:R:3:species:S:1\", expected species:S:1:pos:R:3 "
       "first"},
      {"1\ngdb 1 2 3\nC 0 0 0\n",
       "some.xyz:2: frame 1: C is missing, expected a number: QM9 has 15 of them after \"gdb\""},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(message_of(text), message);
}

TEST(MoleculeFile, DetectsMoreAtomsThanAQm9FileStates) {
  std::string text = kQm9;
  text[0] = '1';
  EXPECT_EQ(message_of(text),
            "some.xyz:4: frame 1: \"O\" after atom 1, expected the frequencies as numbers; is the "
            "atom count too small?");
}

TEST(MoleculeFile, ErrorsListTheProperties) {
  const std::vector<Molecule> molecules = read_text(kTwoFrames);
  try {
    property(molecules[0], "energy");
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_TRUE(std::string(error.what())
                    .ends_with("some.xyz:2: frame 1: no property \"energy\", expected one of mu"))
        << error.what();
  }
}

TEST(MoleculeFile, DetectsEveryTruncationOfACompressedFile) {
  const std::string packed = gzipped(std::string(kTwoFrames) + kQm9);
  for (std::size_t left = 1; left + 4 < packed.size(); left += left < 12 ? 1 : 7)
    EXPECT_EQ(message_of(packed.substr(0, packed.size() - left), "all.packed"),
              "all.packed: ends in the middle of its packed data: the file was cut off")
        << left;
}

TEST(MoleculeFile, TheLimitOfExpansionCanBeRaised) {
  const TempFile blank("a.gz", gzipped(std::string(std::size_t{4} << 20, '\n')));
  const auto read = [&](const Limits& limits) {
    return error_of([&] { read_molecules(blank.path(), limits); });
  };
  EXPECT_NE(read({.max_expansion = 100}).find("(limit expansion)"), std::string::npos);
  EXPECT_NE(read({.max_expansion = 1100}).find("no molecule"), std::string::npos);
}

TEST(MoleculeFile, RefusesALineWithoutEnd) {
  EXPECT_EQ(message_of("1\n" + std::string(std::size_t{3} << 20, 'x')),
            "some.xyz:2: a line of more than 1024 KiB, expected a molecule as XYZ text");
}

TEST(MoleculeFile, ThrowsForAMissingFile) {
  EXPECT_THROW(read_molecules("/nowhere/at/all.xyz"), FileError);
}

TEST(Elements, HaveTheirSymbols) {
  EXPECT_EQ(element_symbol(1), "H");
  EXPECT_EQ(element_symbol(17), "Cl");
  EXPECT_EQ(element_symbol(118), "Og");
  for (int number = 1; number <= 118; ++number)
    EXPECT_EQ(element_number(element_symbol(number)), number);
  EXPECT_FALSE(element_number("CL"));
  EXPECT_THROW(element_symbol(0), InvalidInput);
  EXPECT_THROW(element_symbol(119), InvalidInput);
}

}  // namespace
}  // namespace bisector
