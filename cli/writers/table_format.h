// The forms in which tables of rows are written, chosen by --format or the name of the output file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace bisector::cli {

enum class TableFormat { csv, json, jsonl, npy };
constexpr std::string_view name(TableFormat value) {
  switch (value) {
    case TableFormat::csv:
      return "csv";
    case TableFormat::json:
      return "json";
    case TableFormat::jsonl:
      return "jsonl";
    case TableFormat::npy:
      return "npy";
  }
  return {};
}

/// JSON in one of its two forms.
inline bool is_json(TableFormat format) {
  return format == TableFormat::json || format == TableFormat::jsonl;
}

/// The one that was `given`, else by the file's extension, and CSV for standard output. Throws
/// UsageError, listing all formats, for any other extension.
TableFormat table_format(const std::filesystem::path& output, std::optional<TableFormat> given);

/// Throws UsageError if a format was given beside --text, or the output has its extension.
void require_text(const std::filesystem::path& output, std::optional<TableFormat> given);

/// A cell of CSV, in quotes where it needs them.
std::string csv_cell(const std::string& text);

}  // namespace bisector::cli
