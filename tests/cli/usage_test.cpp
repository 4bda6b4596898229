// What goes wrong: exit status 2 for the command line, 1 for files, one line, nothing left behind.
#include <gtest/gtest.h>

#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

class Errors : public testing::Test {
 private:
  Folder folder_;  // first, because the files below are in it

 protected:
  std::string model_ =
      write_model(folder(), "m.model", Model(random_classifier(2, {"1", "2"}, 61)));
  std::string data_ = folder().write("d.csv", "a,b\n1,2\n3,4\n");

  const Folder& folder() const { return folder_; }

  /// Runs the command and expects the status, a line that holds `part`, and no new file.
  void expect_error(int status, const std::vector<std::string>& arguments,
                    const std::string& part) const {
    SCOPED_TRACE(part);
    const auto before = folder_.names();
    const Outcome outcome = run_command(arguments);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    EXPECT_EQ(outcome.err.rfind("error: ", 0), 0u) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(folder_.names(), before);
  }
};

TEST_F(Errors, OfTheCommandLineEndWithTwo) {
  expect_error(2, {"exlpain"}, "no verb \"exlpain\"");
  expect_error(2, {"explain"}, "MODEL");
  expect_error(2, {"explain", model_}, "DATA");
  expect_error(2, {"explain", model_, data_, "--foo"}, "--foo");
  expect_error(2, {"explain", model_, data_, "more"}, "more");
  expect_error(2, {"explain", model_, data_, "--method", "lrp:eta=1.5"}, "a number from 0 to 1");
  expect_error(2, {"explain", model_, data_, "--method", "lrp:eta=nan"}, "a number from 0 to 1");
  expect_error(2, {"explain", model_, data_, "--eta", "1"}, "use --method lrp:eta=V");
  expect_error(2, {"explain", model_, data_, "--method", "lrp:eta"}, "NAME:PARAMETER=VALUE");
  expect_error(2, {"explain", model_, data_, "--method", "lrp:eta=0,eta=1"}, "each parameter once");
  expect_error(2, {"explain", model_, data_, "--method", "lrp:beta=0"}, "a number above 0");
  expect_error(2, {"explain", model_, data_, "--top", "0"}, "from 1 up");
  expect_error(2, {"explain", model_, data_, "--top", "2.5"}, "a whole number");
  expect_error(2, {"explain", model_, data_, "--precision", "half"}, "double or float");
  expect_error(2, {"explain", model_, data_, "--header", "maybe"}, "auto or yes or no");
  expect_error(2, {"explain", model_, data_, "--delimiter", "x"}, "--delimiter");
  expect_error(2, {"inspect"}, "MODEL");
  expect_error(2, {"inspect", model_, "--row", "2"}, "need DATA");
  expect_error(2, {"inspect", model_, "--machine"}, "--machine");
}

TEST_F(Errors, OfTheOutputsNameEndWithTwo) {
  expect_error(2, {"explain", model_, data_, "-o", folder().file("o.xls")},
               ".csv or .json or .jsonl or .npy");
  expect_error(2, {"explain", model_, data_, "-o", folder().file("o")},
               ".csv or .json or .jsonl or .npy");
  expect_error(2, {"flip", model_, data_, "-o", folder().file("o.npy")}, "lists of flips");
  expect_error(2, {"explain", model_, data_, "--evidence", "2", "--top", "2", "--format", "csv"},
               "leave one of them out");
  expect_error(2, {"explain", model_, data_, "--evidence", "2", "-o", folder().file("o.npy")},
               "lists of evidence");
  expect_error(2, {"explain", model_, data_, "--top", "2", "-o", folder().file("o.npy")},
               "lists of relevance");
  expect_error(2, {"explain", model_, data_, "--details", "-o", folder().file("o.npy")},
               "leave out --keep and --details");
}

TEST_F(Errors, ForPredictedNeedsClasses) {
  const Model regressor(
      KernelRegressor{KernelMachine(random_rows(2, 2, 62), {1.0, -2.0}, Kernel(0.7), 0.1), {}});
  const auto file = write_model(folder(), "r.model", regressor);
  expect_error(2, {"explain", file, data_, "--class", "predicted"}, "classifier");
}

