// One broken thing per case, in the arrays and in the archive around them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "bisector/io/model_file.h"
#include "io/model_bundle_support.h"
#include "io/model_test_support.h"

namespace bisector {

using namespace io;

namespace {

using test::Draft;
using test::npy;
using test::npy_integers;
using test::npy_text;

struct Corruption {
  std::string name;
  Draft draft;
  std::string message;  // after "model.npz"
};

void PrintTo(const Corruption& corruption, std::ostream* out) { *out << corruption.name; }

class BundleCorruption : public testing::TestWithParam<Corruption> {};

TEST_P(BundleCorruption, IsReportedWithFileAndArray) {
  const auto path = test::temporary_path("model.npz");
  GetParam().draft.write(path);
  EXPECT_EQ(test::error_of([&] { read_bundle(path); }), path.string() + GetParam().message);
  std::filesystem::remove(path);
}

Corruption missing(Draft draft, const std::string& array) {
  return {"missing_" + array, draft.remove(array), ": array \"" + array + "\" is missing"};
}

Corruption changed(const std::string& name, Draft draft, const std::string& array,
                   const std::string& content, const std::string& problem) {
  return {name, draft.set(array, content), ": array \"" + array + "\": " + problem};
}

Corruption with_meta(const std::string& name, const std::string& text, const std::string& problem) {
  return changed(name, test::classifier_draft(), "meta", npy_text({text}, {}), problem);
}

const auto name_of = [](const auto& each) { return each.param.name; };

INSTANTIATE_TEST_SUITE_P(
    Missing, BundleCorruption,
    testing::Values(
        missing(test::classifier_draft(), "support_vectors"),
        missing(test::classifier_draft(), "coefficients"),
        missing(test::classifier_draft(), "intercept"), missing(test::classifier_draft(), "gamma"),
        missing(test::classifier_draft(), "n_support"), missing(test::classifier_draft(), "labels"),
        missing(test::neighbors_draft(), "points"),
        missing(test::neighbors_draft(), "point_classes"), missing(test::neighbors_draft(), "k"),
        Corruption{"missing_meta", test::classifier_draft().remove("meta"),
                   ": array \"meta\" is missing, expected a model bundle"},
        Corruption{"missing_scale", test::classifier_draft().set("input_shift", npy({1, 2}, {2})),
                   ": array \"input_scale\" is missing"},
        Corruption{"missing_matrix",
                   test::classifier_draft()
                       .set("input_shift", npy({1, 2}, {2}))
                       .set("input_scale", npy({1, 2}, {2}))
                       .set("input_offset", npy({1, 2}, {2})),
                   ": array \"input_matrix\" is missing"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Meta, BundleCorruption,
    testing::Values(
        changed("meta_is_a_number", test::classifier_draft(), "meta", npy({1}, {}),
                "the elements are float64, expected Unicode text"),
        changed("meta_is_a_list", test::classifier_draft(), "meta", npy_text({"{}"}, {1}),
                "the shape is (1,), expected a single element, shape ()"),
        changed("meta_is_long", test::classifier_draft(), "meta",
                npy_text({std::string(1100000, ' ')}, {}),
                "1100000 characters, expected at most 1048576 (limit metadata-bytes)"),
        with_meta("meta_is_no_json", "{", "the text is not a JSON object"),
        with_meta("meta_is_no_object", "[1]", "the text is not a JSON object"),
        with_meta("meta_is_deep", std::string(60000, '['),
                  "nested over 32 levels deep, expected less"),
        with_meta("other_format", R"({"format": "other", "version": 1, "kind": "centroids"})",
                  "format is \"other\", expected \"bisector-model\""),
        with_meta("no_format", "{}", "format is null, expected \"bisector-model\""),
        with_meta("newer_version", R"({"format": "bisector-model", "version": 4, "kind": "new"})",
                  "version is 4, expected 3: a newer bisector made this bundle"),
        with_meta("no_version", R"({"format": "bisector-model", "kind": "centroids"})",
                  "version is null, expected 3"),
        with_meta("negative_version", R"({"format": "bisector-model", "version": -1})",
                  "version is -1, expected 3"),
        with_meta("version_is_long",
                  R"({"format": "bisector-model", "version": [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,)"
                  R"(0,0,0,0,0]})",
                  "version is [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0..., expected 3"),
        with_meta("version_is_deep",
                  R"({"format": "bisector-model", "version": )" + std::string(5000, '[') +
                      std::string(5000, ']') + "}",
                  "nested over 32 levels deep, expected less"),
        with_meta("unknown_kind", test::meta_text("forest"),
                  "kind is \"forest\", expected kernel_classifier, kernel_regressor, "
                  "one_class, neighbors, centroids, neighbor_regressor or detector"),
        Corruption{"array_of_another_kind",
                   test::classifier_draft().set("points", npy({1}, {1, 1})),
                   ": array \"points\" is not one that a model of kind kernel_classifier has"},
        Corruption{"target_mean_of_a_classifier",
                   test::classifier_draft().set("target_mean", npy({1}, {})),
                   ": array \"target_mean\" is not one that a model of kind kernel_classifier "
                   "has"},
        Corruption{"training_rows_of_other_points",
                   test::classifier_draft().set("training_rows", test::npy_integers({1, 2}, {2})),
                   ": 2 training rows, expected 3: one for each of the points"},
        Corruption{"unknown_array", test::classifier_draft().set("surprise", npy({1}, {})),
                   ": array \"surprise\" is not one that a model of kind kernel_classifier has"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Arrays, BundleCorruption,
    testing::Values(
        changed("gamma_is_text", test::classifier_draft(), "gamma", npy_text({"2"}, {}),
                "the elements are Unicode text, expected numbers (float16 to float64, integers or "
                "bool)"),
        changed("gamma_is_a_list", test::classifier_draft(), "gamma", npy({1, 2}, {2}),
                "the shape is (2,), expected a single element, shape ()"),
        changed("gamma_is_nan", test::classifier_draft(), "gamma", npy({NAN}, {}),
                "element 1 is nan, expected a finite number"),
        Corruption{"gamma_is_zero", test::classifier_draft().set("gamma", npy({0}, {})),
                   ": gamma is 0, expected a finite number above 0"},
        changed("points_are_flat", test::classifier_draft(), "support_vectors",
                npy({1, 2, 3, 4, 5, 6}, {6}), "the shape is (6,), expected two dimensions"),
        changed("points_are_a_cube", test::classifier_draft(), "support_vectors",
                npy({1, 2, 3, 4, 5, 6}, {3, 2, 1}),
                "the shape is (3, 2, 1), expected two dimensions"),
        changed("points_are_infinite", test::classifier_draft(), "support_vectors",
                npy({1, 2, 3, 4, 5, INFINITY}, {3, 2}),
                "element 6 is inf, expected a finite number"),
        Corruption{"points_are_none",
                   test::classifier_draft().set("support_vectors", npy({}, {0, 2})),
                   ": support vectors are 0 x 2, expected at least one point with one feature"},
        Corruption{"rows_without_columns",
                   test::classifier_draft().set(
                       "support_vectors",
                       npy_header({.fortran = true, .shape = {1'000'000'000'000'000'000, 0}})),
                   ": support vectors are 1000000000000000000 x 0, expected at least one point "
                   "with one feature"},
        changed("shape_beyond_the_data", test::classifier_draft(), "support_vectors",
                npy_header({.shape = {1000, 1000}}) + std::string(48, '\0'),
                "the shape (1000, 1000) needs 8000000 bytes but 48 follow"),
        changed("shape_short_of_the_data", test::classifier_draft(), "support_vectors",
                npy_header({.shape = {2, 2}}) + std::string(48, '\0'),
                "the shape (2, 2) needs 32 bytes but 48 follow"),
        changed("too_many_elements", test::classifier_draft(), "support_vectors",
                npy_header({.kind = 'b', .item_size = 1, .shape = {1 << 16, 1 << 15}}),
                "2147483648 elements, expected fewer than 2147483648 (limit elements)"),
        changed("shape_overflows", test::classifier_draft(), "support_vectors",
                npy_header({.shape = {SIZE_MAX, SIZE_MAX}}),
                "NPY header: the shape is larger than any memory"),
        changed("objects", test::classifier_draft(), "labels",
                npy_header({.kind = 'O', .item_size = 8, .shape = {2}}) + std::string(16, '\0'),
                "the elements are Python objects, expected integers, floats or Unicode text"),
        changed("no_array", test::classifier_draft(), "gamma", "gamma = 2, as a text",
                "not an NPY array: the first bytes are not those of NumPy"),
        Corruption{"empty_array", test::classifier_draft().set("gamma", ""),
                   ": gamma.npy: the array ends early"},
        Corruption{"header_cut", test::classifier_draft().set("gamma", npy({2}, {}).substr(0, 40)),
                   ": gamma.npy: the array ends early"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Values, BundleCorruption,
    testing::Values(
        changed("counts_are_floats", test::classifier_draft(), "n_support", npy({2, 1}, {2}),
                "the elements are float64, expected integers"),
        changed("counts_are_negative", test::classifier_draft(), "n_support",
                npy_integers({4, -1}, {2}), "element 2 is -1, expected from 0 to 2147483647"),
        changed("counts_wrap_around", test::classifier_draft(), "n_support",
                npy_integers({INT64_MAX, INT64_MAX}, {2}),
                "element 1 is 9.223372036854776e+18, expected from 0 to 2147483647"),
        Corruption{"counts_do_not_add_up",
                   test::classifier_draft().set("n_support", npy_integers({2, 2}, {2})),
                   ": 4 support vectors counted by class, expected 3: one for each of the support "
                   "vectors"},
        changed("labels_are_nan", test::classifier_draft(), "labels", npy({1, NAN}, {2}),
                "element 2 is nan, expected a finite number"),
        changed("labels_are_bool", test::classifier_draft(), "labels",
                npy_header({.kind = 'b', .item_size = 1, .shape = {2}}) + std::string("\0\1", 2),
                "the elements are bool, expected integers, floats or Unicode text"),
        changed("labels_of_no_characters", test::classifier_draft(), "labels",
                npy_header({.kind = 'U', .item_size = 0, .shape = {20'000'000}}),
                "20000000 elements, expected at most 10000000 (limit features)"),
        Corruption{"labels_twice",
                   test::classifier_draft().set("labels", npy_text({"a", "a"}, {2})),
                   ": label \"a\" stands twice, expected distinct labels"},
        Corruption{"one_label", test::classifier_draft().set("labels", npy_text({"a"}, {1})),
                   ": 1 labels, expected at least two"},
        changed("two_intercepts", test::one_class_draft(), "intercept", npy({1, 2}, {2}),
                "2 elements, expected 1"),
        changed("two_rows_of_coefficients", test::one_class_draft(), "coefficients",
                npy({1, 2, 3, 4, 5, 6}, {2, 3}), "2 rows, expected 1"),
        changed("coefficients_are_a_number", test::one_class_draft(), "coefficients", npy({1}, {}),
                "the shape is (), expected one or two dimensions"),
        Corruption{"k_beyond_the_points", test::neighbors_draft().set("k", npy_integers({4}, {})),
                   ": k is 4, expected a number from 1 to 3, the number of points"},
        Corruption{"class_beyond_the_labels",
                   test::neighbors_draft().set("point_classes", npy_integers({0, 1, 2}, {3})),
                   ": a point has class 2, expected a number below 2"},
        changed("names_are_numbers", test::classifier_draft(), "feature_names", npy({1, 2}, {2}),
                "the elements are float64, expected Unicode text"),
        Corruption{"too_few_names",
                   test::classifier_draft().set("feature_names", npy_text({"a"}, {1})),
                   ": 1 feature names, expected 2: one for each of the features"},
        Corruption{"zero_scale",
                   test::classifier_draft()
                       .set("input_shift", npy({1, 2}, {2}))
                       .set("input_scale", npy({1, 0}, {2})),
                   ": preprocessing: a scale is 0, expected every scale to be non-zero"},
        changed("no_shifts", test::classifier_draft().set("input_scale", npy({}, {0})),
                "input_shift", npy({}, {0}), "no elements, expected one for each column"),
        Corruption{"median_distance_is_zero",
                   test::classifier_draft().set("median_distance", npy({0}, {})),
                   ": the median distance is 0, expected a number above 0"}),
    name_of);

Draft with_many_entries() {
  Draft draft = test::classifier_draft();
  for (int n = 0; n < 60; ++n) draft.set(fmt::format("array{}", n), npy({1}, {}));
  return draft;
}

INSTANTIATE_TEST_SUITE_P(
    Entries, BundleCorruption,
    testing::Values(Corruption{"no_entries_but_text", Draft().set_entry("readme.txt", "hello"),
                               ": entry \"readme.txt\", expected only arrays (name.npy)"},
                    Corruption{"too_many_entries", with_many_entries(),
                               ": 67 entries in the archive, expected at most 64"},
                    Corruption{"path", test::classifier_draft().set("../gamma", npy({1}, {})),
                               ": entry \"../gamma.npy\": expected a name without a path"},
                    Corruption{"windows_path",
                               test::classifier_draft().set("..\\gamma", npy({1}, {})),
                               ": entry \"..\\gamma.npy\": expected a name without a path"},
                    Corruption{"nameless", test::classifier_draft().set("", npy({1}, {})),
                               ": entry \".npy\", expected only arrays (name.npy)"}),
    name_of);

/// A classifier's bundle as bytes, to be changed by hand.
class BundleBytes : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  std::string bytes(const Draft& draft, zip_int32_t method = ZIP_CM_STORE) const {
    draft.write(path_, method);
    return test::read_file(path_);
  }
  std::string problem(const std::string& bytes) const {
    test::write_new_file(path_, bytes);
    std::string message = test::error_of([&] { read_bundle(path_); });
    if (message.starts_with(path_.string())) message.erase(0, path_.string().size());
    return message;
  }
  /// Where the archive's directory describes an entry: behind its 46 bytes stands the name.
  static std::size_t directory_record(const std::string& bytes, const std::string& entry) {
    return bytes.rfind(entry) - 46;
  }
  static void put32(std::string& bytes, std::size_t at, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i));
  }
  static constexpr std::size_t kCompressedSize = 20, kSize = 24;

  std::filesystem::path path_ = test::temporary_path("model.npz");
};

TEST_F(BundleBytes, RefusesSizesThatTheFileCannotHave) {
  const std::string whole = bytes(test::classifier_draft());
  const std::size_t record = directory_record(whole, "gamma.npy");
  std::string other_size = whole;
  put32(other_size, record + kSize, 1000);
  EXPECT_EQ(problem(other_size),
            ": entry \"gamma.npy\": 1000 bytes stored as 136: the archive is damaged");
  std::string beyond = whole;
  put32(beyond, record + kSize, 1u << 31);
  put32(beyond, record + kCompressedSize, 1u << 31);
  EXPECT_EQ(problem(beyond),
            fmt::format(": entry \"gamma.npy\": 2147483648 bytes in a file of {}: the archive is "
                        "damaged",
                        whole.size()));
}

TEST_F(BundleBytes, RefusesZipBombs) {
  Draft draft = test::classifier_draft();
  draft.set("support_vectors", npy(std::vector<double>(1 << 19, 0.0), {1 << 18, 2}));
  const std::string bomb = bytes(draft, ZIP_CM_DEFLATE);
  EXPECT_LT(bomb.size(), 8192u);
  const std::string message = problem(bomb);
  EXPECT_TRUE(message.starts_with(": entry \"support_vectors.npy\": 4194432 bytes packed into "))
      << message;
  EXPECT_TRUE(message.ends_with(", expected a ratio below 1000 (limit expansion)")) << message;

  std::string giant = bytes(test::classifier_draft(), ZIP_CM_DEFLATE);
  put32(giant, directory_record(giant, "gamma.npy") + kSize, (1u << 30) + 1);
  EXPECT_EQ(problem(giant),
            ": entry \"gamma.npy\": 1073741825 bytes when unpacked, expected at most "
            "1073741824 (limit unpacked-bytes)");
}

// A little below the ratio is an ordinary file of mostly zeros.
TEST_F(BundleBytes, ReadsArraysThatCompressWell) {
  Draft draft = test::neighbors_draft();
  std::vector<double> values(200'000, 0.0);
  for (std::size_t i = 0; i < values.size(); i += 500) values[i] = static_cast<double>(i);
  std::vector<std::int64_t> classes(100'000, 0);
  classes[1] = 1;
  draft.set("points", npy(values, {100'000, 2}));
  for (std::size_t i = 0; i < classes.size(); i += 300) classes[i] = 1;
  draft.set("point_classes", npy_integers(classes, {100'000}));
  EXPECT_EQ(problem(bytes(draft, ZIP_CM_DEFLATE)), "(no error)");
}

TEST_F(BundleBytes, RefusesOtherCompressions) {
  if (zip_compression_method_supported(ZIP_CM_BZIP2, 1) == 0) GTEST_SKIP() << "libzip without it";
  const std::string message = problem(bytes(test::classifier_draft(), ZIP_CM_BZIP2));
  EXPECT_TRUE(message.ends_with("packed by method 12, expected it stored or deflated")) << message;
}

TEST_F(BundleBytes, NoticesAWrongChecksum) {
  std::string whole = bytes(test::classifier_draft());
  const std::string gamma = test::classifier_draft().get("gamma");
  const std::size_t last = whole.find(gamma) + gamma.size() - 1;
  whole[last] = 0x41;
  EXPECT_EQ(problem(whole), ": gamma.npy: damaged: CRC error");
}

TEST_F(BundleBytes, NoticesTwoEntriesOfOneName) {
  std::string whole = bytes(test::classifier_draft().set("gamme", npy({1}, {})));
  for (std::size_t at = whole.find("gamme"); at != std::string::npos; at = whole.find("gamme"))
    whole[at + 4] = 'a';
  EXPECT_EQ(problem(whole), ": entry \"gamma.npy\": the name occurs twice");
}

TEST_F(BundleBytes, EveryTruncationIsAnError) {
  for (const auto method : {ZIP_CM_STORE, ZIP_CM_DEFLATE}) {
    const std::string whole = bytes(test::neighbors_draft(), method);
    for (std::size_t length = 0; length < whole.size(); ++length)
      ASSERT_NE(problem(whole.substr(0, length)), "(no error)") << length;
  }
}

TEST_F(BundleBytes, EveryChangedByteIsAnErrorOrAModel) {
  for (const auto method : {ZIP_CM_STORE, ZIP_CM_DEFLATE}) {
    const std::string whole = bytes(test::neighbors_draft(), method);
    for (std::size_t at = 0; at < whole.size(); ++at) {
      SCOPED_TRACE(at);
      for (const int flip : {0xff, 0x01}) {
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ flip);
        problem(changed);
      }
    }
  }
}

}  // namespace
}  // namespace bisector
