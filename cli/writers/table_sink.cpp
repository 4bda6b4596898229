#include "cli/writers/table_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <utility>

#include "cli/verb.h"
#include "cli/writers/number.h"

namespace bisector::cli {
namespace {

/// Collects text and writes it in large pieces, so that memory stays bounded.
class RowBuffer {
 public:
  explicit RowBuffer(std::ostream& out) : out_(out) {}

  std::string& text() { return text_; }
  /// To call after each row: writes a full buffer, so that memory stays bounded.
  void end_row() {
    if (text_.size() >= kFull) flush();
  }
  void flush() {
    out_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
    text_.clear();
  }

 private:
  static constexpr std::size_t kFull = std::size_t{1} << 20;
  std::ostream& out_;
  std::string text_;
};

/// The names of every column as a format writes them.
template <class Quoted>
std::vector<std::vector<std::string>> quoted_names(const Table& table, const Quoted& quoted) {
  std::vector<std::vector<std::string>> names(table.columns.size());
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (table.columns[c].names == nullptr) continue;
    for (const std::string& name : *table.columns[c].names) names[c].push_back(quoted(name));
  }
  return names;
}

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

/// Text in the quotes of a format.
struct Quoted {
  const std::string& text;
};

/// Calls write(k, cell) for the cells of line `i` of a column: one, or those of a block. A cell is
/// a number, a count, a truth value, a quoted name, a MixedCell or a list of names.
template <class Write>
void for_each_cell(const Column& column, const std::vector<std::string>& names, std::size_t i,
                   std::size_t rank, const Write& write) {
  const Overloaded visitor{
      [&](const std::vector<double>& cells) { write(0, cells[i]); },
      [&](const std::vector<std::size_t>& cells) { write(0, Quoted{names[cells[i]]}); },
      [&](const std::vector<bool>& cells) { write(0, static_cast<bool>(cells[i])); },
      [&](const Matrix& cells) {
        for (std::size_t k = 0; k < cells.cols(); ++k) write(k, cells(i, k));
      },
      [&](const MixedCells& cells) {
        for (std::size_t k = 0; k < cells.width; ++k) write(k, cells.cells[i * cells.width + k]);
      },
      [&](const NamedCells& cells) { write(0, cells.lists[i]); },
      [&](const Ranks&) { write(0, rank + 1); },
      [](const TargetCells&) {}};
  std::visit(visitor, column.cells);
}

struct Csv {
  static constexpr char kSeparator = ',';
  static std::string quoted(const std::string& cell) { return csv_cell(cell); }
};

/// Lines of cells, a header first.
template <class Style>
class LineSink : public TableSink {
 public:
  LineSink(std::ostream& out, const TableHead& head)
      : buffer_(out),
        kept_(head.kept.size()),
        names_(quoted_names(head.empty, Style::quoted)),
        cells_(head.empty.columns.size()) {
    const Header header = header_of(head.empty, head.kept, head.has_details);
    std::string& text = buffer_.text();
    text += "row";
    for (const std::string& name : header.kept) append(text, name);
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      widths_.push_back(header.columns[c].size());
      for (std::size_t i = 0; i < widths_[c]; ++i) append(text, header.columns[c][i]);
    }
    text += '\n';
  }

  void write(const Table& table, const ModelChunk& chunk) override {
    for_each_place(chunk, [&](const Place& place) {
      const bool has_result = place.unusable == nullptr;
      if (!table.has_items() || !has_result)
        write_line(table, place);
      else
        write_items(table, place);
      buffer_.end_row();
    });
    buffer_.flush();
  }

  void finish(const std::vector<std::string>&, const Json&) override { buffer_.flush(); }

