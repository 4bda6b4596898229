#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <sstream>

#include "bisector/io/model_file.h"
#include "io/model_bundle_support.h"
#include "io/model_test_support.h"

namespace bisector {

using namespace io;

namespace {

using test::RandomModels;

KernelClassifier draft_classifier() {
  return {Matrix(3, 2, {1, 2, 3, 4, 5, 6}),
          {2, 1},
          Matrix(1, 3, {0.5, 0.25, -0.75}),
          {0.125},
          Kernel(2),
          {"1", "-1"}};
}

class Bundle : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }
  Model read(const test::Draft& draft, zip_int32_t method = ZIP_CM_STORE) const {
    draft.write(path_, method);
    return read_bundle(path_);
  }

  std::filesystem::path path_ = test::temporary_path("model.npz");
};

TEST_F(Bundle, KeepsEveryKindWithPreprocessingAndNames) {
  for (std::size_t n = 0; n < 240; ++n) {
    SCOPED_TRACE(testing::Message() << "seed " << n);
    const Model model = RandomModels(n).model(n);
    write_bundle(path_, model);
    EXPECT_EQ(read_bundle(path_), model);
  }
}

TEST_F(Bundle, IsTheSameBytesWheneverAndWhereverItIsWritten) {
  const Model model = RandomModels(7).model(13);
  write_bundle(path_, model);
  const std::string first = test::read_file(path_);
  std::ostringstream stream;
  write_bundle(stream, model);
  EXPECT_EQ(stream.str(), first);
  const char* zone = std::getenv("TZ");
  const std::string old_zone = zone == nullptr ? "" : zone;
  for (const char* other : {"UTC", "Pacific/Kiritimati", "America/St_Johns"}) {
    setenv("TZ", other, 1);
    tzset();
    write_bundle(path_, model);
    EXPECT_EQ(test::read_file(path_), first) << other;
  }
  zone == nullptr ? unsetenv("TZ") : setenv("TZ", old_zone.c_str(), 1);
  tzset();
}

TEST_F(Bundle, ReadsStoredAndDeflatedArrays) {
  const Model expected(draft_classifier());
  EXPECT_EQ(read(test::classifier_draft(), ZIP_CM_STORE), expected);
  EXPECT_EQ(read(test::classifier_draft(), ZIP_CM_DEFLATE), expected);
}

TEST_F(Bundle, ReadsColumnsFirstAndOtherNumberTypes) {
  test::Draft draft = test::classifier_draft();
  const float rows_of_columns[] = {1, 3, 5, 2, 4, 6};
  NpyHeader header{.kind = 'f', .item_size = 4, .fortran = true, .shape = {3, 2}};
  draft.set("support_vectors",
            npy_header(header) + std::string(reinterpret_cast<const char*>(rows_of_columns),
                                             sizeof rows_of_columns));
  const std::uint8_t counts[] = {2, 1};
  header = {.kind = 'u', .item_size = 1, .shape = {2}};
  draft.set("n_support", npy_header(header) + std::string(counts, counts + 2));
  draft.set("gamma", test::npy_integers({2}, {}));
  EXPECT_EQ(read(draft), Model(draft_classifier()));
}

TEST_F(Bundle, TakesCoefficientsOfOneMachineInOneDimensionOrTwo) {
  test::Draft flat = test::classifier_draft();
  flat.set("coefficients", test::npy({0.5, 0.25, -0.75}, {3}));
  EXPECT_EQ(read(flat), read(test::classifier_draft()));
  test::Draft row = test::one_class_draft();
  row.set("coefficients", test::npy({0.5, 0.25, -0.75}, {1, 3}));
  EXPECT_EQ(read(row), read(test::one_class_draft()));
}

TEST_F(Bundle, TakesLabelsOfEveryType) {
  const auto labels = [&](std::string array) {
    test::Draft draft = test::classifier_draft();
    return read(draft.set("labels", std::move(array))).labels();
  };
  using Labels = std::vector<std::string>;
  EXPECT_EQ(labels(test::npy_integers({INT64_MAX, INT64_MIN}, {2})),
            (Labels{"9223372036854775807", "-9223372036854775808"}));
  EXPECT_EQ(labels(test::npy({1.0, -0.5}, {2})), (Labels{"1", "-0.5"}));
  EXPECT_EQ(labels(test::npy_text({"ja", "nein, größer"}, {2})), (Labels{"ja", "nein, größer"}));
}

// "01" or "1.0" as an integer would come back as another label.
TEST_F(Bundle, KeepsLabelsThatOnlyLookLikeIntegers) {
  const KernelMachine machine(Matrix(2, 1, {1, 2}), {1, -1}, Kernel(1), 0);
  for (const char* label : {"01", "1.0", "+1", "-0", " 1", "", "9223372036854775808"}) {
    const Model model(KernelClassifier::two_class(machine, label, "2"));
    write_bundle(path_, model);
    EXPECT_EQ(read_bundle(path_), model) << label;
  }
}

TEST_F(Bundle, RefusesToWriteWhatCouldNotBeReadBack) {
  const auto problem = [&](const Model& model) {
    return test::error_of([&] { write_bundle(path_, model); });
  };
  const KernelMachine machine(Matrix(2, 1, {1, 2}), {1, -1}, Kernel(1), 0);
  EXPECT_EQ(problem(Model(KernelClassifier::two_class(machine, "\xff", "2"))),
            "labels: text is not valid UTF-8");
  EXPECT_EQ(problem(Model(KernelRegressor{machine, NAN})),
            "target_mean is nan, expected a finite number");
  EXPECT_FALSE(std::filesystem::exists(path_));
}

class BundleFolder : public Bundle {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  std::filesystem::path folder_ = test::temporary_path("folder");
};

/// Within its scope a file that grows beyond `bytes` fails to be written, as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_limit_);
    const rlimit limit{bytes, old_limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &old_limit_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_limit_{};
  void (*old_handler_)(int);
};

TEST_F(BundleFolder, KeepsTheOldFileAndNothingElseWhenWritingFails) {
  const auto path = folder_ / "model.npz";
  const Model old_model = RandomModels(1).model(4);
  write_bundle(path, old_model);
  const Model large(CentroidModel(Matrix(2, 10000, 1.5), {"0", "1"}));
  {
    const FullDisk full(4096);
    EXPECT_THROW(write_bundle(path, large), FileError);
    EXPECT_THROW(write_bundle(folder_ / "new.npz", large), FileError);
  }
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(read_bundle(path), old_model);
  write_bundle(path, large);
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(read_bundle(path), large);
}

TEST_F(BundleFolder, SaysWhyAFileCannotBeWritten) {
  const auto message = [](const std::filesystem::path& path) -> std::string {
    try {
      write_bundle(path, RandomModels(1).model(0));
    } catch (const FileError& error) {
      return error.what();
    }
    return "(no error)";
  };
  const auto missing = folder_ / "missing" / "model.npz";
  EXPECT_EQ(message(missing), "cannot write " + missing.string() + ": No such file or directory");
  EXPECT_EQ(message(folder_), "cannot write " + folder_.string() + ": Is a directory");
  EXPECT_EQ(files(), 0u);
}

}  // namespace
}  // namespace bisector
