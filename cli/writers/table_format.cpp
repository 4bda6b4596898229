#include "cli/writers/table_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/verb.h"

namespace bisector::cli {
namespace {

std::string extension_of(TableFormat format) {
  switch (format) {
    case TableFormat::csv:
      return ".csv";
    case TableFormat::json:
      return ".json";
    case TableFormat::npy:
      return ".npy";
  }
  return "";
}

}  // namespace

TableFormat table_format(const std::filesystem::path& output,
                         const std::vector<TableFormat>& allowed) {
  if (output.empty() || output == "-") return TableFormat::csv;
  std::string extension = output.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::vector<std::string> expected;
  for (const TableFormat format : allowed) {
    if (extension_of(format) == extension) return format;
    expected.push_back(extension_of(format));
  }
  throw UsageError(fmt::format("the output {} has no known extension, expected {}", output.string(),
                               fmt::join(expected, " or ")));
}

std::string csv_cell(const std::string& text) {
  // Blanks at an end are kept by quotes, too: some readers trim them.
  const bool needs_quotes = text.find_first_of(",\"\n\r;\t") != std::string::npos || text.empty() ||
                            text.front() == ' ' || text.back() == ' ';
  if (!needs_quotes) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

}  // namespace bisector::cli
