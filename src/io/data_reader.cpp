#include "bisector/io/data_reader.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "bisector/error.h"
#include "io/arrays/array_reader.h"
#include "io/arrays/npz_reader.h"
#include "io/common/input_file.h"
#include "io/libsvm/libsvm_data.h"
#include "io/recognize.h"
#include "io/text/arff.h"
#include "io/text/csv.h"
#include "io/text/text_input.h"

namespace bisector {

using namespace io;

namespace {

using Kind = DataFormat::Kind;

/// An option that the file's format does not have would be ignored; better to say so.
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

std::unique_ptr<DataReader> open_text(TextInput input, const DataFormat& format, Kind kind,
                                      bool is_pipe) {
  if (kind == Kind::arff) return open_arff(std::move(input));
  if (kind == Kind::libsvm) return open_libsvm(std::move(input), format.limits);
  return open_csv(std::move(input), format, is_pipe);
}

/// Arrays and columns are read from places in the file, which a packed one does not have.
void require_unpacked(const std::filesystem::path& path, std::string_view mark) {
  InputFile file(path);
  std::string head(mark.size(), '\0');
  const std::size_t got = file.read(head);
  if (head.substr(0, got) != mark)
    throw FormatError(file.source(), 0,
                      "packed a second time, expected the NPY, NPZ, Parquet or Arrow file in it");
}

/// Whatever the format: a limit that was lowered counts for every file.
void require_within_limits(const DataReader& reader, const std::string& source,
                           const Limits& limits) {
  const std::size_t features = reader.columns() - (reader.target() ? 1 : 0);
  if (features > limits.max_features)
    throw FormatError(source, 0,
                      fmt::format("{} columns, expected at most {} (limit features)", features,
                                  limits.max_features));
}

std::unique_ptr<DataReader> open_lent(const std::filesystem::path& path, const DataFormat& format,
                                      TextInput& input) {
  if (format.open_columnar != nullptr) return format.open_columnar(path, format);
  throw FormatError(
      path.string(), 0,
      fmt::format("{} file, which this build does not read: pip install bisector pyarrow, and run "
                  "`python -m bisector`, or write it as CSV (to_csv(..., index=False) in pandas)",
                  input.head(4) == "PAR1" ? "a Parquet" : "an Arrow"));
}

std::unique_ptr<DataReader> open_any(const std::filesystem::path& path, const DataFormat& format) {
  const bool is_stdin = path == "-";
  if (is_stdin && format.kind != Kind::automatic && format.kind != Kind::csv)
    throw InvalidInput("standard input is read as CSV only");
  TextInput input(open_bytes(path, format.limits), format.limits.max_row_bytes);
  Kind kind = format.kind;
  if (kind == Kind::automatic) kind = is_stdin ? Kind::csv : recognize(input, path);
  require_fitting_options(input.source(), format, kind);
  const bool is_text = kind != Kind::npy && kind != Kind::npz && kind != Kind::columnar;
  if (!is_text && format.kind == Kind::automatic)
    require_unpacked(path, std::string(input.head(2)));
  if (kind == Kind::columnar) return open_lent(path, format, input);
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
  return open_converted_csv(TextInput(std::move(file), limits.max_row_bytes), source);
}

// Readers take memory for the rows that come, so "all" needs no number.
DataChunk read_all(DataReader& reader) {
  return reader.read(std::numeric_limits<std::size_t>::max());
}

}  // namespace bisector
