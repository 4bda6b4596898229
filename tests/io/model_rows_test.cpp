#include "bisector/io/model_rows.h"

#include <gtest/gtest.h>

#include "bisector/error.h"
#include "io/temp_file.h"

namespace bisector {
namespace {

using Kind = ColumnEncoding::Kind;

Model plain_model(std::vector<std::string> names) {
  return Model(CentroidModel(Matrix(2, 2, {0, 0, 1, 1}), {"a", "b"}), {}, std::move(names));
}

Model encoded_model(const std::string& first = "age", const std::string& second = "color") {
  const TableEncoding encoding(
      {{first, Kind::numeric, {}, 30.0}, {second, Kind::one_hot, {"blue", "red"}}});
  return Model(CentroidModel(Matrix(2, 3, {0, 0, 0, 1, 1, 1}), {"a", "b"}), {}, {}, std::nullopt,
               encoding);
}

Matrix read(const std::string& csv, const Model& model, std::size_t chunk,
            const std::vector<std::string>& dropped = {}) {
  const TempFile file("data.csv", csv);
  const auto reader = open_data(file.path());
  ModelRows rows(*reader, "data.csv", model, dropped);
  std::vector<double> values;
  std::size_t count = 0;
  for (Matrix next = rows.next(chunk); next.rows() > 0; next = rows.next(chunk)) {
    EXPECT_EQ(next.cols(), model.features());
    count += next.rows();
    values.insert(values.end(), next.values().begin(), next.values().end());
  }
  return Matrix(count, model.features(), values);
}

TEST(ModelRows, MatchesNumbersByName) {
  EXPECT_EQ(read("q,target,p\n1,yes,2\n3,no,4\n", plain_model({"p", "q"}), 1),
            Matrix(2, 2, {2, 1, 4, 3}));
}

TEST(ModelRows, MatchesNumbersByPositionWithoutDroppedColumns) {
  EXPECT_EQ(read("1,9,2\n3,9,4\n", plain_model({}), 10, {"2"}), Matrix(2, 2, {1, 2, 3, 4}));
}

TEST(ModelRows, EncodesTextByNameInChunks) {
  const std::string csv = "color,target,age\nred,x,20\nblue,y,?\nred,x,40\n";
  const Matrix expected(3, 3, {20, 0, 1, 30, 1, 0, 40, 0, 1});
  for (const std::size_t chunk : {1, 2, 100})
    EXPECT_EQ(read(csv, encoded_model(), chunk), expected) << chunk;
}

TEST(ModelRows, EncodesTextByPositionIfThereAreNoNames) {
  EXPECT_EQ(read("20,yes,red\n21,no,blue\n", encoded_model("", ""), 10, {"2"}),
            Matrix(2, 3, {20, 0, 1, 21, 1, 0}));
}

TEST(ModelRows, AnErrorNamesTheLineOverChunks) {
  try {
    read("age,color\n1,red\n2,blue\n3,green\n", encoded_model(), 2);
    FAIL() << "expected an error";
  } catch (const FormatError& error) {
    EXPECT_STREQ(error.what(),
                 "data.csv:4: column \"color\" is \"green\", expected one of the levels "
                 "\"blue\", \"red\"");
  }
}

TEST(ModelRows, AMissingColumnIsAnError) {
  EXPECT_THROW(read("age,town\n1,red\n", encoded_model(), 2), InvalidInput);
}

}  // namespace
}  // namespace bisector