 private:
  static void append(std::string& text, const std::string& cell) {
    append(text, Quoted{Style::quoted(cell)});
  }
  static void append(std::string& text, Quoted cell) {
    text += Style::kSeparator;
    text += cell.text;
  }
  /// Most of the time goes here: one append, not two.
  static void append(std::string& text, double value) {
    char cell[33];  // the longest double takes 24
    cell[0] = Style::kSeparator;
    const auto end = std::to_chars(cell + 1, cell + sizeof cell, value).ptr;
    text.append(cell, end);
  }
  static void append(std::string& text, std::size_t count) {
    text += Style::kSeparator;
    append_number(text, count);
  }
  static void append(std::string& text, bool flag) {
    text += Style::kSeparator;
    text += flag ? "true" : "false";
  }
  static void append(std::string& text, const MixedCell& cell) {
    append(text, Quoted{cell.is_nothing() ? cell.text : Style::quoted(cell.text)});
  }
  static void append(std::string& text, const NamedCells::List& list) {
    MixedCell names;
    for (const auto& entry : list) names.text += (names.text.empty() ? "" : "; ") + entry.name;
    append(text, names);
  }

  void append_start(std::string& text, const Place& place) const {
    append_number(text, place.number);
    for (std::size_t k = 0; k < kept_; ++k) append(text, place.kept(k));
  }

  void write_line(const Table& table, const Place& place) {
    std::string& text = buffer_.text();
    append_start(text, place);
    for (std::size_t c = 0; c < widths_.size(); ++c) {
      if (widths_[c] > 0) append_cells(text, table.columns[c], c, place, place.row, 0);
    }
    text += '\n';
  }

  /// A line for each item; the cells of the row are made once.
  void write_items(const Table& table, const Place& place) {
    std::string& text = buffer_.text();
    std::string start;
    append_start(start, place);
    for (std::size_t c = 0; c < widths_.size(); ++c) {
      const Column& column = table.columns[c];
      cells_[c].clear();
      if (widths_[c] == 0) continue;
      if (column.is_item)
        cells_[c].assign(widths_[c], Style::kSeparator);  // of a row without an item
      else
        append_cells(cells_[c], column, c, place, place.row, 0);
    }
    const std::size_t first = table.items_begin(place.row), end = table.items_end(place.row);
    for (std::size_t i = first; i < std::max(end, first + 1); ++i) {
      text += start;
      for (std::size_t c = 0; c < widths_.size(); ++c) {
        if (i < end && table.columns[c].is_item && widths_[c] > 0)
          append_cells(text, table.columns[c], c, place, i, i - first);
        else
          text += cells_[c];
      }
      text += '\n';
    }
  }

  /// The cells of line `i` of a column; of a marked row, its target.
  void append_cells(std::string& text, const Column& column, std::size_t c, const Place& place,
                    std::size_t i, std::size_t rank) const {
    if (std::holds_alternative<TargetCells>(column.cells)) return append(text, place.target());
    if (place.unusable != nullptr) {
      text.append(widths_[c], Style::kSeparator);
      return;
    }
    for_each_cell(column, names_[c], i, rank,
                  [&](std::size_t, const auto& cell) { append(text, cell); });
  }

  RowBuffer buffer_;
  std::size_t kept_;
  std::vector<std::vector<std::string>> names_;
  std::vector<std::size_t> widths_;  // cells of each column; 0: it is not shown
  std::vector<std::string> cells_;   // of the row whose items are written
};

/// One document, or a document for each row, in which the numbers of a block have names.
class JsonSink : public TableSink {
 public:
  JsonSink(std::ostream& out, const TableHead& head, bool are_lines)
      : buffer_(out), are_lines_(are_lines) {
    const auto quoted = [](const std::string& text) { return json_text(text); };
    names_ = quoted_names(head.empty, quoted);
    for (const std::string& name : header_of(head.empty, head.kept, head.has_details).kept)
      kept_.push_back(quoted(name));
    for (const Column& column : head.empty.columns)
      keys_.push_back(quoted(column.json_key()) + ':');
    if (are_lines) return;
    buffer_.text() += '{';
    for (const auto& [name, value] : head.members.items())
      buffer_.text() += quoted(name) + ": " + json_text(value) + ",\n";
    buffer_.text() += "\"rows\": [";
  }

