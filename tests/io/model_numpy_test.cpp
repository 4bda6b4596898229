// Bundles are NumPy's: what we write numpy.load opens without pickle, and what numpy.savez writes
// we read.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "bisector/io/model_file.h"
#include "bisector/version.h"
#include "io/model_test_support.h"
#include "io/numpy_testing.h"

namespace bisector {
namespace {

using Json = nlohmann::json;

class NumpyBundle : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_numpy()) GTEST_SKIP() << "no Python with NumPy (BISECTOR_TEST_PYTHON names one)";
  }
  void TearDown() override {
    for (const auto& path : {ours_, theirs_, script_}) std::filesystem::remove(path);
  }
  /// Runs a script with the two paths as sys.argv[1:].
  void python(const std::string& script) const {
    test::write_file(script_, "import sys, json, numpy\nours, theirs = sys.argv[1:]\n" + script);
    const std::string command = fmt::format("'{}' '{}' '{}' '{}'", test_python(), script_.string(),
                                            ours_.string(), theirs_.string());
    ASSERT_EQ(std::system(command.c_str()), 0);
  }

  std::filesystem::path ours_ = test::temporary_path("ours.npz");
  std::filesystem::path theirs_ = test::temporary_path("theirs.npz");
  std::filesystem::path script_ = test::temporary_path("script.py");
};

TEST_F(NumpyBundle, OpensInNumpyWithTheArraysOfTheDescription) {
  const KernelClassifier classifier(Matrix(3, 2, {1, 2, 3, 4, 5, 6}), {2, 1},
                                    Matrix(1, 3, {0.5, 0.1, -0.75}), {0.125}, Kernel(2),
                                    {"rot", "grün"});
  write_bundle(ours_, Model(classifier, AffineMap({1, 2}, {3, 4}), {"länge", "b"}, 1.5));
  python(R"(
with numpy.load(ours, allow_pickle=False) as arrays:
    seen = {name: [array.dtype.str, list(array.shape), array.tolist()] for name, array in arrays.items()}
json.dump(seen, open(theirs, "w"))
)");
  const Json seen = Json::parse(test::read_file(theirs_));
  const std::string meta =
      R"({"format":"bisector-model","version":3,"kind":"kernel_classifier","made_by":"bisector )" +
      std::string(kVersion) + "\"}";
  const Json expected = {{"meta", {fmt::format("<U{}", meta.size()), Json::array(), meta}},
                         {"support_vectors", {"<f8", {3, 2}, {{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}}}},
                         {"coefficients", {"<f8", {1, 3}, Json::array({{0.5, 0.1, -0.75}})}},
                         {"intercept", {"<f8", Json::array({1}), Json::array({0.125})}},
                         {"gamma", {"<f8", Json::array(), 2.0}},
                         {"n_support", {"<i8", Json::array({2}), {2, 1}}},
                         {"labels", {"<U4", Json::array({2}), {"rot", "grün"}}},
                         {"input_shift", {"<f8", Json::array({2}), {1.0, 2.0}}},
                         {"input_scale", {"<f8", Json::array({2}), {3.0, 4.0}}},
                         {"feature_names", {"<U5", Json::array({2}), {"länge", "b"}}},
                         {"median_distance", {"<f8", Json::array(), 1.5}}};
  for (const auto& [name, array] : expected.items())
    EXPECT_EQ(seen.value(name, Json()), array) << name;
  EXPECT_EQ(seen.size(), expected.size());
}

// All in one call: starting Python takes longer than everything else.
TEST_F(NumpyBundle, ReadsWhatNumpySaves) {
  const auto folder = [](std::filesystem::path path, std::size_t n) {
    return path.replace_extension() / fmt::format("{}.npz", n);
  };
  std::filesystem::create_directory(folder(ours_, 0).parent_path());
  std::filesystem::create_directory(folder(theirs_, 0).parent_path());
  for (std::size_t n = 0; n < 48; ++n)
    write_bundle(folder(ours_, n), test::RandomModels(n).model(n));
  python(R"(
for n in range(48):
    save = numpy.savez if n % 2 else numpy.savez_compressed
    save(f"{theirs[:-4]}/{n}.npz", **numpy.load(f"{ours[:-4]}/{n}.npz", allow_pickle=False))
)");
  for (std::size_t n = 0; n < 48; ++n)
    EXPECT_EQ(read_model(folder(theirs_, n)), test::RandomModels(n).model(n)) << n;
  std::filesystem::remove_all(folder(ours_, 0).parent_path());
  std::filesystem::remove_all(folder(theirs_, 0).parent_path());
}

}  // namespace
}  // namespace bisector
