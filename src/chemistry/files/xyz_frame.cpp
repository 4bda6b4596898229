#include "chemistry/files/xyz_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "bisector/error.h"
#include "io/text/cells.h"
#include "io/text/text_lines.h"

namespace bisector::chemistry {

using namespace io;

namespace {

// The fifteen properties behind "gdb <number>", in QM9's order.
constexpr std::array<std::string_view, 15> kQm9Properties = {
    "A", "B", "C", "mu", "alpha", "homo", "lumo", "gap", "r2", "zpve", "U0", "U", "H", "G", "Cv"};

/// A number as C, Fortran and Mathematica ("1.5*^-6") write it; nothing where it is none, or one
/// that no coordinate can be.
std::optional<double> xyz_number(std::string_view word) {
  std::optional<double> value;
  if (const std::size_t caret = word.find("*^"); caret != std::string_view::npos)
    value = cell_number(fmt::format("{}e{}", word.substr(0, caret), word.substr(caret + 2)));
  else
    value = cell_number(word);
  return value && is_usable(*value) ? value : std::nullopt;
}

/// The frame that is being read, for messages.
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
  return line.find_first_not_of(" \t") == std::string_view::npos;
}

std::size_t read_count(Frame& frame, std::size_t most_atoms) {
  std::string_view rest = frame.lines().text();
  const auto count = parse_integer<std::size_t>(next_word(rest));
  if (!count || !is_blank_line(rest)) {
    const std::string hint =
        frame.number() == 1
            ? ""
            : fmt::format("; does frame {} have more atoms than it says?", frame.number() - 1);
    frame.fail(
        fmt::format("{}, expected the number of atoms{}", shown(frame.lines().text()), hint));
  }
  if (*count == 0 || *count > most_atoms)
    frame.fail(fmt::format("{} atoms, expected 1 to {} (limit atoms)", *count, most_atoms));
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
      frame.fail(fmt::format("{} is {}, expected a number: QM9 has fifteen behind its \"gdb\"",
                             name, word.empty() ? "missing" : shown(word)));
    molecule.properties.emplace(name, *value);
  }
}

/// Takes the next word off `rest`; blanks inside quotation marks belong to it.
std::string_view next_comment_word(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  std::size_t end = 0;
  bool is_quoted = false;
  while (end < rest.size() && (is_quoted || (rest[end] != ' ' && rest[end] != '\t'))) {
    if (rest[end] == '"') is_quoted = !is_quoted;
    ++end;
  }
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(end);
  return word;
}

/// Extended XYZ says here what the columns are; we read those that every XYZ has.
void require_usual_columns(const Frame& frame, std::string_view columns) {
  if (!columns.starts_with("species:S:1:pos:R:3"))
    frame.fail(fmt::format("Properties is {}, expected species:S:1:pos:R:3 first", shown(columns)));
}

void read_comment(Frame& frame, Molecule& molecule) {
  std::string_view rest = frame.lines().text();
  std::size_t position = 1;
  for (auto word = next_comment_word(rest); !word.empty(); word = next_comment_word(rest)) {
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
    fail(fmt::format("{} is no element, expected a symbol such as C or Cl", shown(symbol)));
  Atom atom{number ? *number : *by_number, {}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string_view word = next_word(rest);
    const auto value = xyz_number(word);
    if (!value)
      fail(fmt::format("{} is {}, expected a number", "xyz"[axis],
                       word.empty() ? "missing" : shown(word)));
    atom.position[axis] = *value;
  }
  return atom;
}

/// QM9 closes a file with the frequencies, the SMILES and the InChI texts.
void skip_qm9_tail(Frame& frame, std::size_t atoms) {
  if (!frame.lines().next()) return;
  std::string_view rest = frame.lines().text();
  for (auto word = next_word(rest); !word.empty(); word = next_word(rest)) {
    if (!xyz_number(word))
      frame.fail(
          fmt::format("{} behind atom {}, expected the frequencies as numbers; is the atom "
                      "count too small?",
                      shown(word), atoms));
  }
  for (int line = 0; line < 2; ++line) frame.lines().next();
}

}  // namespace

std::optional<Molecule> read_xyz_frame(XyzLines& lines, std::size_t number,
                                       std::size_t most_atoms) {
  do {
    if (!lines.next()) return std::nullopt;
  } while (is_blank_line(lines.text()));
  Frame frame(lines, number);
  const std::size_t count = read_count(frame, most_atoms);
  if (!lines.next()) frame.fail("the text ends before the comment line");
  Molecule molecule;
  molecule.place = frame.place();
  const bool has_tail = is_qm9(lines.text());
  if (has_tail)
    read_qm9_comment(frame, molecule);
  else
    read_comment(frame, molecule);
  for (std::size_t n = 0; n < count; ++n) {
    if (!lines.next()) frame.fail(fmt::format("the text ends behind {} of {} atoms", n, count));
    molecule.atoms.push_back(read_atom(frame, n, count));
  }
  if (has_tail) skip_qm9_tail(frame, count);
  return molecule;
}

}  // namespace bisector::chemistry
