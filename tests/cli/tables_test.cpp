// Files as people have them, each trained on and explained with no option but the target; or one
// line that is right. tables/tables.tsv says which.
#include <gtest/gtest.h>

#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

struct Case {
  std::string file, options, expected, note;
};

std::vector<std::string> split(const std::string& line, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : line) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::vector<Case> cases() {
  std::ifstream in(std::string(BISECTOR_TABLES) + "/tables.tsv");
  std::vector<Case> result;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    auto cells = split(line, '\t');
    cells.resize(4);
    result.push_back({cells[0], cells[1], cells[2], cells[3]});
  }
  return result;
}

std::string path_of(const Case& table) { return std::string(BISECTOR_TABLES) + "/" + table.file; }

/// The command's words, without the folder of the tables in them.
std::string shortened(std::string text) {
  const std::string folder = std::string(BISECTOR_TABLES) + "/";
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder))
    text.erase(at, folder.size());
  return text;
}

Outcome train(const Case& table, const std::string& model) {
  std::vector<std::string> arguments = {"train", path_of(table), "-o", model};
  bool has_model = false;
  for (const auto& word : split(table.options, ' ')) {
    if (!word.empty()) arguments.push_back(word);
    has_model = has_model || word == "--model";
  }
  if (!has_model) arguments.insert(arguments.end(), {"--model", "svm"});
  return run_command(arguments);
}

TEST(RealTables, AreFiftyAtLeastAndAllThere) {
  std::vector<std::string> listed;
  for (const Case& table : cases()) listed.push_back(table.file);
  EXPECT_GE(listed.size(), 50u);
  for (const auto& entry : std::filesystem::directory_iterator(BISECTOR_TABLES)) {
    const std::string name = entry.path().filename().string();
    if (name == "tables.tsv" || name == "make_tables.py") continue;
    EXPECT_NE(std::ranges::find(listed, name), listed.end()) << name << " is not listed";
  }
}

#ifdef BISECTOR_ARROW
constexpr bool kReadsColumnar = true;
#else
constexpr bool kReadsColumnar = false;
#endif

bool is_columnar(const Case& table) {
  const std::string ending = std::filesystem::path(table.file).extension().string();
  return table.file != "version1.feather" &&
         (ending == ".parquet" || ending == ".feather" || ending == ".arrows");
}

TEST(RealTables, WithoutArrowSayWhatToDo) {
  if (kReadsColumnar) return;  // the test below reads them
  const Folder folder;
  for (const Case& table : cases()) {
    if (!is_columnar(table)) continue;
    const std::string said = train(table, folder.file("m.npz")).err;
    EXPECT_NE(said.find("file, which this build does not read: pip install bisector pyarrow"),
              std::string::npos)
        << said;
  }
}

TEST(RealTables, TrainAndExplainOrSayWhatIsWrong) {
  const Folder folder;
  for (const Case& table : cases()) {
    if (is_columnar(table) && !kReadsColumnar) continue;
    SCOPED_TRACE(table.file);
    const std::string model = folder.file("m.npz");
    std::filesystem::remove(model);
    const Outcome trained = train(table, model);
    const std::string said = shortened(trained.err);
    if (table.expected.starts_with("error: ")) {
      EXPECT_NE(trained.status, 0);
      EXPECT_EQ(said, table.expected + '\n');
      EXPECT_FALSE(std::filesystem::exists(model));
      continue;
    }
    ASSERT_EQ(trained.status, 0) << said;
    EXPECT_NE(said.find(table.note), std::string::npos) << said;
    if (table.note.empty()) {
      EXPECT_EQ(without_reading(said), "");
    }
    const Outcome explained = run_command({"explain", model, path_of(table), "--method", "lrp"});
    ASSERT_EQ(explained.status, 0) << explained.err;
    EXPECT_EQ(lines_of(explained.out)[0], "row,prediction,class,versus,output,base," +
                                              table.expected + ",remainder,outside,tie");
    EXPECT_EQ(lines_of(explained.out).size(), 31u) << "no row is lost, and none is made up";
  }
}

}  // namespace
}  // namespace bisector::cli::test
