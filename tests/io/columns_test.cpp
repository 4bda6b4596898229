// find_column and match_features.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "io/data_testing.h"

namespace bisector {
namespace {

using Columns = std::vector<std::size_t>;

/// An open file of its own.
struct Opened {
  Opened(const std::string& name, std::string_view content, const DataFormat& format = {})
      : file(name, content), reader(open_data(file.path(), format)), source(name) {}
  std::size_t find(const std::string& column) const { return find_column(*reader, source, column); }
  std::string find_error(const std::string& column) const {
    return message_of<InvalidInput>([&] { find(column); });
  }
  Columns match(const std::vector<std::string>& names, std::size_t features,
                const std::vector<std::string>& dropped = {},
                const std::string& target = {}) const {
    return match_features(*reader, source, names, features, dropped, target);
  }
  std::string match_error(const std::vector<std::string>& names, std::size_t features,
                          const std::vector<std::string>& dropped = {},
                          const std::string& target = {}) const {
    return message_of<InvalidInput>([&] { match(names, features, dropped, target); });
  }
  TempFile file;
  std::unique_ptr<DataReader> reader;
  std::string source;
};

TEST(FindColumn, ByNameThenByNumber) {
  const Opened wine("wine.csv", "pH,1,alcohol\n1,2,3\n", {.header = DataFormat::Header::yes});
  EXPECT_EQ(wine.find("alcohol"), 2u);
  EXPECT_EQ(wine.find("1"), 1u);
  EXPECT_EQ(wine.find("2"), 1u);
  EXPECT_EQ(wine.find("3"), 2u);
}

TEST(FindColumn, AnErrorListsTheColumns) {
  const Opened wine("wine.csv", "pH,alcohol\n1,2\n");
  EXPECT_EQ(wine.find_error("PH"),
            "wine.csv has no column \"PH\" (did you mean \"pH\"?); it has \"pH\", \"alcohol\"");
  EXPECT_EQ(wine.find_error("alcoholic"),
            "wine.csv has no column \"alcoholic\" (did you mean \"alcohol\"?); it has \"pH\", "
            "\"alcohol\"");
  EXPECT_EQ(wine.find_error("0"), "wine.csv has no column \"0\"; it has \"pH\", \"alcohol\"");
  EXPECT_EQ(wine.find_error("3"), "wine.csv has no column \"3\"; it has \"pH\", \"alcohol\"");
  const Opened nameless("a.csv", "5,6\n");
  EXPECT_EQ(nameless.find_error("x"),
            "a.csv has no column \"x\"; its columns have no names, only the numbers 1 to 2");
  std::string many = "c1";
  for (int i = 2; i <= 30; ++i) many += fmt::format(",c{}", i);
  EXPECT_TRUE(Opened("a.csv", many).find_error("x").ends_with("\"c20\" and 10 more"));
}

TEST(FindColumn, DuplicateNamesAreAnErrorOnlyIfLookedUp) {
  const Opened wine("wine.csv", "a,b,a\n1,2,3\n");
  EXPECT_EQ(wine.find("b"), 1u);
  EXPECT_EQ(wine.find("3"), 2u);
  EXPECT_EQ(wine.find_error("a"),
            "wine.csv: column \"a\" occurs more than once, expected one column of that name");
  EXPECT_EQ(wine.match({"b"}, 1), (Columns{1}));
  EXPECT_EQ(wine.match_error({"b", "a"}, 2),
            "wine.csv: column \"a\" occurs more than once, expected one column of that name");
}

TEST(FindColumn, TheLabelOfALibsvmFile) {
  const Opened data("data.txt", "1 1:2 2:3\n");
  EXPECT_EQ(data.find("label"), 0u);
  EXPECT_EQ(data.find("2"), 2u);
}

TEST(MatchFeatures, ByNameInTheModelsOrder) {
  const Opened wine("wine.csv", "quality,pH,alcohol\n1,2,3\n");
  EXPECT_EQ(wine.match({"alcohol", "pH"}, 2), (Columns{2, 1}));
  EXPECT_EQ(wine.match({"alcohol", "pH"}, 2, {"quality"}), (Columns{2, 1}));
  EXPECT_EQ(wine.match_error({"alcohol", "sugar"}, 2),
            "wine.csv has no column \"sugar\", which the model needs; it has \"quality\", \"pH\", "
            "\"alcohol\"");
  EXPECT_EQ(
      wine.match_error({"Alcohol", "pH"}, 2),
      "wine.csv has no column \"Alcohol\", which the model needs; it has \"quality\", \"pH\", "
      "\"alcohol\" (did you mean \"alcohol\"? Rename it in the file)");
  EXPECT_EQ(wine.match_error({"alcohol", "pH"}, 2, {"pH"}),
            "wine.csv: column \"pH\" is dropped, but the model needs it");
  EXPECT_EQ(wine.match_error({"alcohol"}, 1, {"color"}),
            "wine.csv has no column \"color\"; it has \"quality\", \"pH\", \"alcohol\"");
}

TEST(MatchFeatures, ByPositionIfTheFileOrTheModelHasNoNames) {
  const Opened named("wine.csv", "pH,alcohol,quality\n1,2,3\n");
  EXPECT_EQ(named.match({}, 3), (Columns{0, 1, 2}));
  EXPECT_EQ(named.match({}, 2, {"alcohol"}), (Columns{0, 2}));
  EXPECT_EQ(
      named.match_error({}, 2),
      "wine.csv has 3 columns, but the model has 2 features: leave out the others with --drop "
      "COL; the last column is \"quality\"");
  const Opened nameless("a.csv", "5,6,7\n");
  EXPECT_EQ(nameless.match({"a", "b"}, 2, {"1"}), (Columns{1, 2}));
  EXPECT_EQ(nameless.match_error({"a", "b", "c", "d"}, 4),
            "a.csv has 3 columns, but the model has 4 features");
  const Opened counted("a.csv", "0,1,2\n5,6,7\n");
  EXPECT_EQ(counted.match({"a", "b", "c"}, 3), (Columns{0, 1, 2}));
}

TEST(MatchFeatures, AModelWithoutNamesNeedsTheFeaturesOrTheTrainingLayout) {
  const std::vector<std::string> names = {"x2", "x3"};  // of a file with 4 columns
  EXPECT_EQ(Opened("a.csv", "5,6\n").match(names, 2, {}, "4"), (Columns{0, 1}));
  EXPECT_EQ(Opened("a.csv", "5,6,7,8\n").match(names, 2, {}, "4"), (Columns{1, 2}));
  EXPECT_EQ(Opened("a.csv", "5,6,7,8\n").match(names, 2, {"1", "4"}, "4"), (Columns{1, 2}));
  EXPECT_EQ(Opened("a.csv", "5,6,7,8,9\n").match(names, 2, {"5"}, "4"), (Columns{1, 2}));
  EXPECT_EQ(Opened("a.csv", "5,6,7\n").match(names, 2, {"1"}, "4"), (Columns{1, 2}));
  EXPECT_EQ(Opened("a.csv", "5,6,7\n").match_error(names, 2, {}, "4"),
            "a.csv has 3 columns, but the model has 2 features of a training file with 4 columns: "
            "leave out the others with --drop COL");
  EXPECT_EQ(Opened("a.csv", "5,6,7,8,9\n").match_error(names, 2, {}, "4").substr(0, 19),
            "a.csv has 5 columns");
  EXPECT_EQ(Opened("a.csv", "5,6,7,8\n").match_error(names, 2, {"3"}, "4"),
            "a.csv: column 3 is dropped, but the model needs it");
}

TEST(MatchFeatures, NamesThatLookLikeNumbersAreMatchedByNameIfTheFileHasOne) {
  const Opened file("a.csv", "x3,x2,other\n5,6,7\n");
  EXPECT_EQ(file.match({"x2", "x3"}, 2), (Columns{1, 0}));
  EXPECT_EQ(file.match_error({"x1", "x2", "x3"}, 3),
            "a.csv has no column \"x1\", which the model needs; it has \"x3\", \"x2\", \"other\"");
}

TEST(MatchFeatures, ALibsvmFileMayBeNarrowerThanTheModel) {
  const Opened data("data.txt", "1 1:2 3:4\n");
  EXPECT_EQ(data.match({"a", "b", "c"}, 3), (Columns{1, 2, 3}));
  const Columns columns = data.match({}, 5);
  EXPECT_EQ(columns, (Columns{1, 2, 3, 4, 5}));
  data.reader->select({columns, {0}});
  EXPECT_EQ(read_all(*data.reader).numbers, matrix({{2, 0, 4, 0, 0}}));
  EXPECT_EQ(
      data.match_error({}, 2),
      "data.txt has 3 columns, but the model has 2 features: leave out the others with --drop "
      "COL");
}

}  // namespace
}  // namespace bisector
