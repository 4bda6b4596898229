#include "bisector/io/data_reader.h"

#include <fmt/format.h>

#include <limits>
#include <numeric>
#include <utility>

#include "bisector/error.h"
#include "bisector/io/byte_source.h"
#include "io/arrays/array_reader.h"
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
  if (!format.array.empty() && kind != Kind::npz)
    throw InvalidInput(
        fmt::format("{} is not an NPZ file: no array \"{}\" to choose", source, format.array));
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
  if (kind == Kind::libsvm)
    return open_libsvm(is_pipe ? in_memory(input) : std::move(input), format.limits);
  return open_csv(std::move(input), format, is_pipe);
}

/// Arrays are read by their position in the file, so it must not be compressed.
void require_unpacked(const std::filesystem::path& path, std::string_view mark) {
  InputFile file(path);
  std::string head(mark.size(), '\0');
  const std::size_t got = file.read(head);
  if (head.substr(0, got) != mark)
    throw FormatError(file.source(), 0,
                      "a compressed NPY or NPZ file: decompress it, for example with gunzip -c");
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

bool is_text(Kind kind) { return kind == Kind::csv || kind == Kind::libsvm; }

std::unique_ptr<DataReader> open_any(const std::filesystem::path& path, const DataFormat& format) {
  const bool is_stdin = path == "-";
  TextInput input =
      decoded(TextInput(open_bytes(path, format.limits), format.limits.max_row_bytes));
  const Kind kind = format.kind == Kind::automatic ? recognize(input, path) : format.kind;
  if (is_stdin && !is_text(kind)) throw InvalidInput("standard input must be text: CSV or LIBSVM");
  if (!is_text(kind) && format.kind == Kind::automatic)
    require_unpacked(path, std::string(input.head(2)));
  require_fitting_options(input.source(), format, kind);
  if (kind == Kind::npy) return open_npy(InputFile(path));
  if (kind == Kind::npz) return open_npz(path, format);
  return open_text(std::move(input), format, kind, is_stdin);
}

}  // namespace

DataReader::DataReader(std::string source, Columns columns)
    : source_(std::move(source)), columns_(std::move(columns)) {}

void DataReader::select(ColumnSelection selection) {
  if (is_started_)
    throw InvalidInput(fmt::format("{}: columns must be selected before the first read", source_));
  for (const auto* const wanted : {&selection.numbers, &selection.text}) {
    for (const std::size_t column : *wanted) {
      if (column >= selectable())
        throw InvalidInput(fmt::format("{} has no column {}, expected at most {}", source_,
                                       column + 1, selectable()));
    }
  }
  selection_ = std::move(selection);
  is_selected_ = true;
}

const ColumnSelection& DataReader::start() {
  if (!is_started_ && !is_selected_) {
    selection_.numbers.resize(columns());
    std::iota(selection_.numbers.begin(), selection_.numbers.end(), std::size_t{0});
  }
  is_started_ = true;
  return selection_;
}

std::size_t DataReader::skip(std::size_t rows) {
  constexpr std::size_t kAtATime = 1024;
  std::size_t skipped = 0;
  while (skipped < rows) {
    const std::size_t count = read(std::min(rows - skipped, kAtATime)).rows();
    if (count == 0) break;
    skipped += count;
  }
  return skipped;
}

std::pair<std::filesystem::path, std::string> split_array(const std::filesystem::path& path) {
  constexpr std::string_view kMark = ".npz:";
  const std::string text = path.string();
  const std::size_t mark = text.rfind(kMark);
  std::error_code ignored;
  if (mark == std::string::npos || std::filesystem::exists(path, ignored)) return {path, ""};
  return {text.substr(0, mark + kMark.size() - 1), text.substr(mark + kMark.size())};
}

std::unique_ptr<DataReader> open_data(const std::filesystem::path& path, const DataFormat& format) {
  const auto [file, array] = split_array(path);
  DataFormat own = format;
  if (!array.empty()) own.array = array;
  auto reader = open_any(file, own);
  require_within_limits(*reader, path.string(), format.limits);
  return reader;
}

// Readers allocate memory for the rows that they find, so the limit costs nothing.
DataChunk read_all(DataReader& reader) {
  return reader.read(std::numeric_limits<std::size_t>::max());
}

}  // namespace bisector
