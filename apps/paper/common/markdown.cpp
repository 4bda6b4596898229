#include "common/markdown.h"

#include "tools/output_file.h"

namespace bisector::paper {
namespace {

std::string line(const std::vector<std::string>& cells, const std::string& before,
                 const std::string& between, const std::string& after) {
  std::string text = before;
  for (std::size_t c = 0; c < cells.size(); ++c) text += (c == 0 ? "" : between) + cells[c];
  return text + after + "\n";
}

}  // namespace

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
