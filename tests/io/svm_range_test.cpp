#include "bisector/io/svm_range.h"

#include <gtest/gtest.h>

#include "bisector/error.h"
#include "io/data_testing.h"

namespace bisector {
namespace {

std::vector<double> mapped(const AffineMap& map, const std::vector<double>& row) {
  std::vector<double> result(row.size());
  map.apply(row, result);
  return result;
}

// As svm-scale -l -1 -u 1 -s writes it.
TEST(SvmRange, IsTheMapOfSvmScale) {
  const TempFile file("a.range", "x\n-1 1\n1 2 6\n3 -1 1\n");
  const auto row = mapped(read_svm_range(file.path(), 3), {3.0, 17.0, 1.0});
  EXPECT_DOUBLE_EQ(row[0], -0.5);
  EXPECT_NEAR(row[1], 0.0, 1e-90) << "constant in training, so not listed";
  EXPECT_DOUBLE_EQ(row[2], 1.0);
}

TEST(SvmRange, PassesOverTheTarget) {
  const TempFile file("a.range", "y\n0 1\n5 10\nx\n0 1\n1 0 4\n");
  EXPECT_DOUBLE_EQ(mapped(read_svm_range(file.path(), 1), {1.0})[0], 0.25);
}

TEST(SvmRange, NamesTheLineThatIsWrong) {
  for (const std::string content : {"", "z\n", "x\n", "x\n1\n", "x\n1 0\n", "x\n0 1\n1 2\n",
                                    "x\n0 1\n9 0 1\n", "x\n0 1\n0 0 1\n", "x\n0 1\n1 0 nan\n"}) {
    const TempFile file("a.range", content);
    EXPECT_THROW(read_svm_range(file.path(), 3), FormatError) << content;
  }
}

}  // namespace
}  // namespace bisector
