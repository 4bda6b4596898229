// Random tables, written in random dialects, read back as they were.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "io/data_testing.h"

namespace bisector {
namespace {

struct Dialect {
  char delimiter;
  const char* line_end;
  bool has_mark, has_header, quotes_everything, has_blank_lines, ends_with_line_end;
};

struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<double>> numbers;    // the first columns of each row
  std::vector<std::vector<std::string>> text;  // the last columns of each row
  std::size_t numeric_columns, text_columns;
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t end) { return random_() % end; }
  bool coin() { return below(2) == 0; }

  Dialect dialect() {
    return {",;\t"[below(3)], coin() ? "\n" : "\r\n", coin(), coin(), coin(), coin(), coin()};
  }

  double number() {
    switch (below(4)) {
      case 0:
        return static_cast<double>(below(2000)) - 1000;
      case 1:
        return 0.01 * static_cast<double>(below(100000));
      default: {
        const double value = std::bit_cast<double>(random_());
        return std::abs(value) <= 1e100 ? value : 0.5;
      }
    }
  }

  /// Anything, with a taste for what needs quotes.
  std::string text() {
    constexpr std::string_view kAlphabet = "ab \",;\t\n\r'?#%{}:\xC3\xA9";
    std::string result;
    const std::size_t length = below(8);
    for (std::size_t i = 0; i < length; ++i) result += kAlphabet[below(kAlphabet.size())];
    return result;
  }

  Table table() {
    Table table;
    table.numeric_columns = 1 + below(5);
    table.text_columns = below(4);
    for (std::size_t c = 0; c < table.numeric_columns + table.text_columns; ++c)
      table.names.push_back(fmt::format("n{}{}", c, text()));
    const std::size_t rows = below(30);
    for (std::size_t r = 0; r < rows; ++r) {
      table.numbers.emplace_back();
      table.text.emplace_back();
      for (std::size_t c = 0; c < table.numeric_columns; ++c)
        table.numbers.back().push_back(number());
      for (std::size_t c = 0; c < table.text_columns; ++c) table.text.back().push_back(text());
    }
    return table;
  }

  /// A cell as some program might write it.
  std::string cell(const std::string& content, const Dialect& dialect) {
    const bool needs_quotes = content.find_first_of("\",;\t\n\r") != std::string::npos ||
                              content.starts_with(' ') || content.ends_with(' ');
    if (!needs_quotes && !dialect.quotes_everything && below(5) != 0)
      return std::string(below(2), ' ') + content + std::string(below(2), ' ');
    std::string quoted = "\"";
    for (const char c : content) quoted.append(c == '"' ? 2 : 1, c);
    return quoted + "\"";
  }

  std::string line(const std::vector<std::string>& contents, const Dialect& dialect) {
    std::string result;
    if (dialect.has_blank_lines && below(4) == 0) result += dialect.line_end;
    for (std::size_t i = 0; i < contents.size(); ++i) {
      if (i > 0) result += dialect.delimiter;
      result += cell(contents[i], dialect);
    }
    return result + dialect.line_end;
  }

  std::string file(const Table& table, const Dialect& dialect) {
    std::string content = dialect.has_mark ? "\xEF\xBB\xBF" : "";
    if (dialect.has_header) content += line(table.names, dialect);
    for (std::size_t r = 0; r < table.numbers.size(); ++r) {
      std::vector<std::string> cells;
      for (const double value : table.numbers[r])
        cells.push_back(fmt::format("{}{}", coin() && value > 0 ? "+" : "", value));
      cells.insert(cells.end(), table.text[r].begin(), table.text[r].end());
      content += line(cells, dialect);
    }
    if (!dialect.ends_with_line_end && content.ends_with(dialect.line_end))
      content.erase(content.size() - std::string_view(dialect.line_end).size());
    return content;
  }

 private:
  std::mt19937_64 random_;
};

ColumnSelection selection_of(const Table& table) {
  ColumnSelection selection;
  for (std::size_t c = 0; c < table.numeric_columns; ++c) selection.numbers.push_back(c);
  for (std::size_t c = 0; c < table.text_columns; ++c)
    selection.text.push_back(table.numeric_columns + c);
  return selection;
}

