#include "bisector/io/row_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "bisector/io/number_text.h"
#include "bisector/target_classes.h"
#include "bisector/text.h"

namespace bisector {
namespace {

/// The format with the column names and levels that the model knows.
DataFormat format_for(DataFormat format, const Model& model) {
  format.known_names = column_names(model);
  if (!model.encoding()) return format;
  for (const ColumnEncoding& column : model.encoding()->columns())
    format.known_levels.insert(format.known_levels.end(), column.levels.begin(),
                               column.levels.end());
  return format;
}

bool has_column(const DataReader& reader, const std::string& name) {
  return reader.has_meaningful_names() &&
         std::ranges::find(reader.names(), name) != reader.names().end();
}

/// Decides which columns of one file are left out and which one is the target.
struct ColumnRoles {
  const DataReader& reader;
  const std::string& source;
  const RowSourceOptions& options;
  const Model& model;

  bool is_matched_by_name() const { return matches_by_name(reader, column_names(model)); }

  /// All columns except the format's own target, the index and the dropped columns.
  std::size_t positional_features(const std::vector<std::string>& dropped) const {
    std::set<std::size_t> left_out;
    if (const auto own = reader.target()) left_out.insert(*own);
    if (const auto index = reader.index()) left_out.insert(*index);
    for (const auto& column : dropped) left_out.insert(find_column(reader, source, column));
    return reader.columns() - left_out.size();
  }

  /// A named target is no feature either, if columns are matched by position.
  std::vector<std::string> dropped() const {
    if (is_matched_by_name())
      return options.is_drop_optional ? std::vector<std::string>{} : options.dropped;
    if (options.is_drop_optional && positional_features({}) <= column_count(model)) return {};
    std::vector<std::string> columns = options.dropped;
    const bool drops_target = options.delivers_target || options.is_drop_optional;
    if (drops_target && !options.target.empty()) columns.push_back(options.target);
    return columns;
  }

  /// The position of the training target in a file without names that has the same layout as the
  /// training file.
  std::optional<std::size_t> training_position() const {
    if (!model.target() || is_matched_by_name()) return std::nullopt;
    const std::string& column = model.target()->column;
    if (trained_columns(column_names(model), column) != reader.columns()) return std::nullopt;
    return find_column(reader, source, column);
  }

  /// The named column, the column that the model was trained on, or the format's own target.
  std::optional<std::size_t> target() const {
    if (!options.delivers_target) return std::nullopt;
    const auto left_out = dropped();
    const bool is_there = !options.is_drop_optional || has_column(reader, options.target) ||
                          std::ranges::find(left_out, options.target) != left_out.end();
    if (!options.target.empty() && is_there) return find_column(reader, source, options.target);
    if (model.target() && has_column(reader, model.target()->column))
      return find_column(reader, source, model.target()->column);
    const auto position = training_position();
    return position ? position : reader.target();
  }
};

/// A file without names may have an identifier in the place of the target, with all features
/// shifted by one. Then the target column has none of the model's classes.
void require_target_classes(const std::filesystem::path& path, const DataFormat& format,
                            const Model& model, std::size_t column) {
  constexpr std::size_t kRows = 1000;
  if (model.is_regressor() || !std::filesystem::is_regular_file(path)) return;
  const auto reader = open_data(path, format);
  reader->select({{}, {column}});
  const auto cells = reader->read(kRows).text[0];
  const TargetClasses classes(model);
  const auto is_class = [&](const std::string& cell) {
    return classes(cell).has_value() || is_missing(trimmed_cell(cell));
  };
  if (cells.empty() || std::ranges::any_of(cells, is_class)) return;
  throw InvalidInput(fmt::format(
      "{}: column {} should be the target, as in the training file, but has no class of the model "
      "({} in row 1): leave out the columns that are no features with --drop COL",
      path.string(), column + 1, in_quotes(cells.front())));
}

std::vector<std::string> names_of(const DataReader& reader, const Model& model,
                                  std::size_t features, const std::vector<std::size_t>& columns) {
  if (!model.feature_names().empty()) return model.feature_names();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < features; ++i)
    names.push_back(reader.has_meaningful_names() ? reader.names()[columns[i]]
                                                  : model.feature_name(i));
  return names;
}

}  // namespace

RowSource::RowSource(const std::filesystem::path& path, const RowSourceOptions& options,
                     const Model& model)
    : source_(path.string()),
      limits_(options.format.limits),
      reader_(open_data(path, format_for(options.format, model))),
      features_(model.features()),
      is_only_row_(options.rows.only_row.has_value()),
      has_number_target_(model.is_regressor() || (model.target() && model.target()->above)) {
  const ColumnRoles roles{*reader_, source_, options, model};
  const bool can_widen =
      reader_->is_sparse() && model.feature_names().empty() && model.input().is_identity();
  if (can_widen) features_ = std::max(features_, roles.positional_features(roles.dropped()));
  if (const auto position = roles.training_position();
      position && options.dropped.empty() && !is_only_row_)
    require_target_classes(path, format_for(options.format, model), model, *position);
  RowOptions rows = options.rows;
  rows.target = roles.target();
  if (rows.target)
    target_name_ = reader_->has_meaningful_names() ? reader_->names()[*rows.target] : "target";
  note_reading(model);
  rows_.emplace(*reader_, source_, widen(model), roles.dropped(), rows);
  names_ = names_of(*reader_, model, features_, rows_->columns());
}

void RowSource::note_reading(const Model& model) {
  notes_ = reader_->reading().notes;
  if (reader_->index() && !matches_by_name(*reader_, column_names(model)))
    notes_.push_back("left out: the first column, which has no name and numbers the rows");
}

Model RowSource::widen(const Model& model) const {
  return features_ > model.features() ? pad_features(model, features_, limits_) : model;
}

ModelChunk RowSource::next_chunk(std::size_t most) {
  const auto read = [this, most] {
    ModelChunk rows = rows_->next_chunk(most);
    if (has_number_target_) {
      make_numbers_plain(rows.target);
      make_numbers_plain(rows.target, "%");
    }
    return Chunk{std::move(rows), reader_->fraction_read()};
  };
  Chunk chunk = ahead_.valid() ? ahead_.get() : read();
  if (chunk.rows.rows.rows() > 0) ahead_ = std::async(std::launch::async, read);
  fraction_ = chunk.fraction;
  if (!chunk.rows.numbers.empty()) last_row_ = chunk.rows.numbers.back();
  if (is_only_row_) last_row_ = rows_->rows_read();
  for (const UnusableRow& row : chunk.rows.unusable) {
    SkippedRows& skipped = row.is_missing ? missing_ : unseen_;
    if (skipped.count++ == 0) skipped.first = row.row;
  }
  return std::move(chunk.rows);
}

Matrix RowSource::rest() {
  std::vector<double> values;
  const std::size_t most = default_chunk_rows(features_);
  for (Matrix rows = next(most); rows.rows() > 0; rows = next(most))
    values.insert(values.end(), rows.values().begin(), rows.values().end());
  const std::size_t count = values.size() / features_;
  return Matrix(count, features_, std::move(values));
}

std::size_t default_chunk_rows(std::size_t features) {
  constexpr std::size_t kMaxRows = 8192, kMaxNumbers = std::size_t{1} << 22;  // 32 MB
  return std::clamp<std::size_t>(kMaxNumbers / features, 1, kMaxRows);
}

}  // namespace bisector
