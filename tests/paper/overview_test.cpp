// The data of the paper's Figure 1.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "common/study_run.h"
#include "paper/study_folder.h"
#include "studies.h"

namespace bisector::paper {
namespace {

class Overview : public StudyFolder {
 protected:
  std::vector<std::vector<std::string>> table(const std::string& name) const {
    std::istringstream in(read(name));
    std::vector<std::vector<std::string>> rows;
    for (std::string line; std::getline(in, line);) rows.push_back(cells_of(line));
    rows.erase(rows.begin());
    return rows;
  }
};

// f and g have the same sign everywhere, and the units' pairs have members of both pools.
TEST_F(Overview, FieldsAgreeInSignAndUnitsAreThoseOfTheNetwork) {
  std::ostringstream log;
  run_overview({{}, folder_}, log);
  std::size_t positive = 0;
  const auto fields = table("overview_fields.csv");
  ASSERT_EQ(fields.size(), 2u * 160 * 160);
  for (const auto& row : fields) {
    const double f = std::stod(row[3]), g = std::stod(row[4]);
    ASSERT_TRUE(f * g > 0.0 || std::abs(f) < 1e-6 || std::abs(g) < 1e-6) << f << " " << g;
    positive += g > 0.0;
  }
  EXPECT_GT(positive, fields.size() / 5);
  EXPECT_LT(positive, 4 * fields.size() / 5);
  // z of a pair is linear, and zero halfway between its points: z = |x - v|^2 - |x - u|^2 + const.
  std::map<std::string, std::size_t> units;
  for (const auto& row : table("overview_units.csv")) {
    ++units[row[0]];
    const auto cell = [&](std::size_t c) { return std::stod(row.at(c)); };
    EXPECT_GT(cell(5), 0.0);
    EXPECT_LE(cell(5) * cell(6), 1.0);
    if (row[0] != "KNN") continue;  // an SVM's units are displaced by their weights
    const double to_u = std::hypot(0.55 - cell(1), -0.15 - cell(2)),
                 to_v = std::hypot(0.55 - cell(3), -0.15 - cell(4));
    EXPECT_NEAR(cell(7), to_v * to_v - to_u * to_u, 1e-6);
  }
  EXPECT_GE(units["SVM"], 6u);
  EXPECT_GE(units["KNN"], 6u);
}

}  // namespace
}  // namespace bisector::paper