TEST_F(Errors, OfFilesEndWithOne) {
  expect_error(1, {"explain", folder().file("no.model"), data_}, "No such file or directory");
  expect_error(1, {"explain", model_, folder().file("no.csv"), "-o", folder().file("o.csv")},
               "cannot open " + folder().file("no.csv") + ": No such file or directory");
  expect_error(1, {"explain", data_, model_}, "not a model");
  expect_error(1, {"explain", model_, data_, "-o", folder().file("no/o.csv")},
               "cannot write " + folder().file("no/o.csv") + ": No such file or directory");
  expect_error(1, {"explain", model_, data_, "--class", "7"}, "no class \"7\"");
  expect_error(1, {"explain", model_, data_, "--versus", "7"}, "no class \"7\"");
  expect_error(1, {"explain", model_, data_, "--reference", data_}, "2 rows, expected one");
  expect_error(1, {"explain", model_, data_, "--drop", "z"}, "no column \"z\"");
  expect_error(1, {"explain", "--knn", "9", "--target", "b", data_, data_}, "k is 9");
  expect_error(1, {"explain", "--knn", "1", data_, data_},
               "--target is missing: name the label column");
}

TEST_F(Errors, InTheMiddleOfTheDataNameTheLineAndLeaveNoFile) {
  std::string text = "a,b\n";
  for (int row = 0; row < 30; ++row) text += "1,2\n";
  const auto broken = folder().write("broken.csv", text + "1,oops\n");
  for (const std::string name : {"o.csv", "o.json", "o.npy"})
    expect_error(1, {"explain", model_, broken, "--limit", "chunk=4", "-o", folder().file(name)},
                 broken + ":32: ");
  expect_error(1, {"predict", model_, broken, "--limit", "chunk=4", "-o", folder().file("o.csv")},
               broken + ":32: ");
}

// The reader takes the cell; only the model's preprocessing makes it too large.
TEST_F(Errors, OfARowNameItsLineWhereverItsChunkBegins) {
  write_bundle(folder().file("huge.npz"),
               Model(random_classifier(2, {"1", "-1"}, 1), AffineMap({0.0, 0.0}, {1.0, 1e80})));
  std::string text = "a,b\n";
  for (int row = 0; row < 30; ++row) text += "1,0\n";
  const auto data = folder().write("far.csv", text + "1,1e30\n");
  for (const std::string verb : {"explain", "predict"})
    expect_error(
        1,
        {verb, folder().file("huge.npz"), data, "--limit", "chunk=4", "-o", folder().file("o.csv")},
        data + ":32: feature 2 behind the preprocessing is 1e+110");
}

TEST_F(Errors, KeepTheFileThatWasThereBefore) {
  folder().write("o.csv", "precious\n");
  const auto broken = folder().write("broken.csv", "a,b\n1,oops\n");
  expect_error(1, {"explain", model_, broken, "-o", folder().file("o.csv")}, broken + ":2: ");
  EXPECT_EQ(folder().read("o.csv"), "precious\n");
  output_of({"explain", model_, data_, "-o", folder().file("o.csv")});
  EXPECT_NE(folder().read("o.csv"), "precious\n");
}

TEST(Help, EveryVerbHasADescriptionAndAnExample) {
  const std::string main = output_of({"--help"});
  for (const std::string verb : {"train", "explain", "predict", "inspect", "convert"}) {
    EXPECT_NE(main.find("\n  " + verb + " "), std::string::npos) << main;
    const std::string help = output_of({verb, "--help"});
    EXPECT_NE(help.find("Usage: bisector " + verb), std::string::npos) << help;
    EXPECT_NE(help.find("Example"), std::string::npos) << help;
    EXPECT_NE(help.find("\n  bisector " + verb), std::string::npos) << help;
    for (const auto& line : lines_of(help)) EXPECT_LE(line.size(), 100u) << line;
  }
}

}  // namespace
}  // namespace bisector::cli::test
