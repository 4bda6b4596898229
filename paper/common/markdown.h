// Tables as Markdown and as CSV.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bisector::paper {

struct TextTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;

  std::string markdown() const;
  std::string csv() const;
};

/// The Markdown text with paragraphs and list items wrapped at 100 columns.
std::string wrapped(const std::string& text);

/// Writes the file completely or not at all.
void write_file(const std::filesystem::path& path, const std::string& text);

}  // namespace bisector::paper
