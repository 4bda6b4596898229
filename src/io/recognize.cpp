#include "io/recognize.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "bisector/error.h"
#include "core/util/ascii.h"
#include "io/text/cells.h"

namespace bisector::io {
namespace {

using Kind = DataFormat::Kind;

constexpr std::size_t kHead = std::size_t{64} << 10;

enum class Answer { yes, no, undecided };

std::string_view head_of(TextInput& input) {
  const std::string_view head = input.head(kHead);
  // Cut after a word, because half a pair does not look like a pair.
  return head.size() < kHead ? head : head.substr(0, head.find_last_of(" \t\n"));
}

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return trimmed(without_line_end(line));
}

/// True if the first line that is no comment of ARFF begins with a keyword of its head.
bool is_arff(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = take_line(text);
    if (line.empty() || line.starts_with('%')) continue;
    const std::string word = util::lower_case(take_word(line));
    return word == "@relation" || word == "@attribute";
  }
  return false;
}

/// A number, or several separated by commas.
bool is_label(std::string_view word) {
  while (true) {
    const std::size_t comma = word.find(',');
    if (!cell_number(word.substr(0, comma))) return false;
    if (comma == std::string_view::npos) return true;
    word.remove_prefix(comma + 1);
  }
}

bool is_pair(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == 0 || colon == std::string_view::npos) return false;
  return std::ranges::all_of(word.substr(0, colon), util::is_digit) &&
         cell_number(word.substr(colon + 1)).has_value();
}

Answer is_libsvm_line(std::string_view line) {
  if (!is_label(take_word(line))) return Answer::no;
  // A single number is a label of a row of zeros, or a table with one column.
  if (line.empty()) return Answer::undecided;
  for (auto word = take_word(line); !word.empty(); word = take_word(line)) {
    if (!is_pair(word)) return Answer::no;
  }
  return Answer::yes;
}

Answer is_libsvm(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::string_view data = trimmed(line.substr(0, line.find('#')));
    if (data.empty()) continue;
    const Answer answer = is_libsvm_line(data);
    if (answer != Answer::undecided) return answer;
  }
  return Answer::undecided;
}

/// True for ASCII text in UTF-16: every second byte is zero, from `zeros_at` on.
bool is_utf16(std::string_view head, std::size_t zeros_at) {
  constexpr std::size_t kBytes = 32;
  if (head.size() < kBytes) return false;
  for (std::size_t i = 0; i < kBytes; ++i) {
    if ((head[i] == '\0') != (i % 2 == zeros_at)) return false;
  }
  return true;
}

bool is_json(std::string_view text) {
  const std::string_view line = take_line(text);
  const bool is_object = line.starts_with("{") && line.find(':') != std::string_view::npos;
  return is_object || (line.starts_with("[") && (line == "[" || line.find('{') < line.find(',')));
}

/// Formats that are read by way of CSV. `path`: "-" for standard input.
void refuse_convertible(std::string_view head, const std::string& source,
                        const std::filesystem::path& path) {
  const bool is_pipe = path == "-";
  const auto from = [&](const std::string& reader) {
    return fmt::format("duckdb -csv -c \"FROM {}('{}')\" | bisector ... -", reader,
                       is_pipe ? "/dev/stdin" : path.string());
  };
  if (head.starts_with("PAR1"))
    throw FormatError(source, 0,
                      fmt::format("a Parquet file, expected CSV: {}, or use "
                                  "bisector.explain_parquet in Python",
                                  from("read_parquet")));
  // A stream begins with the second mark.
  if (head.starts_with("ARROW1") || head.starts_with("\xFF\xFF\xFF\xFF") ||
      head.starts_with("FEA1"))
    throw FormatError(source, 0,
                      "an Arrow or Feather file, expected CSV: read it in Python, and use "
                      "bisector.Explainer there or to_csv(..., index=False) of pandas");
  if (is_json(head))
    throw FormatError(source, 0,
                      fmt::format("JSON, expected CSV: {}, or use bisector.Explainer in Python",
                                  from("read_json")));
  if (is_arff(head))
    throw FormatError(
        source, 0,
        fmt::format("an ARFF file, expected CSV: sed '1,/^@data/Id'{} | bisector ... - --header no",
                    is_pipe ? "" : " " + path.string()));
}

void refuse_other_files(std::string_view head, const std::string& source) {
  if (head.starts_with("\xD0\xCF\x11\xE0"))
    throw FormatError(source, 0, "an old Excel workbook (.xls): save it as CSV UTF-8 in Excel");
  if (is_utf16(head, 0) || is_utf16(head, 1))
    throw FormatError(source, 0,
                      fmt::format("UTF-16 text without a byte order mark: convert it, for example "
                                  "with iconv -f utf-16{} -t utf-8",
                                  is_utf16(head, 0) ? "be" : "le"));
  const std::string start = util::lower_case(trimmed(head.substr(0, 200)));
  if (start.starts_with("<!doctype") || start.starts_with("<html") || start.starts_with("<?xml"))
    throw FormatError(source, 0,
                      "an HTML or XML page, expected a table: open it in a browser or a "
                      "spreadsheet and save the table as CSV");
  const bool is_pdf = head.starts_with("%PDF");
  if (is_pdf || head.find('\0') != std::string_view::npos)
    throw FormatError(source, 0,
                      fmt::format("{}, expected CSV, LIBSVM, NPY or NPZ",
                                  is_pdf                            ? "a PDF document"
                                  : head.starts_with("\x89HDF\r\n") ? "an HDF5 file"
                                                                    : "a binary file"));
}

}  // namespace

Kind recognize(TextInput& input, const std::filesystem::path& path) {
  // The first line of a pipe is enough: more may not come until it was answered.
  const bool is_pipe = path == "-";
  const std::size_t line_end = is_pipe ? input.line_end() : 0;
  const std::string_view head = is_pipe ? input.pending_text().substr(0, line_end) : head_of(input);
  if (head.starts_with("\x93NUMPY")) return Kind::npy;
  if (head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06")) return Kind::npz;
  refuse_convertible(head, input.source(), path);
  refuse_other_files(head, input.source());

  const std::string extension = util::lower_case(path.extension().string());
  const Answer libsvm = is_libsvm(head);
  const bool is_named_libsvm = extension == ".svm" || extension == ".libsvm";
  if (libsvm == Answer::yes || (libsvm == Answer::undecided && is_named_libsvm))
    return Kind::libsvm;
  return Kind::csv;
}

}  // namespace bisector::io
