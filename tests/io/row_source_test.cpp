#include "bisector/io/row_source.h"

#include <gtest/gtest.h>

#include "io/data_testing.h"

namespace bisector {
namespace {

/// A model of one number, which cannot be imputed, and one level.
Model encoded_model() {
  const TableEncoding encoding({{"age", ColumnEncoding::Kind::numeric, {}, {}},
                                {"color", ColumnEncoding::Kind::one_hot, {"blue", "red"}}});
  return Model(CentroidModel(Matrix(2, 3, {0, 0, 0, 1, 1, 1}), {"a", "b"}), {}, {}, std::nullopt,
               encoding);
}

/// A model of columns 2 and 3 of a file without names, whose target is column 4.
Model model_without_names() {
  return Model(CentroidModel(Matrix(2, 2, {0, 0, 1, 1}), {"a", "b"}), {}, {"x2", "x3"})
      .with_target({"4", {}, {}});
}

std::string source_error(const std::string& csv, const Model& model,
                         const RowSourceOptions& options) {
  const TempFile file("data.csv", csv);
  return message_of<InvalidInput>([&] { RowSource(file.path(), options, model).rest(); });
}

TEST(RowSource, ReadsTheRestInChunks) {
  const TempFile file("data.csv", "age,color\n1,red\n2,blue\n3,red\n");
  RowSource rows(file.path(), {}, encoded_model());
  EXPECT_EQ(rows.next(1), Matrix(1, 3, {1, 0, 1}));
  EXPECT_EQ(rows.rest(), Matrix(2, 3, {2, 1, 0, 3, 0, 1}));
  EXPECT_EQ(rows.rest(), Matrix(0, 3));
}

TEST(RowSource, AnErrorNamesTheRowOfTheFileAfterSkippedRows) {
  const RowSourceOptions options{.rows = {.missing = RowPolicy::skip}};
  EXPECT_EQ(source_error("age,color\n?,red\n1,blue\n?,red\nold,red\n", encoded_model(), options),
            "data.csv:5: column \"age\" is \"old\", expected a number");
}

/// The error is about the first row of the chunk that cannot be used.
TEST(RowSource, TheFirstUnusableRowDecidesWhatIsWrong) {
  const TempFile file("data.csv", "age,color\n1,red\n?,red\n3,green\n");
  try {
    RowSource(file.path(), {}, encoded_model()).rest();
    FAIL() << "expected an error";
  } catch (const UnusableCell& error) {
    EXPECT_NE(std::string(error.what()).find("data.csv:3: "), std::string::npos) << error.what();
  }
}

TEST(RowSource, CountsSkippedRowsByReason) {
  const TempFile file("data.csv", "age,color\n1,red\n2,green\n?,red\n3,pink\n");
  RowSource rows(file.path(), {.rows = {.missing = RowPolicy::skip}}, encoded_model());
  EXPECT_EQ(rows.rest(), Matrix(1, 3, {1, 0, 1}));
  EXPECT_EQ(rows.missing().count, 1u);
  EXPECT_EQ(rows.missing().first, 3u);
  EXPECT_EQ(rows.unseen().count, 2u);
  EXPECT_EQ(rows.unseen().first, 2u);
}

TEST(RowSource, ErrorsNameTheLineOrTheRowOfTheFile) {
  ModelChunk chunk;
  chunk.numbers = {3, 7};
  EXPECT_STREQ(chunk.error_in("data.npy", 1, "feature \"a, b\" is 1e200").what(),
               "data.npy: row 7, feature \"a, b\" is 1e200");
  chunk.lines = {5, 12};
  EXPECT_STREQ(chunk.error_in("data.csv", 1, "feature \"a, b\" is 1e200").what(),
               "data.csv:12: feature \"a, b\" is 1e200");
}

TEST(RowSource, AModelWithoutNamesFindsItsTargetInTheTrainingLayout) {
  const TempFile file("data.csv", "9,5,6,a\n9,7,8,b\n");
  RowSource rows(file.path(), {.delivers_target = true}, model_without_names());
  const ModelChunk chunk = rows.next_chunk(10);
  EXPECT_EQ(chunk.rows, Matrix(2, 2, {5, 6, 7, 8}));
  EXPECT_EQ(chunk.target, (std::vector<std::string>{"a", "b"}));
}

TEST(RowSource, AModelWithoutNamesReadsFilesOfTheFeaturesOnly) {
  const TempFile file("data.csv", "5,6\n7,8\n");
  EXPECT_EQ(RowSource(file.path(), {}, model_without_names()).rest(), Matrix(2, 2, {5, 6, 7, 8}));
}

TEST(RowSource, AModelWithoutNamesRefusesOtherFiles) {
  EXPECT_NE(source_error("5,6,7\n", model_without_names(), {}).find("has 3 columns"),
            std::string::npos);
  EXPECT_NE(source_error("1,2,3,4,5\n", model_without_names(), {}).find("has 5 columns"),
            std::string::npos);
  EXPECT_EQ(source_error("1,9,5,6\n2,9,7,8\n", model_without_names(), {}),
            "data.csv: column 4 should be the target, as in the training file, but has no class of "
            "the model (\"6\" in row 1): leave out the columns that are no features with --drop "
            "COL");
}

}  // namespace
}  // namespace bisector
