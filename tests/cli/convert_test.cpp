#include <gtest/gtest.h>

#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

TEST(ConvertCommand, ThereAndBackIsTheSameModel) {
  const Folder folder;
  const Model model(random_classifier(3, {"1", "2", "3"}, 51));
  const auto original = write_libsvm(folder, "m.model", model);
  EXPECT_EQ(output_of({"convert", original, folder.file("m.npz")}), "");
  EXPECT_EQ(output_of({"convert", folder.file("m.npz"), folder.file("back.svm")}), "");
  EXPECT_EQ(read_model(folder.file("m.npz")), read_model(original));
  EXPECT_EQ(folder.read("back.svm"), folder.read("m.model"));
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"back.svm", "m.model", "m.npz"}));
}

TEST(ConvertCommand, AnOnnxModelIsConvertedInPython) {
  const Folder folder;
  const auto model = folder.write("m.onnx", "\b\n");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"convert", model, folder.file("m.npz")}, {"inspect", model}}) {
    const Outcome outcome = run_command(words);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "error: " + model +
                               ": an ONNX model, expected a bundle: python -m bisector convert " +
                               model + " " + folder.file("m.npz") + "\n");
  }
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"m.onnx"}));
}

TEST(ConvertCommand, WhatLibsvmCannotHoldIsAnErrorAndLeavesNothing) {
  const Folder folder;
  write_bundle(folder.file("c.npz"), Model(CentroidModel(random_rows(2, 2, 52), {"1", "2"})));
  const Outcome outcome = run_command({"convert", folder.file("c.npz"), folder.file("c.model")});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"c.npz"}));
}

TEST(ConvertCommand, AnUnknownExtensionIsAUsageErrorThatListsThem) {
  const Folder folder;
  const auto file = write_libsvm(folder, "m.model", Model(random_classifier(2, {"1", "2"}, 53)));
  const Outcome outcome = run_command({"convert", file, folder.file("m.pmml")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find(".npz"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find(".libsvm"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace bisector::cli::test
