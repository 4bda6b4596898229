// Runs the use cases on small generated data in place of the real files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bisector/error.h"
#include "bisector/random.h"
#include "dipole/dipole.h"
#include "paper/study_folder.h"
#include "studies.h"
#include "wine/wine.h"

namespace bisector::paper {
namespace {

class UseCases : public StudyFolder {
 protected:
  void SetUp() override {
    StudyFolder::SetUp();
    std::filesystem::create_directories(folder_ / "qm9");
    std::filesystem::create_directories(folder_ / "wine_quality");
  }

  /// The files without the times.
  template <class Run, class Options>
  void expect_the_same_again(Run run, const Options& options, const std::string& name) {
    const std::string page = read("out/" + name + ".md"), table = read("out/" + name + ".csv");
    const std::string journal = read("out/" + name + ".journal");
    std::filesystem::remove(folder_ / "out" / (name + ".md"));
    std::ostringstream log;
    run(options, log);
    EXPECT_EQ(read("out/" + name + ".md"), page);
    EXPECT_EQ(read("out/" + name + ".csv"), table);
    EXPECT_EQ(read("out/" + name + ".journal"), journal);  // nothing was computed again
    std::filesystem::remove(folder_ / "out" / (name + ".journal"));
    run(options, log);
    EXPECT_EQ(read("out/" + name + ".md"), page);
  }
};

// Good wines have moderate sugar where chlorides are low; everything else is noise.
TEST_F(UseCases, WineRunsAndContinues) {
  Random random(1);
  std::ofstream out(folder_ / "wine_quality/winequality-white.csv");
  out << "fixed acidity;residual sugar;chlorides;pH;quality\n";
  for (int n = 0; n < 200; ++n) {
    const double sugar = 20 * random.uniform(), chlorides = 0.2 * random.uniform();
    const bool is_good = std::abs(sugar - 10) < 5;
    out << random.uniform() << ';' << sugar << ';' << chlorides << ';' << random.uniform() << ';'
        << (is_good ? 6 : 5) << '\n';
  }
  out.close();
  const StudyFolders options{folder_, folder_ / "out"};
  std::ostringstream log;
  run_wine(options, log);
  std::string page = read("out/wine.md");
  std::ranges::replace(page, '\n', ' ');  // lines are wrapped
  EXPECT_NE(page.find("200 white wines"), std::string::npos);
  EXPECT_NE(page.find("| residual sugar |"), std::string::npos);
  EXPECT_NE(page.find("C from 0.0001, 0.01, 0.1, 10, 1000 by training accuracy, class weights 0.6 "
                      "(at most 5) and 0.4 (above 5); high chlorides is above 0.1 g/l"),
            std::string::npos);
  EXPECT_NE(page.find("| High gamma: wines with moderate residual sugar taste better, deviations "
                      "are less favorable | reproduced | reproduced |"),
            std::string::npos)
      << page;
  expect_the_same_again(run_wine, options, "wine");
}

TEST_F(UseCases, DipoleRunsAndContinues) {
  for (const IsomerSet& set : kIsomerSets) {
    std::ofstream out(folder_ / set.file);  // what is inside counts, not the name
    Random random(2);
    for (int n = 0; n < 60; ++n) {
      const double far = 4.0 + random.uniform();
      out << "5\nm" << n << " mu=" << far << "\nC 0 0 0\nO 1.2 0.1 0\nO " << -far << " 0 "
          << random.uniform() << "\nH 0 1 " << random.uniform() << "\nH 0.5 -1 0.3\n";
    }
  }
  const DipoleOptions options{{folder_, folder_ / "out"}, 4.5};
  std::ostringstream log;
  run_dipole(options, log);
  const std::string page = read("out/dipole.md");
  EXPECT_NE(page.find("above 4.5 Debye"), std::string::npos);
  EXPECT_NE(page.find("| C7H11NO, QM9 | Coulomb matrix | 48, 12 |"), std::string::npos) << page;
  const std::string atoms = read("out/dipole_atoms.csv"), pairs = read("out/dipole_pairs.csv");
  EXPECT_EQ(std::ranges::count(atoms, '\n'), 1 + 4 * 5);  // sets x representations x atoms
  EXPECT_NE(pairs.find("C7H11NO,Coulomb matrix,shapley-exact,0,1,"), std::string::npos) << pairs;
  EXPECT_NE(page.find("bag of bonds, shapley-exact |"), std::string::npos) << page;
  EXPECT_NE(page.find("\n| C-O | "), std::string::npos) << page;
  expect_the_same_again(run_dipole, options, "dipole");
  // Another level is another study.
  EXPECT_THROW(run_dipole({folder_, folder_ / "out", std::nullopt}, log), InvalidInput);
}

TEST_F(UseCases, ErrorsNameMissingFiles) {
  std::ostringstream log;
  EXPECT_THROW(run_wine({folder_ / "nowhere", folder_ / "out"}, log), FileError);
  EXPECT_THROW(run_dipole({folder_ / "nowhere", folder_ / "out", {}}, log), FileError);
}

}  // namespace
}  // namespace bisector::paper
