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

TEST(ConvertCommand, OnnxIsReadByEveryVerbAndWrittenInThe32BitsItHas) {
  const Folder folder;
  const Model model(random_classifier(3, {"1", "2", "3"}, 54));
  const auto original = write_libsvm(folder, "m.model", model);
  const auto onnx = folder.file("m.onnx"), bundle = folder.file("m.npz");
  EXPECT_EQ(output_of({"convert", original, onnx}), "");
  EXPECT_EQ(output_of({"convert", onnx, bundle}), "");
  EXPECT_EQ(output_of({"convert", bundle, folder.file("again.onnx")}), "");
  EXPECT_EQ(folder.read("again.onnx"), folder.read("m.onnx"));
  const auto inspected = [](const std::string& file) {
    const std::string text = output_of({"inspect", file});
    return text.substr(text.find('\n'));  // behind the file's name
  };
  EXPECT_EQ(inspected(onnx), inspected(bundle));
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
