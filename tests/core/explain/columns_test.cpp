// docs/formats.md explains the columns of explanations in the words of their description.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "bisector/explain.h"

namespace bisector::test {
namespace {

/// The line of the page about a column; that of the contributions has no name, and the name of
/// standard errors ends with the feature.
std::string line_about(const std::string& page, std::string_view name) {
  const std::string end = name.ends_with(' ') ? "" : "`";
  const std::string start =
      name.empty() ? "| one column per feature" : "| `" + std::string(name) + end;
  const std::size_t at = page.find("\n" + start, page.find("## What `explain` writes"));
  return at == std::string::npos ? "" : page.substr(at + 1, page.find('\n', at + 1) - at - 1);
}

TEST(ExplanationColumns, AreExplainedInTheManual) {
  const auto path = std::filesystem::path(BISECTOR_METHODS_PAGE).parent_path() / "../formats.md";
  std::ifstream file(path);
  ASSERT_TRUE(file) << path;
  std::stringstream page;
  page << file.rdbuf();
  std::size_t columns = 0;
  Explanation::columns([&](const ResultColumn& column, auto) {
    if (column.role == ResultColumn::Role::internal) return;
    const std::string line = line_about(page.str(), column.name);
    EXPECT_NE(line.find(column.description), std::string::npos) << column.name << ": " << line;
    ++columns;
  });
  EXPECT_EQ(columns, 15u);
}

}  // namespace
}  // namespace bisector::test
