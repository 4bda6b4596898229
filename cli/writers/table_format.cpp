#include "cli/writers/table_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "bisector/enum_names.h"
#include "cli/verb.h"
#include "tools/output_file.h"

namespace bisector::cli {

TableFormat table_format(const std::filesystem::path& output, std::optional<TableFormat> given) {
  if (given) return *given;
  if (tools::is_standard_output(output)) return TableFormat::csv;
  std::string extension = output.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::vector<std::string> expected;
  for (const TableFormat format : enum_values<TableFormat>()) {
    expected.push_back('.' + std::string(name(format)));
    if (expected.back() == extension) return format;
  }
  throw UsageError(fmt::format("the output {} has no known extension, expected {}, or --format",
                               output.string(), fmt::join(expected, " or ")));
}

void require_text(const std::filesystem::path& output, std::optional<TableFormat> given) {
  if (given) throw UsageError("--text and --format exclude each other; use one of them");
  for (const TableFormat format : enum_values<TableFormat>()) {
    if (output.extension() == '.' + std::string(name(format)))
      throw UsageError(
          fmt::format("--text writes text for people, but the output is {}; use -o FILE.txt, or "
                      "leave --text out",
                      output.string()));
  }
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
