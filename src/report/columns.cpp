#include "report/columns.h"

#include <fmt/format.h>

#include <algorithm>

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
    columns.push_back({encoding.column_names()[c], column.levels, first, width, is_one_hot});
    first += width;
  }
  return columns;
}

}  // namespace

std::vector<ReportColumn> columns_of(const Model& model, const std::vector<std::string>& names) {
  if (model.encoding()) return encoded_columns(*model.encoding());
  std::vector<ReportColumn> columns;
  for (std::size_t d = 0; d < model.features(); ++d) {
    const bool has_own = !model.feature_names().empty() || d >= names.size();
    columns.push_back({has_own ? model.feature_name(d) : names[d], {}, d, 1, false});
  }
  return columns;
}

void column_values(const std::vector<ReportColumn>& columns, std::span<const double> features,
                   std::span<double> values) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto own = features.subspan(columns[c].first, columns[c].width);
    values[c] = columns[c].is_one_hot
                    ? static_cast<double>(std::ranges::max_element(own) - own.begin())
                    : own[0];
  }
}

Matrix by_column(const Model& model, const Matrix& relevance) {
  return model.encoding() ? model.encoding()->sum_by_column(relevance) : relevance;
}

std::vector<std::size_t> players_of(const std::vector<ReportColumn>& columns,
                                    const std::vector<ReportGroup>& groups) {
  std::vector<std::vector<std::size_t>> groups_of(columns.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const std::size_t column : groups[g].columns) {
      if (column >= columns.size())
        throw InvalidInput(fmt::format("group \"{}\" has column {} of {} columns", groups[g].name,
                                       column + 1, columns.size()));
      groups_of[column].push_back(g);
    }
  }
  std::vector<std::size_t> players;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (groups_of[c].size() != 1)
      throw InvalidInput(fmt::format("column \"{}\" is in {} groups, expected one", columns[c].name,
                                     groups_of[c].size()));
    players.insert(players.end(), columns[c].width, groups_of[c].front());
  }
  return players;
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
