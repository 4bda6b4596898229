#include "bisector/io/data_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "bisector/error.h"
#include "bisector/io/byte_source.h"
#include "io/arrays/array_reader.h"
#include "io/arrays/npz_reader.h"
#include "io/arrays/zip_archive.h"
#include "io/common/input_file.h"
#include "io/common/memory_source.h"
#include "io/libsvm/libsvm_data.h"
#include "io/recognize.h"
#include "io/text/text_formats.h"
#include "io/text/text_input.h"
#include "io/text/utf8.h"

namespace bisector {

using namespace io;

namespace {

using Kind = DataFormat::Kind;

/// Refuses options that the file's format does not have.
void require_fitting_options(const std::string& source, const DataFormat& format, Kind kind) {
  constexpr std::string_view kAllowed(",;\t| \0", 6);
  if (kAllowed.find(format.delimiter) == std::string_view::npos)
    throw InvalidInput(fmt::format(
        "the delimiter is '{}', expected ',', ';', '|', a tab or a blank", format.delimiter));
  const bool has_csv_options =
      format.delimiter != '\0' || format.header != DataFormat::Header::automatic;
  if (has_csv_options && kind != Kind::csv)
    throw InvalidInput(fmt::format("{} is not CSV: no delimiter or header to choose", source));
  for (const std::string& array : {format.array, format.target_array}) {
    if (!array.empty() && kind != Kind::npz)
      throw InvalidInput(
          fmt::format("{} is not an NPZ file: no array \"{}\" to choose", source, array));
  }
}

/// The rest of the text in memory, for readers that go over it twice.
TextInput in_memory(TextInput& input) {
  const std::string source = input.source();
  return TextInput(std::make_unique<MemorySource>(source, input.take_rest()));
}

/// UTF-16, as some spreadsheets write it, becomes UTF-8.
TextInput decoded(TextInput input) {
  const std::string_view head = input.head(2);
  if (head != "\xFF\xFE" && head != "\xFE\xFF") return input;
  const std::string source = input.source();
  auto text = utf8_from_utf16(input.take_rest());
  if (!text) throw FormatError(source, 0, "not valid UTF-16");
  return TextInput(std::make_unique<MemorySource>(source, *std::move(text)));
}

std::unique_ptr<DataReader> open_text(TextInput input, const DataFormat& format, Kind kind,
                                      bool is_pipe) {
  if (kind == Kind::arff) return open_arff(std::move(input));
  if (kind == Kind::json) return open_json(std::move(input));
  if (kind == Kind::libsvm)
    return open_libsvm(is_pipe ? in_memory(input) : std::move(input), format.limits);
  return open_csv(std::move(input), format, is_pipe);
}

/// Arrays and columns are read by their position in the file, so it must not be compressed.
void require_unpacked(const std::filesystem::path& path, std::string_view mark) {
  InputFile file(path);
  std::string head(mark.size(), '\0');
  const std::size_t got = file.read(head);
  if (head.substr(0, got) != mark)
    throw FormatError(
        file.source(), 0,
        "a compressed NPY, NPZ, Parquet or Arrow file: decompress it, for example with "
        "gunzip -c");
}

/// The limit holds for every format.
void require_within_limits(const DataReader& reader, const std::string& source,
                           const Limits& limits) {
  const std::size_t features = reader.columns() - (reader.target() ? 1 : 0);
  if (features > limits.max_features)
    throw FormatError(source, 0,
                      fmt::format("{} columns, expected at most {} (limit features)", features,
                                  limits.max_features));
}

std::unique_ptr<DataReader> open_with_columnar(const std::filesystem::path& path,
                                               const DataFormat& format, TextInput& input) {
  if (format.open_columnar != nullptr) return format.open_columnar(path, format);
  throw FormatError(
      path.string(), 0,
      fmt::format("{} file, which this build does not read: pip install bisector pyarrow, and run "
                  "`python -m bisector`, or write it as CSV (to_csv(..., index=False) in pandas)",
                  input.head(4) == "PAR1" ? "a Parquet" : "an Arrow"));
}

bool is_text(Kind kind) {
  return kind == Kind::csv || kind == Kind::json || kind == Kind::libsvm || kind == Kind::arff;
}

/// The only file in a zip archive, in memory.
TextInput only_entry(const ZipArchive& archive, const Limits& limits) {
  std::vector<std::string> files;
  for (const std::string& name : archive.names()) {
    if (!name.ends_with('/') && !name.starts_with("__MACOSX/")) files.push_back(name);
  }
  if (archive.has("xl/workbook.xml"))
    throw FormatError(
        archive.source(), 0,
        fmt::format("an Excel workbook: save it as CSV UTF-8 in Excel, or type python3 -c \"import "
                    "openpyxl, csv, sys; csv.writer(sys.stdout).writerows(openpyxl.load_workbook("
                    "'{}', data_only=True).active.values)\" > table.csv",
                    archive.source()));
  if (files.size() != 1)
    throw FormatError(
        archive.source(), 0,
        fmt::format("a zip archive with {} files, expected one table: take one out with "
                    "unzip -p {} {}",
                    files.size(), archive.source(), files.empty() ? "FILE" : files[0]));
  ZipEntry entry = archive.open(files[0]);
  if (!limits.allow_unpacking(entry.packed_size(), entry.size()))
    throw FormatError(
        archive.source(), 0,
        fmt::format("{} would become {} bytes (limit expansion)", files[0], entry.size()));
  std::string text(entry.size(), '\0');
  entry.read_exactly(text);
  return TextInput(std::make_unique<MemorySource>(archive.source(), std::move(text)),
                   limits.max_row_bytes);
}

std::unique_ptr<DataReader> open_recognized(TextInput input, const std::filesystem::path& path,
                                            const DataFormat& format) {
  const Kind kind = format.kind == Kind::automatic ? recognize(input, path) : format.kind;
  if (!is_text(kind))
    throw FormatError(input.source(), 0,
                      "a zip archive with a file that is not text: unpack it first");
  require_fitting_options(input.source(), format, kind);
  return open_text(std::move(input), format, kind, false);
}

std::unique_ptr<DataReader> open_zip(const std::filesystem::path& path, const DataFormat& format) {
  const ZipArchive archive(path);
  const bool has_arrays =
      archive.names().empty() || std::ranges::any_of(archive.names(), [](const std::string& name) {
        return name.ends_with(".npy");
      });
  if (!has_arrays)
    return open_recognized(decoded(only_entry(archive, format.limits)), path.stem(), format);
  require_fitting_options(path.string(), format, Kind::npz);
  return open_npz(path, format);
}

std::unique_ptr<DataReader> open_any(const std::filesystem::path& path, const DataFormat& format) {
  const bool is_stdin = path == "-";
  TextInput input =
      decoded(TextInput(open_bytes(path, format.limits), format.limits.max_row_bytes));
  const Kind kind = format.kind == Kind::automatic ? recognize(input, path) : format.kind;
  if (is_stdin && !is_text(kind))
    throw InvalidInput("standard input must be text: CSV, JSON lines, LIBSVM or ARFF");
  if (!is_text(kind) && format.kind == Kind::automatic)
    require_unpacked(path, std::string(input.head(2)));
  if (kind == Kind::zip) return open_zip(path, format);
  require_fitting_options(input.source(), format, kind);
  if (kind == Kind::columnar) return open_with_columnar(path, format, input);
  if (kind == Kind::npy) return open_npy(InputFile(path));
  if (kind == Kind::npz) return open_npz(path, format);
  return open_text(std::move(input), format, kind, is_stdin);
}

}  // namespace

std::unique_ptr<DataReader> open_data(const std::filesystem::path& path, const DataFormat& format) {
  auto reader = open_any(path, format);
  require_within_limits(*reader, path.string(), format.limits);
  return reader;
}

std::unique_ptr<DataReader> open_converted(const std::filesystem::path& converted,
                                           const std::string& source, const Limits& limits) {
  InputFile file(converted);
  file.rewind();  // the same open file may have been read before
  return open_converted_csv(TextInput(std::move(file), limits.max_row_bytes), source,
                            "columns with names, by pyarrow");
}

// Readers allocate memory for the rows that they find, so the limit costs nothing.
DataChunk read_all(DataReader& reader) {
  return reader.read(std::numeric_limits<std::size_t>::max());
}

}  // namespace bisector
