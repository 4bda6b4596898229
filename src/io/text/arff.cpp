#include "io/text/text_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "bisector/error.h"
#include "core/util/ascii.h"
#include "io/text/cells.h"
#include "io/text/table_reader.h"

namespace bisector::io {
namespace {

bool is_quote(char c) { return c == '\'' || c == '"'; }

/// The character that an escape sequence represents.
char unescaped(char c) {
  constexpr std::array kEscapes{std::pair{'n', '\n'}, std::pair{'r', '\r'}, std::pair{'t', '\t'}};
  for (const auto& [letter, meaning] : kEscapes) {
    if (c == letter) return meaning;
  }
  return c;
}

/// Takes the quoted text off the front of `rest` and unescapes it in place; nothing if the quote is
/// not closed.
std::optional<std::string_view> take_quoted(std::span<char>& rest) {
  const char quote = rest[0];
  std::size_t length = 0;
  for (std::size_t at = 1; at < rest.size(); ++at) {
    if (rest[at] == quote) {
      const std::string_view text(rest.data(), length);
      rest = rest.subspan(at + 1);
      return text;
    }
    const bool is_escaped = rest[at] == '\\' && at + 1 < rest.size();
    if (is_escaped) ++at;
    rest[length++] = is_escaped ? unescaped(rest[at]) : rest[at];
  }
  return std::nullopt;
}

/// Takes everything before one of `ends` off the front of `rest`.
std::string_view take_until(std::span<char>& rest, std::string_view ends) {
  const std::string_view text(rest.data(), rest.size());
  const std::size_t length = std::min(text.find_first_of(ends), text.size());
  rest = rest.subspan(length);
  return text.substr(0, length);
}

void skip_blanks(std::span<char>& rest) {
  while (!rest.empty() && is_blank(rest[0])) rest = rest.subspan(1);
}

/// The lines that are neither blank nor comments, without surrounding blanks.
class ArffLines {
 public:
  explicit ArffLines(TextInput input) : lines_(std::move(input)) {}

  /// The next line, which may be changed; nothing at the end.
  std::optional<std::span<char>> next() {
    while (lines_.next()) {
      const std::string_view line = trimmed(lines_.text());
      if (!line.empty() && line[0] != '%') return lines_.writable(line);
    }
    return std::nullopt;
  }
  std::size_t number() const { return lines_.number(); }
  std::optional<double> fraction_read() const { return lines_.fraction_read(); }
  const std::string& source() const { return lines_.source(); }
  [[noreturn]] void fail(std::string_view problem) const {
    throw FormatError(source(), number(), problem);
  }

 private:
  InputLines lines_;
};

class ArffRecords : public Records {
 public:
  explicit ArffRecords(ArffLines lines) : lines_(std::move(lines)) {}

  std::optional<double> fraction_read() const override { return lines_.fraction_read(); }
  bool next() override {
    auto line = lines_.next();
    if (!line) return false;
    line_ = lines_.number();
    if (line->front() == '{')
      lines_.fail("sparse ARFF rows are not supported, expected dense rows");
    split(*line);
    return true;
  }

 private:
  void split(std::span<char> rest) {
    cells_.clear();
    while (true) {
      skip_blanks(rest);
      cells_.push_back(take_cell(rest));
      // As in Weka, a comment may follow the last cell.
      if (rest.empty() || rest[0] == '%') return;
      rest = rest.subspan(1);
    }
  }

  std::string_view take_cell(std::span<char>& rest) {
    if (rest.empty() || !is_quote(rest[0])) return trimmed(take_until(rest, ",%"));
    const auto text = take_quoted(rest);
    if (!text) lines_.fail("a quote is not closed: delete it, or add the closing quote");
    skip_blanks(rest);
    if (!rest.empty() && rest[0] != ',' && rest[0] != '%')
      lines_.fail(fmt::format("{} after a closing quote, expected a comma",
                              shown({rest.data(), rest.size()})));
    return *text;
  }

  ArffLines lines_;
};

/// Checks the type of an attribute; a nominal type begins with a brace.
void require_known_type(const ArffLines& lines, std::string_view name, std::string_view type) {
  constexpr std::array<std::string_view, 5> kTypes{"numeric", "real", "integer", "string", "date"};
  const std::string_view word = type.substr(0, type.find_first_of(kBlanks));
  if (type.starts_with('{')) return;
  for (const auto known : kTypes) {
    if (util::equals_ignoring_case(word, known)) return;
  }
  lines.fail(
      fmt::format("attribute {} has the type {}, expected numeric, real, integer, string, "
                  "date or {{values}}",
                  shown(name), shown(word)));
}

/// The values of "{a, 'b c', ...}" after the brace.
std::vector<std::string> nominal_levels(const ArffLines& lines, std::span<char> rest) {
  std::vector<std::string> levels;
  while (true) {
    skip_blanks(rest);
    if (rest.empty()) lines.fail("a list of values without its closing brace");
    if (rest[0] == '}') return levels;
    if (is_quote(rest[0])) {
      const auto text = take_quoted(rest);
      if (!text) lines.fail("a quote is not closed: delete it, or add the closing quote");
      levels.emplace_back(*text);
    } else {
      levels.emplace_back(trimmed(take_until(rest, ",}")));
    }
    skip_blanks(rest);
    if (!rest.empty() && rest[0] == ',') rest = rest.subspan(1);
  }
}

struct Attribute {
  std::string name;
  std::vector<std::string> levels;  // of a nominal type
};

/// "@attribute name type" after the keyword.
Attribute attribute_of(const ArffLines& lines, std::span<char> rest) {
  skip_blanks(rest);
  if (rest.empty()) lines.fail("an attribute without a name");
  std::optional<std::string_view> name;
  if (is_quote(rest[0]))
    name = take_quoted(rest);
  else
    name = take_until(rest, " \t{");
  if (!name) lines.fail("a quote is not closed: delete it, or add the closing quote");
  skip_blanks(rest);
  require_known_type(lines, *name, {rest.data(), rest.size()});
  Attribute attribute{std::string(*name), {}};
  if (!rest.empty() && rest[0] == '{') attribute.levels = nominal_levels(lines, rest.subspan(1));
  return attribute;
}

Columns read_attributes(ArffLines& lines) {
  Columns columns;
  columns.has_meaningful_names = true;
  while (auto line = lines.next()) {
    const std::string_view keyword = take_until(*line, kBlanks);
    if (util::equals_ignoring_case(keyword, "@attribute")) {
      Attribute attribute = attribute_of(lines, *line);
      columns.names.push_back(std::move(attribute.name));
      columns.levels.push_back(std::move(attribute.levels));
    } else if (util::equals_ignoring_case(keyword, "@data")) {
      columns.count = columns.names.size();
      if (columns.count == 0) lines.fail("@data before any @attribute");
      columns.reading.summary = "ARFF, names and types from its attributes";
      return columns;
    } else if (!util::equals_ignoring_case(keyword, "@relation")) {
      lines.fail(fmt::format("{}, expected @relation, @attribute or @data", shown(keyword)));
    }
  }
  throw FormatError(lines.source(), 0, "no @data, expected it after the attributes");
}

}  // namespace

std::unique_ptr<DataReader> open_arff(TextInput input) {
  const std::string source = input.source();
  ArffLines lines(std::move(input));
  Columns columns = read_attributes(lines);
  return std::make_unique<TableReader>(source, std::move(columns),
                                       std::make_unique<ArffRecords>(std::move(lines)), "?");
}

}  // namespace bisector::io
