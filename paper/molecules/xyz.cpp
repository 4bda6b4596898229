#include "molecules/xyz.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "bisector/error.h"
#include "bisector/io/byte_source.h"
#include "bisector/table_encoding.h"
#include "bisector/text.h"

namespace bisector::molecules {

namespace {

// The fifteen properties that follow "gdb <number>", in the order of QM9.
constexpr std::array<std::string_view, 15> kQm9Properties = {
    "A", "B", "C", "mu", "alpha", "homo", "lumo", "gap", "r2", "zpve", "U0", "U", "H", "G", "Cv"};

constexpr double kLargestNumber = 1e100;  // models accept no larger coordinates
constexpr std::string_view kBlanks = " \t";

/// Quotes the beginning of a text for an error message.
std::string quoted(std::string_view text) {
  return fmt::format("\"{}\"", printable(std::string(text.substr(0, 40))));
}

/// Takes the next word off `rest`. Blanks inside quotation marks belong to the word.
std::string_view next_word(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
  std::size_t end = 0;
  bool is_quoted = false;
  while (end < rest.size() && (is_quoted || kBlanks.find(rest[end]) == std::string_view::npos)) {
    if (rest[end] == '"') is_quoted = !is_quoted;
    ++end;
  }
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(end);
  return word;
}

template <class Integer>
std::optional<Integer> parse_integer(std::string_view word) {
  Integer value{};
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

/// Parses a number as C, Fortran and Mathematica ("1.5*^-6") write it. Nothing for other text and
/// for numbers that are too large for a coordinate.
std::optional<double> xyz_number(std::string_view word) {
  std::string text(word);
  if (const std::size_t caret = word.find("*^"); caret != std::string_view::npos)
    text.replace(caret, 2, "e");
  const auto value = parse_number(text);
  return value && std::abs(*value) <= kLargestNumber ? value : std::nullopt;
}

/// No line of a frame is longer than this many bytes.
constexpr std::size_t kLongestLine = std::size_t{1} << 20;

/// Lines of text, with their numbers.
class XyzLines {
 public:
  explicit XyzLines(ByteSource& bytes) : bytes_(bytes), buffer_(std::size_t{1} << 14) {}

  const std::string& source() const { return bytes_.source(); }
  /// Moves to the next line; false after the last. Throws FormatError for a line above the limit.
  bool next() {
    text_.clear();
    bool is_there = false;
    while (begin_ < end_ || fill()) {
      if (!std::exchange(is_there, true)) ++number_;
      const char* const from = buffer_.data() + begin_;
      const void* const found = std::memchr(from, '\n', end_ - begin_);
      const std::size_t length =
          found == nullptr ? end_ - begin_
                           : static_cast<std::size_t>(static_cast<const char*>(found) - from);
      if (text_.size() + length > kLongestLine)
        throw FormatError(source(), number_,
                          fmt::format("a line of more than {} KiB, expected a molecule as XYZ text",
                                      kLongestLine >> 10));
      text_.append(from, length);
      begin_ += length + (found == nullptr ? 0 : 1);
      if (found != nullptr) break;
    }
    if (text_.ends_with('\r')) text_.pop_back();
    return is_there;
  }
  /// The current line without its line ending.
  std::string_view text() const { return text_; }
  /// The number of the current line, from 1.
  std::size_t number() const { return number_; }

 private:
  bool fill() {
    begin_ = 0;
    end_ = bytes_.read(buffer_);
    return end_ > 0;
  }

  ByteSource& bytes_;
  std::vector<char> buffer_;
  std::string text_;
  std::size_t begin_ = 0, end_ = 0, number_ = 0;
};

/// The frame that is being read; it knows its place for error messages.
class Frame {
 public:
  Frame(XyzLines& lines, std::size_t number) : lines_(lines), number_(number) {}

  XyzLines& lines() { return lines_; }
  std::size_t number() const { return number_; }
  std::string place() const {
    return fmt::format("{}:{}: frame {}", lines_.source(), lines_.number(), number_);
  }
  [[noreturn]] void fail(const std::string& problem) const {
    throw FormatError(lines_.source(), lines_.number(),
                      fmt::format("frame {}: {}", number_, problem));
  }

 private:
  XyzLines& lines_;
  std::size_t number_;
};

bool is_blank_line(std::string_view line) {
  return line.find_first_not_of(kBlanks) == std::string_view::npos;
}

std::size_t read_count(Frame& frame) {
  std::string_view rest = frame.lines().text();
  const auto count = parse_integer<std::size_t>(next_word(rest));
  if (!count || !is_blank_line(rest)) {
    const std::string hint =
        frame.number() == 1
            ? ""
            : fmt::format("; does frame {} have more atoms than it says?", frame.number() - 1);
    frame.fail(
        fmt::format("{}, expected the number of atoms{}", quoted(frame.lines().text()), hint));
  }
  if (*count == 0 || *count > kMaxAtoms)
    frame.fail(fmt::format("{} atoms, expected 1 to {}", *count, kMaxAtoms));
  return *count;
}

bool is_qm9(std::string_view comment) { return next_word(comment) == "gdb"; }

void read_qm9_comment(Frame& frame, Molecule& molecule) {
  std::string_view rest = frame.lines().text();
  next_word(rest);
  molecule.name = fmt::format("gdb_{}", next_word(rest));
  for (const std::string_view name : kQm9Properties) {
    const std::string_view word = next_word(rest);
    const auto value = xyz_number(word);
    if (!value)
      frame.fail(fmt::format("{} is {}, expected a number: QM9 has 15 of them after \"gdb\"", name,
                             word.empty() ? "missing" : quoted(word)));
    molecule.properties.emplace(name, *value);
  }
}

/// Extended XYZ names its columns here; the reader takes those that every XYZ file has.
void require_usual_columns(const Frame& frame, std::string_view columns) {
  if (!columns.starts_with("species:S:1:pos:R:3"))
    frame.fail(
        fmt::format("Properties is {}, expected species:S:1:pos:R:3 first", quoted(columns)));
}

void read_comment(Frame& frame, Molecule& molecule) {
  std::string_view rest = frame.lines().text();
  std::size_t position = 1;
  for (auto word = next_word(rest); !word.empty(); word = next_word(rest)) {
    const std::size_t equals = word.find('=');
    const bool has_key = equals != std::string_view::npos && equals > 0 && !word.starts_with('"');
    std::string_view value = has_key ? word.substr(equals + 1) : word;
    if (value.size() > 1 && value.starts_with('"') && value.ends_with('"'))
      value = value.substr(1, value.size() - 2);
    const std::string key =
        has_key ? std::string(word.substr(0, equals)) : fmt::format("{}", position);
    if (key == "Properties") require_usual_columns(frame, value);
    if (const auto number = xyz_number(value))
      molecule.properties.insert_or_assign(key, *number);
    else if (!has_key && position == 1)
      molecule.name = value;
    ++position;
  }
}

Atom read_atom(Frame& frame, std::size_t index, std::size_t count) {
  std::string_view rest = frame.lines().text();
  const std::string_view symbol = next_word(rest);
  const auto number = element_number(symbol);
  const auto by_number = parse_integer<int>(symbol);
  const auto fail = [&](const std::string& problem) {
    frame.fail(fmt::format("atom {} of {}: {}", index + 1, count, problem));
  };
  if (is_blank_line(frame.lines().text()) || (by_number && is_blank_line(rest)))
    fail("the atom is missing; is the atom count too large?");
  if (!number && (!by_number || *by_number < 1 || *by_number > 118))
    fail(fmt::format("{} is not an element, expected a symbol such as C or Cl", quoted(symbol)));
  Atom atom{number ? *number : *by_number, {}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string_view word = next_word(rest);
    const auto value = xyz_number(word);
    if (!value)
      fail(fmt::format("{} is {}, expected a number", "xyz"[axis],
                       word.empty() ? "missing" : quoted(word)));
    atom.position[axis] = *value;
  }
  return atom;
}

/// A QM9 file ends with a line each of frequencies, SMILES and InChI texts.
void skip_qm9_tail(Frame& frame, std::size_t atoms) {
  if (!frame.lines().next()) return;
  std::string_view rest = frame.lines().text();
  for (auto word = next_word(rest); !word.empty(); word = next_word(rest)) {
    if (!xyz_number(word))
      frame.fail(
          fmt::format("{} after atom {}, expected the frequencies as numbers; is the atom "
                      "count too small?",
                      quoted(word), atoms));
  }
  for (int line = 0; line < 2; ++line) frame.lines().next();
}

/// The next frame, which is frame `number` of its file; nothing if only blank lines are left.
std::optional<Molecule> read_frame(XyzLines& lines, std::size_t number) {
  do {
    if (!lines.next()) return std::nullopt;
  } while (is_blank_line(lines.text()));
  Frame frame(lines, number);
  const std::size_t count = read_count(frame);
  if (!lines.next()) frame.fail("the text ends before the comment line");
  Molecule molecule;
  molecule.place = frame.place();
  const bool has_tail = is_qm9(lines.text());
  if (has_tail)
    read_qm9_comment(frame, molecule);
  else
    read_comment(frame, molecule);
  for (std::size_t n = 0; n < count; ++n) {
    if (!lines.next()) frame.fail(fmt::format("the text ends after {} of {} atoms", n, count));
    molecule.atoms.push_back(read_atom(frame, n, count));
  }
  if (has_tail) skip_qm9_tail(frame, count);
  return molecule;
}

}  // namespace

std::vector<Molecule> read_molecules(const std::filesystem::path& path, const Limits& limits) {
  const std::unique_ptr<ByteSource> bytes = open_bytes(path, limits);
  XyzLines lines(*bytes);
  std::vector<Molecule> molecules;
  while (auto molecule = read_frame(lines, molecules.size() + 1))
    molecules.push_back(std::move(*molecule));
  if (molecules.empty()) throw FormatError(path.string(), 0, "no molecule, expected XYZ frames");
  return molecules;
}

}  // namespace bisector::molecules
