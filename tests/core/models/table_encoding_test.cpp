#include "bisector/table_encoding.h"

#include <gtest/gtest.h>

#include "bisector/error.h"
#include "bisector/model.h"
#include "reference/error_of.h"

namespace bisector {
namespace {

using Kind = ColumnEncoding::Kind;
using testing::Test;

TableEncoding car_encoding() {
  return TableEncoding({{"age", Kind::numeric},
                        {"safety", Kind::ordinal, {"low", "med", "high"}},
                        {"color", Kind::one_hot, {"blue", "red"}, 1.0}});
}

TEST(TableEncoding, NamesFeaturesAndTheirColumns) {
  const TableEncoding encoding = car_encoding();
  EXPECT_EQ(encoding.features(),
            (std::vector<std::string>{"age", "safety", "color=blue", "color=red"}));
  EXPECT_EQ(encoding.groups(), (std::vector<std::size_t>{0, 1, 2, 2}));
  EXPECT_EQ(encoding.column_names(), (std::vector<std::string>{"age", "safety", "color"}));
  EXPECT_TRUE(encoding.has_names());
}

TEST(TableEncoding, NumbersColumnsThatHaveNoNames) {
  const TableEncoding encoding({{"", Kind::numeric}, {"", Kind::one_hot, {"a", "b"}}});
  EXPECT_FALSE(encoding.has_names());
  EXPECT_EQ(encoding.features(), (std::vector<std::string>{"x1", "x2=a", "x2=b"}));
}

TEST(TableEncoding, EncodesRows) {
  const Matrix rows = car_encoding().encode(
      {{"3.5", " -1e2 ", "+7"}, {"low", "high ", "med"}, {"red", "blue", "?"}});
  EXPECT_EQ(rows, Matrix(3, 4, {3.5, 0, 0, 1, -100, 2, 1, 0, 7, 1, 0, 1}));
}

TEST(TableEncoding, PutsRelevanceBackOnColumns) {
  const Matrix relevance(2, 4, {1, 2, 3, 4, -1, 0.5, -3, 3});
  EXPECT_EQ(car_encoding().sum_by_column(relevance.view()), Matrix(2, 3, {1, 2, 7, -1, 0.5, 0}));
  EXPECT_THROW(car_encoding().sum_by_column(Matrix(1, 3).view()), InvalidInput);
}

TEST(TableEncoding, SaysWhereACellCannotBeUsed) {
  const TableEncoding encoding = car_encoding();
  const auto encode = [&](const char* age, const char* safety, const char* color) {
    return error_of([&] { encoding.encode({{age}, {safety}, {color}}); });
  };
  EXPECT_EQ(encode("1", "huge", "red"),
            "row 1, column \"safety\" is \"huge\", expected one of the levels \"low\", "
            "\"med\", \"high\"");
  EXPECT_EQ(encode("old", "low", "red"), "row 1, column \"age\" is \"old\", expected a number");
  EXPECT_EQ(encode("inf", "low", "red"), "row 1, column \"age\" is \"inf\", expected a number");
  EXPECT_EQ(encode("1", "low", "green"),
            "row 1, column \"color\" is \"green\", expected one of the levels \"blue\", "
            "\"red\"");
  for (const char* missing : {"", "  ", "?", "NA", "na", "NaN", " nan "}) {
    const std::string problem = encode(missing, "low", "red");
    const bool is_blank = std::string(missing).find_first_not_of(' ') == std::string::npos;
    EXPECT_NE(problem.find(is_blank ? "row 1, column \"age\" is empty, "
                                    : "row 1, column \"age\" is missing (\""),
              std::string::npos)
        << problem;
    EXPECT_EQ(encode("1", "low", missing), "(no error)");
  }
}

TEST(TableEncoding, TakesALevelBeforeAMissingValue) {
  const TableEncoding encoding({{"region", Kind::ordinal, {"EU", "NA"}}});
  EXPECT_EQ(encoding.encode({{"NA", "EU"}}), Matrix(2, 1, {1, 0}));
}

TEST(TableEncoding, IsValidOrNotThereAtAll) {
  const auto refuses = [](std::vector<ColumnEncoding> columns) {
    EXPECT_THROW(TableEncoding(std::move(columns)), InvalidModel);
  };
  refuses({});
  refuses({{"a"}, {"a"}});
  refuses({{"a"}, {""}});
  refuses({{"a", Kind::numeric, {"level"}}});
  refuses({{"a", Kind::ordinal}});
  refuses({{"a", Kind::one_hot}});
  refuses({{"a", Kind::ordinal, {"b", "b"}}});
  refuses({{"a", Kind::ordinal, {"b", "c"}, 2.0}});
  refuses({{"a", Kind::ordinal, {"b", "c"}, 0.5}});
  refuses({{"a", Kind::ordinal, {"b", "c"}, -1.0}});
  refuses({{"a", Kind::numeric, {}, 0.0 / 0.0}});
  refuses({{"a=b"}, {"a", Kind::one_hot, {"b"}}});  // two features of one name
}

TEST(TableEncoding, RefusesCellsOfAnotherShape) {
  EXPECT_THROW(car_encoding().encode({{"1"}, {"low"}}), InvalidInput);
  EXPECT_THROW(car_encoding().encode({{"1"}, {"low", "low"}, {"red"}}), InvalidInput);
}

TEST(ModelWithEncoding, HasTheEncodingsNamesAndMustHaveItsFeatures) {
  const CentroidModel centroids(Matrix(2, 4, {1, 2, 3, 4, 5, 6, 7, 8}), {"a", "b"});
  const Model model(centroids, {}, {}, std::nullopt, car_encoding());
  EXPECT_EQ(model.feature_names(), car_encoding().features());
  EXPECT_EQ(model.encoding(), car_encoding());
  EXPECT_THROW(Model(centroids, {}, {"p", "q", "r", "s"}, std::nullopt, car_encoding()),
               InvalidModel);
  const CentroidModel narrow(Matrix(2, 1, {1, 2}), {"a", "b"});
  EXPECT_THROW(Model(narrow, {}, {}, std::nullopt, car_encoding()), InvalidModel);
}

}  // namespace
}  // namespace bisector
