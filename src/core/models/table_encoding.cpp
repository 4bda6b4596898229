#include "bisector/table_encoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "bisector/error.h"
#include "bisector/text.h"
#include "core/models/checks.h"
#include "core/util/ascii.h"
#include "core/util/numbers.h"

namespace bisector {

using namespace detail;

namespace {

using Kind = ColumnEncoding::Kind;

/// "a", "b", "c", shortened where there are many.
std::string listed(const std::vector<std::string>& levels) {
  constexpr std::size_t kShown = 12;
  std::string text;
  for (std::size_t n = 0; n < std::min(levels.size(), kShown); ++n)
    text += (n == 0 ? "" : ", ") + in_quotes(levels[n]);
  if (levels.size() > kShown) text += fmt::format(" and {} more", levels.size() - kShown);
  return text;
}

void check_fill(const ColumnEncoding& column, const std::string& name) {
  if (!column.fill) return;
  if (!std::isfinite(*column.fill))
    throw InvalidModel(
        fmt::format("column \"{}\": the fill is {}, expected a number", name, *column.fill));
  const bool is_position = *column.fill >= 0.0 && *column.fill == std::floor(*column.fill) &&
                           *column.fill < static_cast<double>(column.levels.size());
  if (column.kind != Kind::numeric && !is_position)
    throw InvalidModel(
        fmt::format("column \"{}\": the fill is {}, expected the position of one of "
                    "the {} levels, counted from 0",
                    name, *column.fill, column.levels.size()));
}

void check_column(const ColumnEncoding& column, const std::string& name) {
  if (column.kind == Kind::numeric && !column.levels.empty())
    throw InvalidModel(fmt::format("column \"{}\" is numeric and has levels, expected none", name));
  if (column.kind != Kind::numeric && column.levels.empty())
    throw InvalidModel(fmt::format("column \"{}\" has no levels, expected at least one", name));
  require_distinct(column.levels);
  check_fill(column, name);
}

/// Encodes the cells of one column, whose features start at `feature`.
class ColumnEncoder {
 public:
  ColumnEncoder(const ColumnEncoding& column, const std::string& name, std::size_t feature)
      : column_(column), name_(name), feature_(feature) {
    for (std::size_t n = 0; n < column.levels.size(); ++n) positions_.emplace(column.levels[n], n);
  }

  /// Returns true if the cell is missing and was imputed.
  bool encode(std::string_view cell, std::size_t row, std::span<double> features) const {
    const std::optional<double> own = code(trimmed_cell(cell), row);
    const double value = own ? *own : *column_.fill;
    if (column_.kind == Kind::one_hot)
      features[feature_ + static_cast<std::size_t>(value)] = 1.0;
    else
      features[feature_] = value;
    return !own;
  }

 private:
  /// The number, or the level's position; empty for a missing cell of a column with a fill. A level
  /// is looked for first: "NA" may be one.
  std::optional<double> code(std::string_view cell, std::size_t row) const {
    if (column_.kind != Kind::numeric) {
      const auto found = positions_.find(cell);
      if (found != positions_.end()) return static_cast<double>(found->second);
    } else if (const auto number = parse_number(cell)) {
      return *number;
    }
    if (!is_missing(cell)) fail(row, in_quotes(cell));
    if (!column_.fill) fail(row, cell.empty() ? "empty" : fmt::format("missing (\"{}\")", cell));
    return std::nullopt;
  }

  [[noreturn]] void fail(std::size_t row, const std::string& what) const {
    throw InvalidRow(
        row,
        fmt::format("column {} is {}, expected {}", in_quotes(name_), what,
                    column_.kind != Kind::numeric
                        ? fmt::format("one of the levels {}", listed(column_.levels))
                    : column_.format.find('/') != std::string::npos ? "a date " + column_.format
                                                                    : "a number"));
  }

  const ColumnEncoding& column_;
  const std::string& name_;
  std::size_t feature_;
  std::unordered_map<std::string_view, std::size_t> positions_;
};

}  // namespace

std::string_view trimmed_cell(std::string_view cell) {
  const std::size_t first = cell.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return cell.substr(first, cell.find_last_not_of(" \t\r") - first + 1);
}

bool is_missing(std::string_view cell) {
  cell = trimmed_cell(cell);
  constexpr std::array<std::string_view, 6> kMarks{"?", "na", "nan", "n/a", "#n/a", "null"};
  return cell.empty() || std::ranges::any_of(kMarks, [&](std::string_view mark) {
           return util::equals_ignoring_case(cell, mark);
         });
}

std::optional<double> parse_number(std::string_view cell) {
  cell = trimmed_cell(cell);
  if (cell.size() > 1 && cell[0] == '+' && cell[1] != '-') cell.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = util::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

TableEncoding::TableEncoding(std::vector<ColumnEncoding> columns) : columns_(std::move(columns)) {
  if (columns_.empty()) throw InvalidModel("a table encoding of no columns, expected at least one");
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const ColumnEncoding& column = columns_[c];
    if (column.name.empty() == has_names())
      throw InvalidModel(
          fmt::format("column {} of the table encoding {} a name, expected a name for every column "
                      "or for none",
                      c + 1, column.name.empty() ? "lacks" : "has"));
    column_names_.push_back(has_names() ? column.name : fmt::format("x{}", c + 1));
    check_column(column, column_names_.back());
    if (column.kind == Kind::one_hot) {
      for (const std::string& level : column.levels)
        features_.push_back(fmt::format("{}={}", column_names_.back(), level));
    } else {
      features_.push_back(column_names_.back());
    }
    groups_.resize(features_.size(), c);
  }
  require_distinct(column_names_);
  require_distinct(features_);
}

bool TableEncoding::imputes() const {
  return std::ranges::any_of(columns_, [](const auto& column) { return column.fill.has_value(); });
}

Matrix TableEncoding::encode(const TextColumns& cells, ImputedColumns* imputed) const {
  if (cells.size() != columns_.size())
    throw InvalidInput(fmt::format("{} columns, expected {}, those of the model's table",
                                   cells.size(), columns_.size()));
  const std::size_t rows = cells.front().size();
  Matrix encoded(rows, features_.size());
  if (imputed != nullptr) imputed->assign(rows, {});
  std::optional<InvalidRow> first;  // the first row that cannot be encoded
  std::size_t feature = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (cells[c].size() != rows)
      throw InvalidInput(fmt::format("column \"{}\" has {} rows, expected {}", column_names_[c],
                                     cells[c].size(), rows));
    const ColumnEncoder encoder(columns_[c], column_names_[c], feature);
    try {
      for (std::size_t r = 0; r < (first ? first->row() : rows); ++r) {
        const bool is_imputed = encoder.encode(cells[c][r], r, encoded.row(r));
        if (is_imputed && imputed != nullptr) (*imputed)[r].push_back(c);
      }
    } catch (const InvalidRow& error) {
      first = error;
    }
    feature += columns_[c].kind == Kind::one_hot ? columns_[c].levels.size() : 1;
  }
  if (first) throw *first;
  return encoded;
}

Matrix TableEncoding::sum_by_column(MatrixView<const double> relevance) const {
  if (relevance.cols() != features_.size())
    throw InvalidInput(fmt::format("relevance of {} features, expected {}, those of the encoding",
                                   relevance.cols(), features_.size()));
  Matrix sums(relevance.rows(), columns_.size());
  for (std::size_t r = 0; r < relevance.rows(); ++r) {
    for (std::size_t d = 0; d < relevance.cols(); ++d) sums(r, groups_[d]) += relevance(r, d);
  }
  return sums;
}

}  // namespace bisector