  void write(const Table& table, const ModelChunk& chunk) override {
    for_each_place(chunk, [&](const Place& place) {
      write_row(table, place);
      buffer_.end_row();
    });
    buffer_.flush();
  }

  void finish(const std::vector<std::string>& notes, const Json& more) override {
    std::string& text = buffer_.text();
    if (are_lines_) {
      if (is_begun_) text += '\n';
    } else {
      text += "\n]";
      for (const auto& [name, value] : more.items())
        text += ",\n" + json_text(name) + ": " + json_text(value);
      text += ",\n\"notes\": " + json_text(notes) + "}\n";
    }
    buffer_.flush();
  }

 private:
  void write_row(const Table& table, const Place& place) {
    std::string& text = buffer_.text();
    if (is_begun_) text += are_lines_ ? "\n" : ",";
    if (!are_lines_) text += '\n';
    is_begun_ = true;
    text += "{\"row\":";
    append_number(text, place.number);
    if (!kept_.empty()) append_kept(text, place);
    bool has_items = false;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const Column& column = table.columns[c];
      if (std::holds_alternative<TargetCells>(column.cells)) {
        text += ',' + keys_[c] + json_text(place.target());
      } else if (place.unusable != nullptr || (column.is_item && has_items)) {
        continue;
      } else if (column.is_item) {
        has_items = true;
        append_items(text, table, place.row);
      } else {
        text += ',';
        append_member(text, column, c, place.row);
      }
    }
    if (place.unusable != nullptr) text += std::string(",\"problem\":\"") + place.problem() + '"';
    text += '}';
  }

  void append_kept(std::string& text, const Place& place) const {
    text += ",\"kept\":{";
    for (std::size_t k = 0; k < kept_.size(); ++k)
      text += (k == 0 ? "" : ",") + kept_[k] + ':' + json_text(place.kept(k));
    text += '}';
  }

  void append_items(std::string& text, const Table& table, std::size_t row) const {
    text += ',' + json_text(table.items) + ":[";
    for (std::size_t i = table.items_begin(row); i < table.items_end(row); ++i) {
      text += i == table.items_begin(row) ? "{" : ",{";
      const char* separator = "";
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const Column& column = table.columns[c];
        if (!column.is_item || std::holds_alternative<Ranks>(column.cells)) continue;
        text += std::exchange(separator, ",");
        append_member(text, column, c, i);
      }
      text += '}';
    }
    text += ']';
  }

  void append_member(std::string& text, const Column& column, std::size_t c, std::size_t i) const {
    const bool is_block = column.is_block();
    text += keys_[c];
    if (is_block) text += are_lines_ ? '{' : '[';
    for_each_cell(column, names_[c], i, 0, [&](std::size_t k, const auto& cell) {
      if (k > 0) text += ',';
      if (is_block && are_lines_) text += names_[c][k] + ':';
      append(text, cell);
    });
    if (is_block) text += are_lines_ ? '}' : ']';
  }

  static void append(std::string& text, double value) { append_json_number(text, value); }
  static void append(std::string& text, std::size_t count) { append_number(text, count); }
  static void append(std::string& text, bool flag) { text += flag ? "true" : "false"; }
  static void append(std::string& text, Quoted name) { text += name.text; }
  static void append(std::string& text, const NamedCells::List& list) {
    const bool has_changes = !list.empty() && list.front().change;
    text += has_changes ? '{' : '[';
    const char* separator = "";
    for (const auto& [name, change] : list) {
      text += std::exchange(separator, ",") + json_text(name);
      if (!change) continue;
      text += ":[";
      append(text, change->first);
      text += ',';
      append(text, change->second);
      text += ']';
    }
    text += has_changes ? '}' : ']';
  }
  static void append(std::string& text, const MixedCell& cell) {
    const bool is_number = !cell.text.empty() && cell.text.back() >= '0' && cell.text.back() <= '9';
    text += cell.is_text ? json_text(cell.text) : is_number ? cell.text : "null";
  }

  RowBuffer buffer_;
  bool are_lines_, is_begun_ = false;
  std::vector<std::string> kept_, keys_;
  std::vector<std::vector<std::string>> names_;
};

