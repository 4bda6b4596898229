#include <gtest/gtest.h>

#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

TEST(LimitOption, BoundsWhatEveryFileOfACommandMayAskFor) {
  const Folder folder;
  const auto model = folder.write(
      "m.model",
      "svm_type c_svc\nkernel_type rbf\ngamma 0.4\nnr_class 2\ntotal_sv 2\nrho 0.1\nlabel 1 2\n"
      "nr_sv 1 1\nSV\n1 1:1 2:2 3:3\n-1 1:0.5 3:1\n");
  const auto rows = folder.write("rows.libsvm", "1 1:1 2:2 3:3\n");
  EXPECT_EQ(run_command({"predict", model, rows, "--limit", "features=3"}).status, 0);
  const Outcome of_model = run_command({"inspect", model, "--limit", "features=2"});
  EXPECT_EQ(of_model.status, 1);
  EXPECT_NE(
      of_model.err.find("m.model:10: feature index \"3\", expected a whole number from 1 to 2 "
                        "(--limit features=N changes this limit)"),
      std::string::npos)
      << of_model.err;
  const auto wide = folder.write("wide.libsvm", "1 1:1 2:2 4:3\n");
  const Outcome of_data =
      run_command({"predict", model, wide, "--limit", "features=3", "--limit", "row-bytes=1000"});
  EXPECT_EQ(of_data.status, 1);
  EXPECT_NE(of_data.err.find("wide.libsvm:1: \"4:3\", expected an index of at most 3 "
                             "(--limit features=N changes this limit)"),
            std::string::npos)
      << of_data.err;
  EXPECT_EQ(run_command({"convert", model, folder.file("m.npz"), "--limit", "elements=5"}).status,
            1);
}

TEST(LimitOption, OfFeaturesCanBeLoweredForEveryFormat) {
  const Folder folder;
  const auto model = write_model(folder, "m.model", Model(random_classifier(3, {"1", "2"}, 51)));
  output_of(
      {"explain", model, folder.write("d.csv", "a,b,c\n1,2,3\n"), "-o", folder.file("d.npy")});
  for (const auto& data : {folder.file("d.csv"), folder.file("d.npy")}) {
    const Outcome outcome = run_command(
        {"predict", "--knn", "1", "--target", "3", data, data, "--limit", "features=2"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err,
              "error: " + data +
                  ": 3 columns, expected at most 2 (--limit features=N changes this limit)\n");
  }
}

TEST(LimitOption, SaysWhatItExpects) {
  const auto error_of = [](const std::string& text) {
    const Outcome outcome = run_command({"inspect", "m.model", "--limit", text});
    EXPECT_EQ(outcome.status, 2);
    return outcome.err;
  };
  for (const std::string text : {"speed=3", "row-bytes", "row-bytes="})
    EXPECT_EQ(error_of(text), "error: --limit is \"" + text +
                                  "\", expected NAME=N with one of elements, features, "
                                  "expansion, unpacked-bytes, metadata-bytes, row-bytes (see "
                                  "bisector inspect --help)\n");
  for (const std::string number : {"0", "-1", "2.5", "1000000000000000"})
    EXPECT_EQ(error_of("row-bytes=" + number),
              "error: --limit row-bytes is \"" + number +
                  "\", expected a whole number from 1 to 2^48 (see bisector inspect --help)\n");
}

}  // namespace
}  // namespace bisector::cli::test
