#include "report/report_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "bisector/error.h"
#include "core/linalg/vectors.h"

namespace bisector::report {
namespace {

std::vector<ReportColumn> encoded_columns(const TableEncoding& encoding) {
  std::vector<ReportColumn> columns;
  std::size_t first = 0;
  for (std::size_t c = 0; c < encoding.columns().size(); ++c) {
    const ColumnEncoding& column = encoding.columns()[c];
    const bool is_one_hot = column.kind == ColumnEncoding::Kind::one_hot;
    const std::size_t width = is_one_hot ? column.levels.size() : 1;
    columns.push_back({encoding.column_names()[c], column.levels, first, width, is_one_hot, {}});
    first += width;
  }
  return columns;
}

std::vector<ReportColumn> single_columns(const Model& model,
                                         const std::vector<std::string>& names) {
  if (model.encoding()) return encoded_columns(*model.encoding());
  std::vector<ReportColumn> columns;
  for (std::size_t d = 0; d < model.features(); ++d) {
    const bool has_own = !model.feature_names().empty() || d >= names.size();
    columns.push_back({has_own ? model.feature_name(d) : names[d], {}, d, 1, false, {}});
  }
  return columns;
}

void append_groups(std::vector<ReportColumn>& columns, const std::vector<ReportGroup>& groups) {
  const std::size_t count = columns.size();
  std::vector<bool> is_taken(count, false);
  for (const ReportGroup& group : groups) {
    if (group.columns.empty())
      throw InvalidInput(fmt::format("group \"{}\" has no columns", group.name));
    if (std::ranges::find(columns, group.name, &ReportColumn::name) != columns.end())
      throw InvalidInput(fmt::format(
          "group \"{}\" has the name of a column or of another group; choose another name",
          group.name));
    for (const std::size_t column : group.columns) {
      if (column >= count || is_taken[column])
        throw InvalidInput(fmt::format(
            "group \"{}\" has column {}, expected a column below {} that is in no other group",
            group.name, column, count));
      is_taken[column] = true;
    }
    columns.push_back({group.name, {}, 0, 0, false, group.columns});
  }
}

}  // namespace

std::vector<ReportColumn> columns_of(const Model& model, const std::vector<std::string>& names,
                                     const std::vector<ReportGroup>& groups) {
  std::vector<ReportColumn> columns = single_columns(model, names);
  append_groups(columns, groups);
  return columns;
}

void column_values(const std::vector<ReportColumn>& columns, std::span<const double> features,
                   std::span<double> values) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto own = features.subspan(columns[c].first, columns[c].width);
    values[c] = own.empty() ? 0.0
                : columns[c].is_one_hot
                    ? static_cast<double>(std::ranges::max_element(own) - own.begin())
                    : own[0];
  }
}

std::vector<std::size_t> explained_as(const std::vector<ReportColumn>& columns) {
  std::vector<std::size_t> result(columns.size());
  std::iota(result.begin(), result.end(), std::size_t{0});
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (const std::size_t member : columns[c].members) result[member] = c;
  }
  return result;
}

std::vector<std::size_t> players_of(const std::vector<ReportColumn>& columns, const Model& model) {
  if (columns.empty() || columns.back().members.empty()) return {};
  const std::vector<std::size_t> explained = explained_as(columns);
  std::map<std::size_t, std::size_t> players;  // numbered in the order of their first features
  std::vector<std::size_t> result(model.features());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (std::size_t i = 0; i < columns[c].width; ++i)
      result[columns[c].first + i] =
          players.try_emplace(explained[c], players.size()).first->second;
  }
  return result;
}

Matrix by_column(const Model& model, const std::vector<ReportColumn>& columns,
                 const Matrix& relevance) {
  const Matrix single = model.encoding() ? model.encoding()->sum_by_column(relevance) : relevance;
  if (single.cols() == columns.size()) return single;
  const std::vector<std::size_t> explained = explained_as(columns);
  Matrix result(single.rows(), columns.size());
  for (std::size_t r = 0; r < single.rows(); ++r) {
    for (std::size_t c = 0; c < single.cols(); ++c) result(r, explained[c]) += single(r, c);
  }
  return result;
}

std::vector<std::size_t> value_columns(const std::vector<ReportColumn>& columns,
                                       const std::vector<std::size_t>& given) {
  std::vector<std::size_t> result;
  for (const std::size_t c : given) {
    const auto& members = columns[c].members;
    if (members.empty()) result.push_back(c);
    result.insert(result.end(), members.begin(), members.end());
  }
  return result;
}

BackMap::BackMap(const AffineMap& map) : map_(map) {
  if (map.has_matrix()) inverse_ = linalg::pseudo_inverse(map.matrix());
}

std::vector<double> BackMap::operator()(std::span<const double> point) const {
  std::vector<double> values(point.begin(), point.end());
  if (map_.has_matrix()) {
    values.assign(inverse_.rows(), 0.0);
    for (std::size_t d = 0; d < inverse_.rows(); ++d) {
      for (std::size_t o = 0; o < inverse_.cols(); ++o)
        values[d] += inverse_(d, o) * (point[o] - (map_.offset().empty() ? 0.0 : map_.offset()[o]));
    }
  }
  for (std::size_t d = 0; d < map_.shift().size(); ++d)
    values[d] = values[d] / map_.scale()[d] + map_.shift()[d];
  return values;
}

}  // namespace bisector::report