// Large enough for every shape, and a multiple of 64 so that the elements are aligned.
constexpr std::size_t kHeaderSize = 128;

std::string npy_header(std::size_t rows, std::size_t columns, std::size_t depth) {
  constexpr char kOrder = std::endian::native == std::endian::little ? '<' : '>';
  const std::string description =
      fmt::format("{{'descr': '{}f8', 'fortran_order': False, 'shape': ({}, {}{}), }}", kOrder,
                  rows, columns, depth == 0 ? "" : fmt::format(", {}", depth));
  constexpr std::size_t kStart = 10;  // magic, version 1.0 and the length, low byte first
  const std::size_t length = kHeaderSize - kStart;
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(length & 0xff);
  text += static_cast<char>(length >> 8);
  text += description + std::string(length - 1 - description.size(), ' ') + '\n';
  return text;
}

/// The first block of numbers: rows x columns, or rows x columns x items. Marked rows are NaN.
class NpySink : public TableSink {
 public:
  /// The header has the number of rows. If the output cannot go back, all rows are kept until then.
  NpySink(tools::Output& output, const TableHead& head)
      : out_(output.stream()), can_go_back_(output.can_go_back()) {
    const auto& columns = head.empty.columns;
    const auto found = std::ranges::find_if(columns, [&](const Column& column) {
      return std::holds_alternative<Matrix>(column.cells) && !column.is_detail &&
             column.is_item == head.empty.has_items();
    });
    const std::size_t depth = head.empty.items_per_row;
    if (found == columns.end() || (found->is_item && depth == 0))
      throw UsageError(fmt::format(
          "NPY holds one matrix of numbers, which {} are not; use --format csv or json",
          head.empty.has_items() ? "lists of " + head.empty.items : "predictions of classes"));
    if (head.has_details || !head.kept.empty())
      throw UsageError(
          "NPY holds one matrix of numbers; leave out --keep and --details, or use --format csv or "
          "json");
    column_ = static_cast<std::size_t>(found - columns.begin());
    width_ = found->names->size();
    depth_ = depth;
    if (can_go_back_) out_ << npy_header(0, width_, depth_);
  }

  void write(const Table& table, const ModelChunk& chunk) override {
    const Matrix& values = std::get<Matrix>(table.columns[column_].cells);
    const std::size_t items = std::max<std::size_t>(depth_, 1);
    std::vector<double> rows;
    rows.reserve(values.values().size());
    for_each_place(chunk, [&](const Place& place) {
      ++rows_;
      for (std::size_t k = 0; k < width_; ++k) {
        for (std::size_t i = 0; i < items; ++i)
          rows.push_back(place.unusable != nullptr ? std::numeric_limits<double>::quiet_NaN()
                                                   : values(place.row * items + i, k));
      }
    });
    const auto* bytes = reinterpret_cast<const char*>(rows.data());
    const std::size_t size = rows.size() * sizeof(double);
    if (can_go_back_)
      out_.write(bytes, static_cast<std::streamsize>(size));
    else
      kept_.append(bytes, size);
  }

  void finish(const std::vector<std::string>&, const Json&) override {
    if (can_go_back_) out_.seekp(0);
    out_ << npy_header(rows_, width_, depth_) << kept_;
  }

 private:
  std::ostream& out_;
  bool can_go_back_;
  std::size_t column_ = 0, width_ = 0, depth_ = 0, rows_ = 0;
  std::string kept_;
};

}  // namespace

std::unique_ptr<TableSink> make_sink(TableFormat format, tools::Output& output, TableHead head) {
  switch (format) {
    case TableFormat::json:
    case TableFormat::jsonl:
      return std::make_unique<JsonSink>(output.stream(), head, format == TableFormat::jsonl);
    case TableFormat::npy:
      return std::make_unique<NpySink>(output, head);
    case TableFormat::csv:
      break;
  }
  return std::make_unique<LineSink<Csv>>(output.stream(), head);
}

}  // namespace bisector::cli
