#include <gtest/gtest.h>

#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

TEST(ConvertCommand, WritesALibsvmModelAsTheSameBundle) {
  const Folder folder;
  const auto original = folder.write(
      "m.model",
      "svm_type one_class\nkernel_type rbf\ngamma 2\nnr_class 2\ntotal_sv 2\nrho 0.75\nSV\n"
      "1 1:1\n0.5 2:1\n");
  EXPECT_EQ(output_of({"convert", original, folder.file("m.npz")}), "");
  EXPECT_EQ(read_model(folder.file("m.npz")), read_model(original));
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"m.model", "m.npz"}));
}

TEST(ConvertCommand, AnotherFormatIsRefusedAndNothingIsWritten) {
  const Folder folder;
  const auto file = write_model(folder, "m.npz", Model(random_classifier(2, {"1", "2"}, 53)));
  for (const char* name : {"m.pmml", "m.svm", "m.onnx"}) {
    const Outcome outcome = run_command({"convert", file, folder.file(name)});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.err.find("expected a name that ends in .npz"), std::string::npos)
        << outcome.err;
  }
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"m.npz"}));
}

}  // namespace
}  // namespace bisector::cli::test
