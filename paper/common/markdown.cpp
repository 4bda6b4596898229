#include "common/markdown.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "tools/output_file.h"

namespace bisector::paper {
namespace {

std::string line(const std::vector<std::string>& cells, const std::string& before,
                 const std::string& between, const std::string& after) {
  std::string text = before;
  for (std::size_t c = 0; c < cells.size(); ++c) text += (c == 0 ? "" : between) + cells[c];
  return text + after + "\n";
}

/// The number of characters of a UTF-8 text.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string wrapped_line(const std::string& line) {
  constexpr std::size_t kColumns = 100;
  const std::string indent = line.starts_with("- ") ? "  " : "";
  std::string text;
  std::size_t column = 0;
  std::istringstream words(line);
  for (std::string word; std::getline(words, word, ' ');) {
    const bool breaks = !text.empty() && column + 1 + width(word) > kColumns;
    if (breaks) column = 0;
    text += breaks ? "\n" + indent + word : (text.empty() ? "" : " ") + word;
    column += width(word) + (breaks ? indent.size() : 1);
  }
  return text;
}

}  // namespace

std::string wrapped(const std::string& text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool is_prose = !line.empty() && std::string_view("|#! <").find(line[0]) == line.npos;
    result += (is_prose ? wrapped_line(line) : line) + "\n";
  }
  return result;
}

std::string TextTable::markdown() const {
  std::string text = line(header, "| ", " | ", " |");
  text += line(std::vector<std::string>(header.size(), "---"), "|", "|", "|");
  for (const auto& row : rows) text += line(row, "| ", " | ", " |");
  return text;
}

std::string TextTable::csv() const {
  std::string text = line(header, "", ",", "");
  for (const auto& row : rows) text += line(row, "", ",", "");
  return text;
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  tools::OutputFile file(path);
  file.stream() << text;
  file.commit();
}

}  // namespace bisector::paper
