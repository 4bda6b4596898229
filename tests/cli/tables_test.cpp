// Files as people have them. Each is trained on and explained with no option except the target, or
// refused with one line whose advice works. tables/tables.tsv lists the expected results.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

struct Case {
  std::string file, options;
  std::string expected;  // the feature columns of explain, or the error
  std::string note;      // part of the notes; empty: no notes
  std::string advice;    // of an error: other options, or "$ " and a filter for the file
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
    cells.resize(5);
    result.push_back({cells[0], cells[1], cells[2], cells[3], cells[4]});
  }
  return result;
}

std::string path_of(const Case& table) { return std::string(BISECTOR_TABLES) + "/" + table.file; }

/// The text without the folder of the tables.
std::string shortened(std::string text) {
  const std::string folder = std::string(BISECTOR_TABLES) + "/";
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder))
    text.erase(at, folder.size());
  return text;
}

Outcome train(const std::string& file, const std::string& options, const std::string& model) {
  std::vector<std::string> arguments = {"train", file, "-o", model};
  for (const auto& word : split(options, ' ')) {
    if (!word.empty()) arguments.push_back(word);
  }
  return run_command(arguments);
}

bool is_refused(const Case& table) { return table.expected.starts_with("error: "); }

TEST(RealTables, AreAllListedAndMostNeedOnlyTheTarget) {
  std::vector<std::string> listed;
  std::size_t trained = 0;
  for (const Case& table : cases()) {
    listed.push_back(table.file);
    const bool has_only_target = table.options.empty() || split(table.options, ' ').size() == 2;
    trained += !is_refused(table) && has_only_target;
  }
  EXPECT_GE(listed.size(), 70u);
  EXPECT_GE(trained, 50u);
  for (const auto& entry : std::filesystem::directory_iterator(BISECTOR_TABLES)) {
    const std::string name = entry.path().filename().string();
    if (name == "tables.tsv" || name == "make_tables.py") continue;
    EXPECT_NE(std::ranges::find(listed, name), listed.end()) << name << " is not listed";
  }
}

void expect_explained(const std::string& model, const std::string& file, const std::string& names,
                      const std::string& options) {
  std::vector<std::string> arguments = {"explain", model, file, "--method", "lrp"};
  const auto words = split(options, ' ');
  for (std::size_t w = 0; w + 1 < words.size(); ++w) {
    if (words[w] == "--drop") arguments.insert(arguments.end(), {"--drop", words[w + 1]});
  }
  const Outcome explained = run_command(arguments);
  ASSERT_EQ(explained.status, 0) << explained.err;
  const std::string header = lines_of(explained.out)[0];
  EXPECT_NE(header.find("," + names + ","), std::string::npos) << header;
  EXPECT_EQ(lines_of(explained.out).size(), 31u) << "every row is explained once";
}

TEST(RealTables, TrainAndExplainWithTheTargetAlone) {
  const Folder folder;
  for (const Case& table : cases()) {
    if (is_refused(table)) continue;
    SCOPED_TRACE(table.file);
    const std::string model = folder.file("m.npz");
    const Outcome trained = train(path_of(table), table.options, model);
    const std::string said = shortened(trained.err);
    ASSERT_EQ(trained.status, 0) << said;
    EXPECT_NE(said.find(table.note), std::string::npos) << said;
    if (table.note.empty()) {
      EXPECT_EQ(without_reading(said), "");
    }
    if (table.expected == "...") continue;  // too wide to list
    expect_explained(model, path_of(table), table.expected, table.options);
  }
}

TEST(RealTables, AreRefusedInOneLineWhoseAdviceWorks) {
  const Folder folder;
  for (const Case& table : cases()) {
    if (!is_refused(table)) continue;
    SCOPED_TRACE(table.file);
    const std::string model = folder.file("m.npz");
    std::filesystem::remove(model);
    const Outcome refused = train(path_of(table), table.options, model);
    EXPECT_NE(refused.status, 0);
    EXPECT_EQ(shortened(refused.err), table.expected + '\n');
    EXPECT_FALSE(std::filesystem::exists(model));
    if (table.advice.empty()) continue;
    std::string file = path_of(table), options = table.options;
    if (table.advice.starts_with("$ ")) {
      EXPECT_NE(table.expected.find(table.advice.substr(2)), std::string::npos);
      file = folder.file("fixed.csv");
      const std::string command =
          "PATH=/usr/bin:$PATH; cd " + std::string(BISECTOR_TABLES) + " && " +
          table.advice.substr(2) +
          (table.advice.find(table.file) == std::string::npos ? " " + table.file : "") + " > " +
          file;
      ASSERT_EQ(std::system(command.c_str()), 0) << command;
    } else if (table.advice.starts_with("--model")) {
      options = table.advice;
    } else {
      options += " " + table.advice;
    }
    const Outcome trained = train(file, options, model);
    EXPECT_EQ(trained.status, 0) << trained.err;
  }
}

}  // namespace
}  // namespace bisector::cli::test