void expect_equal(const DataChunk& chunk, const Table& table) {
  ASSERT_EQ(chunk.rows(), table.numbers.size());
  ASSERT_EQ(chunk.text.size(), table.text_columns);
  for (std::size_t r = 0; r < chunk.rows(); ++r) {
    for (std::size_t c = 0; c < table.numeric_columns; ++c)
      EXPECT_EQ(chunk.numbers(r, c), table.numbers[r][c]) << "row " << r << ", column " << c;
    for (std::size_t c = 0; c < table.text_columns; ++c)
      EXPECT_EQ(chunk.text[c][r], table.text[r][c]) << "row " << r << ", text " << c;
  }
}

// With one column only, the delimiter cannot be seen; it is given, like the header.
DataFormat format_of(const Dialect& dialect) {
  return {.kind = DataFormat::Kind::csv,
          .delimiter = dialect.delimiter,
          .header = dialect.has_header ? DataFormat::Header::yes : DataFormat::Header::no};
}

TEST(CsvProperty, TablesReadBackInEveryDialectAndChunkSize) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Generator generator(seed);
    const Dialect dialect = generator.dialect();
    const Table table = generator.table();
    if (table.numbers.empty() && !dialect.has_header) continue;
    const TempFile file("table.csv", generator.file(table, dialect));
    for (const std::size_t chunk_rows :
         {std::size_t{1}, std::size_t{2}, std::size_t{7}, table.numbers.size() + 1}) {
      const auto reader = open_data(file.path(), format_of(dialect));
      if (dialect.has_header) {
        EXPECT_EQ(reader->names(), table.names);
      }
      reader->select(selection_of(table));
      expect_equal(read_in_chunks(*reader, chunk_rows), table);
    }
    if (testing::Test::HasFailure()) break;
  }
}

// Names start with a letter and rows with a number, so that both can be detected.
TEST(CsvProperty, DelimiterAndHeaderAreDetected) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Generator generator(seed);
    Dialect dialect = generator.dialect();
    dialect.has_header = true;
    const Table table = generator.table();
    if (table.names.size() < 2) continue;
    const TempFile file("table.csv", generator.file(table, dialect));
    const auto reader = open_data(file.path());
    EXPECT_EQ(reader->names(), table.names);
    EXPECT_TRUE(reader->has_meaningful_names());
    reader->select(selection_of(table));
    expect_equal(read_all(*reader), table);
    if (testing::Test::HasFailure()) break;
  }
}

// Whatever the bytes are, the answer is rows or one of our errors.
TEST(CsvProperty, SurvivesAnything) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Generator generator(seed);
    std::string content;
    constexpr std::string_view kAlphabet = "1.,;\t\"\n\r \0e-:@{}%'\\x#\xFF";
    const std::size_t length = generator.below(60);
    for (std::size_t i = 0; i < length; ++i)
      content += kAlphabet[generator.below(kAlphabet.size())];
    const TempFile file("anything", content);
    for (const auto kind : {DataFormat::Kind::automatic, DataFormat::Kind::csv,
                            DataFormat::Kind::libsvm, DataFormat::Kind::npy}) {
      try {
        const auto reader = open_data(file.path(), {.kind = kind});
        read_in_chunks(*reader, 2);
      } catch (const InvalidInput&) {
      }
    }
  }
}

// A file of many blocks: rows that lie across a block's end are like all others.
TEST(CsvProperty, BlocksLeaveNoTrace) {
  Generator generator(7);
  std::string content = "a,b,t\n";
  std::vector<std::vector<double>> expected;
  std::vector<std::string> text;
  while (content.size() < (std::size_t{5} << 20)) {
    expected.push_back({generator.number(), generator.number()});
    text.push_back(generator.text());
    std::string quoted = "\"";
    for (const char c : text.back()) quoted.append(c == '"' ? 2 : 1, c);
    content += fmt::format("{},{},{}\"\n", expected.back()[0], expected.back()[1], quoted);
  }
  const auto chunk = read_content("big.csv", content, {{0, 1}, {2}});
  EXPECT_EQ(chunk.numbers, matrix(expected));
  EXPECT_EQ(chunk.text[0], text);
}

}  // namespace
}  // namespace bisector
