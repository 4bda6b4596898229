#include <gtest/gtest.h>

#include "bisector/error.h"
#include "bisector/io/model_file.h"
#include "io/model_bundle_support.h"
#include "io/temp_file.h"

namespace bisector {
namespace {

using Kind = ColumnEncoding::Kind;

Model with_columns(std::vector<ColumnEncoding> columns) {
  const TableEncoding encoding(std::move(columns));
  const std::size_t features = encoding.features().size();
  Matrix centroids(2, features);
  centroids(1, 0) = 1.0;
  return Model(CentroidModel(std::move(centroids), {"a", "b"}), {}, {}, std::nullopt, encoding);
}

TEST(BundleEncoding, ComesBackAsItWas) {
  const TempFile file("model.npz", "");
  for (const Model& model :
       {with_columns({{"age", Kind::numeric, {}, 0.1},
                      {"größe \"x\"", Kind::ordinal, {"low", "", "µ"}, 2.0},
                      {"c", Kind::one_hot, {"u", "v"}},
                      {"d", Kind::category, {"x", "y"}, 0.0}}),
        with_columns({{"", Kind::numeric}, {"", Kind::one_hot, {"u", "v"}, 1.0}})}) {
    write_bundle(file.path(), model);
    EXPECT_EQ(read_bundle(file.path()), model);
  }
}

TEST(BundleEncoding, RefusesTextThatIsNotUtf8) {
  const TempFile file("model.npz", "");
  EXPECT_THROW(write_bundle(file.path(), with_columns({{"a", Kind::ordinal, {"\xff"}}})),
               InvalidInput);
}

std::string problem_with(const std::string& columns) {
  const TempFile file("model.npz", "");
  test::classifier_draft()
      .set("meta", test::npy_text({R"({"format": "bisector-model", "version": 3, )"
                                   R"("kind": "kernel_classifier", "columns": )" +
                                   columns + "}"},
                                  {}))
      .write(file.path());
  try {
    read_bundle(file.path());
  } catch (const FormatError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(BundleEncoding, SaysWhatIsWrongWithAColumn) {
  const auto expect = [](const std::string& columns, const std::string& problem) {
    const std::string found = problem_with(columns);
    EXPECT_NE(found.find(problem), std::string::npos) << columns << ": " << found;
  };
  expect(R"([{"name": "a", "kind": "numeric"}, {"name": "b", "kind": "numeric"}])", "nothing");
  expect("3", "columns is not a list");
  expect("[]", "a table encoding of no columns");
  expect("[3]", "column 1 is not an object");
  expect(R"([{"name": "a"}])", "column 1: kind is not one of numeric, ordinal, one_hot");
  expect(R"([{"name": 1, "kind": "numeric"}])", "column 1: name is not text");
  expect(R"([{"name": "a", "kind": "ordinal", "levels": [1]}])",
         "column 1: levels is not a list of texts");
  expect(R"([{"name": "a", "kind": "numeric", "fill": "x"}])", "column 1: fill is not a number");
  expect(R"([{"name": "a", "kind": "numeric"}])", "feature names");
}

}  // namespace
}  // namespace bisector
