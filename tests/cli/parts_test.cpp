// The small parts of the command: output files, progress, cells and rankings.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <limits>

#include "bisector/error.h"
#include "cli/cli_support.h"
#include "cli/writers/number.h"
#include "cli/writers/result_tables.h"
#include "cli/writers/table_format.h"
#include "tools/output_file.h"
#include "tools/progress.h"

namespace bisector::cli::test {
namespace {

TEST(OutputFile, GetsItsNameOnlyWhenComplete) {
  const Folder folder;
  {
    tools::OutputFile file(folder.file("o.csv"));
    file.stream() << "half";
    EXPECT_FALSE(std::filesystem::exists(folder.file("o.csv")));
  }
  EXPECT_TRUE(folder.names().empty());
  tools::OutputFile file(folder.file("o.csv"));
  file.stream() << "whole";
  file.commit();
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"o.csv"}));
  EXPECT_EQ(folder.read("o.csv"), "whole");
}

TEST(OutputFile, HasThePermissionsOfAnyNewFile) {
  const Folder folder;
  folder.write("plain", "");
  tools::OutputFile file(folder.file("o.csv"));
  file.commit();
  struct stat expected, actual;
  ASSERT_EQ(::stat(folder.file("plain").c_str(), &expected), 0);
  ASSERT_EQ(::stat(folder.file("o.csv").c_str(), &actual), 0);
  EXPECT_EQ(actual.st_mode, expected.st_mode);
}

TEST(OutputFile, ClearsAwayWhatAKilledProcessLeft) {
  const Folder folder;
  folder.write("o.csv.0.tmp", "half of an earlier run, longer than what comes now");
  tools::OutputFile file(folder.file("o.csv"));
  file.stream() << "whole";
  file.commit();
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"o.csv"}));
  EXPECT_EQ(folder.read("o.csv"), "whole");
}

TEST(OutputFile, IsNotDisturbedByAnotherOfTheSameName) {
  const Folder folder;
  tools::OutputFile first(folder.file("o.csv"));
  first.stream() << "first" << std::flush;
  {
    tools::OutputFile second(folder.file("o.csv"));
    EXPECT_EQ(folder.names().size(), 2u);
    second.stream() << "second";
    second.commit();
    EXPECT_EQ(folder.read("o.csv"), "second");
  }
  first.commit();
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"o.csv"}));
  EXPECT_EQ(folder.read("o.csv"), "first");
}

// A symbolic link that another user made in the folder does not redirect the output.
TEST(OutputFile, WritesThroughNoLinkUnderItsTemporaryName) {
  const Folder folder;
  const auto precious = folder.write("precious", "precious");
  std::filesystem::create_symlink(precious, folder.file("o.csv.0.tmp"));
  std::filesystem::create_hard_link(precious, folder.file("o.csv.1.tmp"));
  tools::OutputFile file(folder.file("o.csv"));
  file.stream() << "whole";
  file.commit();
  EXPECT_EQ(folder.read("o.csv"), "whole");
  EXPECT_EQ(folder.read("precious"), "precious");
}

TEST(OutputFile, FollowsASymbolicLink) {
  const Folder folder;
  folder.write("real.csv", "old");
  std::filesystem::create_symlink(folder.file("real.csv"), folder.file("link.csv"));
  tools::OutputFile file(folder.file("link.csv"));
  file.stream() << "new";
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link.csv")));
  EXPECT_EQ(folder.read("real.csv"), "new");
}

TEST(OutputFile, AFolderOrAFullDiskIsAnError) {
  const Folder folder;
  EXPECT_THROW(tools::OutputFile(folder.file("")), FileError);
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  tools::OutputFile full("/dev/full");
  full.stream() << "text";
  EXPECT_THROW(full.commit(), FileError);
}

TEST(Progress, IsSilentWithoutATerminalAndInTheFirstMoment) {
  std::ostringstream terminal;
  {
    tools::Progress nowhere("working", nullptr, std::chrono::seconds(0));
    nowhere.update(5, 0.5);
    tools::Progress fast("working", &terminal, std::chrono::hours(1));
    fast.update(5, 0.5);
  }
  EXPECT_EQ(terminal.str(), "");
}

TEST(Progress, ShowsABarAndClearsIt) {
  std::ostringstream terminal;
  {
    tools::Progress progress("working", &terminal, std::chrono::seconds(0));
    progress.update(5, 0.5);
  }
  EXPECT_NE(terminal.str().find("working [###############               ]  50 %  5 rows"),
            std::string::npos)
      << terminal.str();
  EXPECT_TRUE(terminal.str().ends_with("\r\x1b[K"));
}

TEST(CsvCell, QuotesWhatNeedsIt) {
  EXPECT_EQ(csv_cell("alcohol"), "alcohol");
  EXPECT_EQ(csv_cell("free sulfur dioxide"), "free sulfur dioxide");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(csv_cell(" a"), "\" a\"");
  EXPECT_EQ(csv_cell("a\nb"), "\"a\nb\"");
}

TEST(Strongest, OrdersByMagnitudeAndThenByPlace) {
  const std::vector<double> values = {1.0, -3.0, 3.0, 0.0};
  EXPECT_EQ(strongest(values, 3), (std::vector<std::size_t>{1, 2, 0}));
  EXPECT_EQ(strongest(values, 9), (std::vector<std::size_t>{1, 2, 0, 3}));
}

TEST(Numbers, AreTheShortestThatReadBack) {
  std::string text;
  append_number(text, 0.1);
  text += ' ';
  append_number(text, -std::numeric_limits<double>::infinity());
  text += ' ';
  append_json_number(text, std::numeric_limits<double>::infinity());
  EXPECT_EQ(text, "0.1 -inf null");
}

}  // namespace
}  // namespace bisector::cli::test
