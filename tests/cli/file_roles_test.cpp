#include <gtest/gtest.h>

#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

class FileRoles : public testing::Test {
  Folder folder_;

 protected:
  std::string model_ = write_model(folder_, "m.model", Model(random_classifier(2, {"1", "2"}, 3)));
  std::string data_ = write_csv(folder_, "d.csv", random_rows(30, 2, 4));

  const Folder& folder() const { return folder_; }

  void expect_refused(const std::vector<std::string>& arguments, const std::string& kept) const {
    const std::string before = folder_.read(kept);
    const Outcome outcome = run_command(arguments);
    EXPECT_EQ(outcome.status, 2) << testing::PrintToString(arguments) << outcome.err;
    EXPECT_NE(outcome.err.find(" is the same file as "), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("expected another name"), std::string::npos) << outcome.err;
    EXPECT_EQ(folder_.read(kept), before);
  }
};

TEST_F(FileRoles, NoOutputOfAnyVerbIsAnInput) {
  const std::string other = folder().write("other.csv", folder().read("d.csv"));
  const std::string npz = folder().write("t.npz", "not looked into");
  expect_refused({"explain", model_, data_, "-o", data_}, "d.csv");
  expect_refused({"explain", model_, data_, "-o", model_}, "m.model");
  expect_refused({"explain", model_, data_, "--background", other, "-o", other}, "other.csv");
  expect_refused({"explain", model_, data_, "--reference", other, "-o", other}, "other.csv");
  expect_refused({"predict", model_, data_, "-o", data_}, "d.csv");
  expect_refused({"report", model_, data_, "-o", data_}, "d.csv");
  expect_refused({"evaluate", model_, data_, "-o", data_}, "d.csv");
  expect_refused({"evaluate", model_, data_, "--curves", data_}, "d.csv");
  expect_refused({"evaluate", model_, data_, "--curves", other, "--relevance", other}, "other.csv");
  expect_refused({"train", npz, "--model", "svm", "-o", npz}, "t.npz");
  expect_refused({"convert", model_, model_}, "m.model");
  expect_refused({"train", npz + ":X", "--model", "svm", "-o", npz}, "t.npz");
  expect_refused({"choose", model_, "--background", npz, "-o", npz}, "t.npz");
}

TEST_F(FileRoles, LinksAndOtherSpellingsAreSeenThrough) {
  std::filesystem::create_symlink(data_, folder().file("symbolic.csv"));
  std::filesystem::create_hard_link(data_, folder().file("hard.csv"));
  for (const std::string name : {"symbolic.csv", "hard.csv", "./d.csv"})
    expect_refused({"explain", model_, data_, "-o", folder().file(name)}, "d.csv");
}

TEST_F(FileRoles, TwoOutputsAreTwoFiles) {
  const std::string one = folder().file("one.csv");
  const Outcome outcome = run_command({"evaluate", model_, data_, "-o", one, "--curves", one});
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("only one would remain"), std::string::npos) << outcome.err;
}

TEST_F(FileRoles, WhatCannotBeLostMayBeBoth) {
  const Outcome nowhere = run_command({"evaluate", model_, data_, "--method", "lrp", "--samples",
                                       "2", "-o", "/dev/null", "--curves", "/dev/null"});
  EXPECT_EQ(nowhere.status, 0) << nowhere.err;
  EXPECT_EQ(run_command({"convert", model_, folder().file("m.npz")}).status, 0);
  const std::string rows = write_csv(folder(), "b.csv", random_rows(150, 2, 5));
  const Outcome chosen =
      run_command({"choose", folder().file("m.npz"), "--background", rows, "--sample", "4",
                   "--samples", "2", "-o", folder().file("m.npz")});
  EXPECT_EQ(chosen.status, 0) << chosen.err;
}

}  // namespace
}  // namespace bisector::cli::test
