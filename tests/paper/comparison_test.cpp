// Comparison of methods over the rows of a study, and studies on small data.
#include "common/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bisector/random.h"
#include "paper/study_folder.h"
#include "studies.h"

namespace bisector::paper {
namespace {

StudyRow row(const std::string& id, Donors donors, const std::vector<double>& a,
             const std::vector<double>& b) {
  StudyRow made{{}, "svm", donors, "gamma=1", 0.9, {}, {}};
  made.info.id = made.info.name = id;
  made.methods = {{"a", estimate(a)}, {"b", estimate(b)}};
  made.aufc = {{a}, {b}};
  return made;
}

TEST(Comparison, DifferencesArePaired) {
  const StudyRow one = row("x", Donors::disjoint, {0.1, 0.5, 0.9}, {0.2, 0.7, 1.0});
  const auto difference = one.difference("a", "b");
  ASSERT_TRUE(difference);
  EXPECT_NEAR(difference->mean, -0.4 / 3, 1e-12);
  // Of -0.1, -0.2, -0.1: far smaller than either method's own.
  EXPECT_NEAR(difference->standard_error, std::sqrt(1.0 / 900.0), 1e-12);
  EXPECT_FALSE(one.difference("a", "c"));
  EXPECT_EQ(one.rank("a"), 1u);
  EXPECT_EQ(one.rank("b"), 2u);
}

TEST(Comparison, CountsAndMeans) {
  const std::vector<StudyRow> rows{row("x", Donors::disjoint, {0.1, 0.5, 0.9}, {0.2, 0.7, 1.0}),
                                   row("y", Donors::disjoint, {0.3, 0.5, 0.6}, {0.1, 0.4, 0.5}),
                                   row("z", Donors::same, {0.0, 0.0, 0.0}, {1.0, 1.0, 1.0})};
  const std::vector<StudyRow> disjoint = rows_of(rows, "svm", Donors::disjoint);
  ASSERT_EQ(disjoint.size(), 2u);
  EXPECT_TRUE(rows_of(rows, "knn", Donors::same).empty());
  EXPECT_EQ(
      verdict(disjoint, "a", "b"),
      "- `a` compared with `b`: not worse by more than one paired standard error in 1 of 2 lines, "
      "better by more than two in 1.\n");
  const TextTable table = compared(disjoint, "b");
  EXPECT_EQ(table.rows.at(0).at(1), "0.483");
  EXPECT_EQ(table.rows.at(0).at(2), "1.50");
  EXPECT_EQ(table.rows.at(0).at(3), "1 of 2");
  EXPECT_EQ(table.rows.at(0).at(5), "1, 1");
  EXPECT_EQ(study_csv(rows, "b").rows.size(), 6u);
}

class Studies : public StudyFolder {
 protected:
  /// A run that finds its journal computes nothing and writes the same.
  template <class Run, class Options>
  std::string run_twice(Run run, const Options& options, const std::string& name) {
    std::ostringstream log;
    run(options, log);
    const std::string page = read(name + ".md"), journal = read(name + ".journal");
    run(options, log);
    EXPECT_EQ(read(name + ".md"), page);
    EXPECT_EQ(read(name + ".journal"), journal);
    EXPECT_EQ(read(name + ".csv").find("nan"), std::string::npos);
    log_ = log.str();
    return page;
  }

  void write_raisins() const {
    Random random(1);
    std::string text = "Area,Extent,Perimeter,Class\n";
    for (int n = 0; n < 250; ++n) {
      const bool is_large = n % 3 != 0;
      text += std::to_string(random.normal() + 3 * is_large) + "," +
              std::to_string(random.normal()) + "," + std::to_string(random.normal()) +
              (is_large ? ",Kecimen\n" : ",Besni\n");
    }
    write("raisin/Raisin_Dataset.csv", text);
  }

  std::string log_;
};

TEST_F(Studies, TheTableHasSharedAndDisjointDonorRows) {
  write_raisins();
  const StudyOptions options{{folder_, folder_}, 1, {"raisin"}};
  const std::string page = run_twice(run_table, options, "table");
  EXPECT_NE(page.find("[table_disjoint.md](table_disjoint.md)"), std::string::npos);
  EXPECT_NE(read("table_disjoint.md").find("- `auto` compared with `lrp`: not worse"),
            std::string::npos);
  const std::string disjoint = read("table_disjoint.csv");
  EXPECT_NE(disjoint.find("raisin,knn,"), std::string::npos);
  EXPECT_EQ(disjoint.find(",same,"), std::string::npos);
}

}  // namespace
}  // namespace bisector::paper
