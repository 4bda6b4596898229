#include "common/markdown.h"

#include <gtest/gtest.h>

namespace bisector::paper {
namespace {

TEST(Markdown, ParagraphsAndItemsAreWrappedAt100Columns) {
  std::string words;
  for (int n = 0; n < 25; ++n) words += "größer ";  // six characters, eight bytes
  words.pop_back();
  const std::string row = "| " + words + " |";
  const std::string text = wrapped(words + "\n\n- " + words + "\n" + row + "\n");
  std::string line, expected;
  for (int n = 0; n < 14; ++n) line += n == 0 ? "größer" : " größer";  // 97 columns
  for (int n = 0; n < 11; ++n) expected += n == 0 ? "größer" : " größer";
  EXPECT_EQ(text.substr(0, text.find("\n\n")), line + "\n" + expected);
  EXPECT_NE(text.find("\n- " + line + "\n  " + expected + "\n"), std::string::npos) << text;
  EXPECT_NE(text.find(row), std::string::npos);
}

}  // namespace
}  // namespace bisector::paper
