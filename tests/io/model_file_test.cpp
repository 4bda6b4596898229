#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bisector/io/model_file.h"
#include "io/model_test_support.h"

namespace bisector {
namespace {

class ModelFile : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(path_); }
  template <class Error>
  std::string message() const {
    try {
      read_model(path_);
    } catch (const Error& error) {
      return error.what();
    }
    return "(no error)";
  }

  // The name says nothing: models are recognized by content.
  std::filesystem::path path_ = test::temporary_path("x.bin");
};

TEST_F(ModelFile, IsRecognizedByContent) {
  const Model model(test::RandomModels(3).classifier());
  write_bundle(path_, model);
  EXPECT_EQ(read_model(path_), model);
  const std::string libsvm =
      "svm_type one_class\nkernel_type rbf\ngamma 2\nnr_class 2\ntotal_sv 2\nrho 0.75\nSV\n"
      "1 1:1\n0.5 2:1\n";
  test::write_file(path_, libsvm);
  const Model from_text = read_model(path_);
  EXPECT_EQ(from_text.points(), Matrix(2, 2, {1, 0, 0, 1}));
  test::write_file(path_, "\n \n" + libsvm);
  EXPECT_EQ(read_model(path_), from_text);
}

TEST_F(ModelFile, NamesTheFileInErrorsOfBothFormats) {
  test::write_file(path_, "svm_type c_svc\nkernel_type precomputed\nSV\n");
  EXPECT_EQ(message<FormatError>(),
            path_.string() +
                ":2: kernel_type is \"precomputed\", expected rbf, linear, polynomial or sigmoid");
  test::write_file(path_, "PK\x03\x04 and no more");
  EXPECT_EQ(
      message<FormatError>(),
      path_.string() + ": not a readable zip archive, expected a whole file: Not a zip archive");
  std::string empty_archive("PK\x05\x06", 4);
  empty_archive.resize(22);
  test::write_file(path_, empty_archive);
  EXPECT_EQ(message<FormatError>(),
            path_.string() + ": array \"meta\" is missing, expected a model bundle");
}

TEST_F(ModelFile, RefusesWhatIsNoModel) {
  for (const char* content : {"", "\n\n", "a,b\n1,2\n", "svm_typ c_svc\n", "\x93NUMPY", "PK"}) {
    test::write_file(path_, content);
    EXPECT_EQ(message<FormatError>(),
              path_.string() +
                  ": not a model: expected a LIBSVM model file or an .npz bundle (bisector train "
                  "makes a model of a table)");
  }
}

TEST_F(ModelFile, SaysWhyAFileCannotBeOpened) {
  EXPECT_EQ(message<FileError>(), "cannot open " + path_.string() + ": No such file or directory");
  std::filesystem::create_directory(path_);
  EXPECT_EQ(message<FileError>(), "cannot read " + path_.string() + ": expected a regular file");
  EXPECT_THROW(read_bundle(path_), FileError);
  EXPECT_THROW(read_bundle(path_ / "none.npz"), FileError);
}

TEST_F(ModelFile, RefusesAPipe) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  // Open at both ends, so that neither side waits for the other.
  const int pipe = open(path_.c_str(), O_RDWR);
  ASSERT_GE(pipe, 0);
  EXPECT_EQ(message<FileError>(), "cannot read " + path_.string() + ": expected a regular file");
  close(pipe);
}

}  // namespace
}  // namespace bisector
