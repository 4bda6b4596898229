#include "cli/options/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "bisector/error.h"
#include "bisector/io/model_file.h"
#include "bisector/io/svm_range.h"
#include "bisector/train/neighbors_from_data.h"
#include "cli/options/limit_option.h"
#include "cli/options/option_values.h"
#include "cli/verb.h"

namespace bisector::cli {
namespace {

char parse_delimiter(const std::string& text) {
  if (text == "tab" || text == "\\t" || text == "\t") return '\t';
  if (text == "," || text == ";" || text == "|" || text == " ") return text[0];
  if (text == "space") return ' ';
  throw UsageError(
      fmt::format("--delimiter is \"{}\", expected , or ; or | or tab or space", text));
}

/// The format options speak about the data; other files follow them where they are of the same
/// sort.
DataFormat format_for(const std::filesystem::path& path, const InputArguments& arguments) {
  const auto sort = [](const std::filesystem::path& file) {
    return file == "-" ? ".csv" : file.extension();
  };
  const bool is_alike = arguments.data.empty() || sort(path) == sort(arguments.data);
  return is_alike ? arguments.format
                  : DataFormat{.limits = arguments.format.limits,
                               .open_columnar = arguments.format.open_columnar};
}

/// The same, with what the model says of its table.
DataFormat format_for(const std::filesystem::path& path, const InputArguments& arguments,
                      const Model& model) {
  DataFormat format = format_for(path, arguments);
  format.known_names = column_names(model);
  if (model.encoding()) {
    for (const ColumnEncoding& column : model.encoding()->columns())
      format.known_levels.insert(format.known_levels.end(), column.levels.begin(),
                                 column.levels.end());
  }
  return format;
}

bool is_matched_by_name(const DataReader& reader, const Model& model) {
  return matches_by_name(reader, column_names(model));
}

/// How many features a file has by position: all columns but the format's own target and the
/// dropped ones.
std::size_t positional_features(const DataReader& reader, const std::string& source,
                                const std::vector<std::string>& dropped) {
  std::set<std::size_t> left_out;
  if (const auto own = reader.target()) left_out.insert(*own);
  if (const auto index = reader.index()) left_out.insert(*index);
  for (const auto& column : dropped) left_out.insert(find_column(reader, source, column));
  return reader.columns() - left_out.size();
}

/// What to leave out of a file that need not have the dropped columns at all: it may be the
/// training file again, or only the features. Names settle it, else the number of columns does.
std::vector<std::string> columns_to_drop(const DataReader& reader, const std::string& source,
                                         const InputArguments& arguments, const Model& model) {
  const bool is_the_data = source == arguments.data.string() && !arguments.knn;
  if (is_the_data && !arguments.keeps_target) return arguments.dropped;
  if (is_matched_by_name(reader, model))
    return is_the_data ? arguments.dropped : std::vector<std::string>{};
  if (!is_the_data && !arguments.dropped_of_others.empty()) return arguments.dropped_of_others;
  if (!is_the_data && positional_features(reader, source, {}) <= column_count(model)) return {};
  std::vector<std::string> dropped = arguments.dropped;
  if (!arguments.target.empty()) dropped.push_back(arguments.target);
  return dropped;
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

/// Most often the column too many is the target, which nobody told a file of plain numbers from.
void require_not_too_many(const DataReader& reader, const std::string& source,
                          const std::vector<std::string>& dropped, std::size_t wanted) {
  const std::size_t columns = positional_features(reader, source, dropped);
  if (columns <= wanted) return;
  const std::string last = reader.has_meaningful_names()
                               ? fmt::format("; the last is \"{}\"", reader.names().back())
                               : "";
  throw InvalidInput(
      fmt::format("{} has {} columns, the model {}: leave out the others with --drop COL{}", source,
                  columns, wanted, last));
}

bool has_column(const DataReader& reader, const std::string& name) {
  return reader.has_meaningful_names() &&
         std::ranges::find(reader.names(), name) != reader.names().end();
}

/// The column of the targets in the data: the one that was named, the one that the model learned,
/// or the one that the format sets apart.
std::optional<std::size_t> target_column(const DataReader& reader, const std::string& source,
                                         const InputArguments& arguments, const Model& model) {
  if (!arguments.keeps_target) return std::nullopt;
  const auto dropped = columns_to_drop(reader, source, arguments, model);
  const bool is_there = !arguments.knn || has_column(reader, arguments.target) ||
                        std::ranges::find(dropped, arguments.target) != dropped.end();
  if (!arguments.target.empty() && is_there) return find_column(reader, source, arguments.target);
  if (model.target() && has_column(reader, model.target()->column))
    return find_column(reader, source, model.target()->column);
  return reader.target();
}

/// The rows of a file for a model, with what is to be left out of it.
ModelRows model_rows(DataReader& reader, const std::string& source, const InputArguments& arguments,
                     const Model& model, const RowOptions& options = {}) {
  if (arguments.notes != nullptr) {
    for (const std::string& note : reader.reading().notes)
      *arguments.notes << fmt::format("note: {}: {}\n", source, note);
    if (reader.index() && !is_matched_by_name(reader, model))
      *arguments.notes << fmt::format("note: {}: {}: it is left out\n", source, kIndexWords);
  }
  const auto dropped = columns_to_drop(reader, source, arguments, model);
  if (!is_matched_by_name(reader, model) &&
      !match_by_number(reader, column_names(model), dropped.size()))
    require_not_too_many(reader, source, dropped, column_count(model));
  return ModelRows(reader, source, model, dropped, options);
}

/// What would have helped.
std::string with_advice(const std::string& problem, bool is_missing) {
  return fmt::format("{} ({} skip leaves such rows out)", problem,
                     is_missing ? "--missing" : "--unseen");
}

ModelChunk read_chunk(ModelRows& rows, std::size_t most) {
  try {
    return rows.next_chunk(most);
  } catch (const UnusableCell& error) {
    throw InvalidInput(with_advice(error.what(), error.is_missing));
  }
}

Model with_range(Model model, const InputArguments& arguments) {
  if (arguments.range.empty()) return model;
  if (!model.input().is_identity())
    throw InvalidInput(fmt::format("{} scales its rows itself, expected no --range with it",
                                   arguments.model.string()));
  Model ranged(model.predictor(), read_svm_range(arguments.range, model.features()),
               model.feature_names(), model.median_distance(), model.encoding());
  if (model.measured()) ranged = ranged.with_measured(*model.measured());
  return model.target() ? ranged.with_target(*model.target()) : ranged;
}

/// The largest range of a column, by the smallest of one that is not constant.
double ratio_of_ranges(const Matrix& points) {
  double least = std::numeric_limits<double>::infinity(), most = 0.0;
  for (std::size_t d = 0; d < points.cols(); ++d) {
    double low = points(0, d), high = low;
    for (std::size_t n = 0; n < points.rows(); ++n) {
      low = std::min(low, points(n, d));
      high = std::max(high, points(n, d));
    }
    if (high == low) continue;
    least = std::min(least, high - low);
    most = std::max(most, high - low);
  }
  return most / least;
}

/// Columns of different units, unscaled: the largest would decide alone.
void note_unscaled(const Model& model, const InputArguments& arguments) {
  constexpr double kMuchLarger = 10.0;
  const double ratio = ratio_of_ranges(model.points());
  if (arguments.notes != nullptr && ratio > kMuchLarger)
    *arguments.notes << fmt::format(
        "note: {}: --knn takes the columns as they are, and the range of one is {:.3g} times that "
        "of another (bisector train --model knn scales them)\n",
        arguments.model.string(), ratio);
}

}  // namespace

void add_input_files(CLI::App& app, InputArguments& arguments, const std::string& data) {
  add_path(app, "MODEL", arguments.model, "",
           "A LIBSVM model file, an .npz bundle or ONNX; with --knn the training rows")
      ->required();
  add_path(app, "DATA", arguments.data, "",
           data + ": CSV, LIBSVM, NPY, NPZ, ARFF, Parquet or Arrow; - is CSV from standard input")
      ->required();
  add_path(app, "--range", arguments.range, "FILE",
           "A range file of svm-scale, where the model was trained on rows scaled by it and DATA "
           "has them unscaled")
      ->group("Reading data");
}

void add_knn_options(CLI::App& app, InputArguments& arguments, const std::string& purpose) {
  constexpr auto kGroup = "Nearest neighbors without a model file";
  add_count(app, "--knn", arguments.knn, 1, "K",
            "MODEL is a data file of training rows; the model is their K nearest neighbors, by the "
            "columns as they are (train --model knn scales them)")
      ->group(kGroup);
  add_text(app, "--target", arguments.target, "COL",
           std::string("With --knn: the column of the labels, by name or number (LIBSVM files and "
                       "an NPZ with y need none)") +
               (arguments.keeps_target ? "; without: the column of DATA " + purpose +
                                             " (default: the one that the model learned)"
                                       : ""))
      ->group(kGroup);
}

void add_data_options(CLI::App& app, InputArguments& arguments) {
  constexpr auto kGroup = "Reading data";
  using Header = DataFormat::Header;
  app.add_option_function<std::string>(
         "--delimiter",
         [&arguments](const std::string& text) {
           arguments.format.delimiter = parse_delimiter(text);
         },
         "Of a CSV file: , or ; or | or tab or space, any number of them (default: found out)")
      ->option_text("CHAR")
      ->group(kGroup);
  add_choice<Header>(app, "--header", arguments.format.header,
                     {{"auto", Header::automatic}, {"yes", Header::yes}, {"no", Header::no}},
                     "Is the first line of a CSV file the names? (default: found out)")
      ->group(kGroup);
  add_text(app, "--x,--array", arguments.format.array, "NAME",
           "The array of an NPZ file that holds the rows (default: X, or the only matrix)")
      ->group(kGroup);
  add_text(app, "--y", arguments.format.target_array, "NAME",
           "The array of an NPZ file that holds the target (default: y, where it fits)")
      ->group(kGroup);
  add_list(app, "--drop", arguments.dropped, "COL",
           "Leave out a column, by name or number; may be given several times. Columns that a "
           "model with names does not name are left out anyway")
      ->group(kGroup);
  add_limit_option(app, arguments.format.limits);
}

void add_background_drop(CLI::App& app, InputArguments& arguments) {
  add_list(app, "--background-drop", arguments.dropped_of_others, "COL",
           "Leave out a column of the background and of other files beside DATA, where columns go "
           "by position (default: those of --drop, where the file has columns to spare)")
      ->group("Reading data");
}

void add_row_policies(CLI::App& app, InputArguments& arguments, bool can_mark) {
  constexpr auto kGroup = "Rows that the model cannot take";
  std::vector<std::pair<std::string, RowPolicy>> policies = {{"error", RowPolicy::error},
                                                             {"skip", RowPolicy::skip}};
  if (can_mark) policies.emplace_back("mark", RowPolicy::mark);
  const std::string what = can_mark
                               ? "skip leaves the row out, mark writes it without results; both "
                                 "count such rows (default: error)"
                               : "skip leaves the row out, and such rows are counted (default: "
                                 "error)";
  add_choice<RowPolicy>(app, "--missing", arguments.rows.missing, policies,
                        "A cell without a value, where the model has nothing to fill in: " + what)
      ->group(kGroup);
  add_choice<RowPolicy>(app, "--unseen", arguments.rows.unseen, policies,
                        "A level that the model has not seen, likewise (default: error)")
      ->group(kGroup);
}

void add_keep_option(CLI::App& app, InputArguments& arguments) {
  add_list(app, "--keep", arguments.rows.kept, "COL",
           "Take a column of DATA along into the output, such as an identifier; may be given "
           "several times")
      ->group("Output");
}

Model load_model(const InputArguments& arguments) {
  if (!arguments.knn) {
    if (!arguments.target.empty() && !arguments.keeps_target)
      throw UsageError("--target was given, expected --knn with it");
    return with_range(read_model(arguments.model, arguments.format.limits), arguments);
  }
  if (!arguments.range.empty())
    throw UsageError("--range was given, expected a model file with it");
  DataFormat format = format_for(arguments.model, arguments);
  if (!parse_number(arguments.target)) format.known_names = {arguments.target};
  const auto reader = open_data(arguments.model, format);
  Model model = neighbors_from_data(*reader, arguments.model.string(), arguments.target,
                                    *arguments.knn, arguments.dropped);
  note_unscaled(model, arguments);
  return model;
}

RowSource::RowSource(const std::filesystem::path& path, const InputArguments& arguments,
                     const Model& model)
    : source_(path.string()),
      limits_(arguments.format.limits),
      reader_(open_data(path, format_for(path, arguments, model))),
      features_(model.features()) {
  const bool can_widen =
      reader_->is_sparse() && model.feature_names().empty() && model.input().is_identity();
  if (can_widen)
    features_ = std::max(features_,
                         positional_features(*reader_, source_,
                                             columns_to_drop(*reader_, source_, arguments, model)));
  RowOptions options = arguments.rows;
  options.target = target_column(*reader_, source_, arguments, model);
  if (options.target)
    target_name_ = reader_->has_meaningful_names() ? reader_->names()[*options.target] : "target";
  rows_.emplace(model_rows(*reader_, source_, arguments, widen(model), options));
  names_ = names_of(*reader_, model, features_, rows_->columns());
}

Model RowSource::widen(const Model& model) const {
  return features_ > model.features() ? pad_features(model, features_, limits_) : model;
}

ModelChunk RowSource::next_chunk(std::size_t most) {
  const auto read = [this, most] {
    ModelChunk rows = read_chunk(*rows_, most);
    return Chunk{std::move(rows), reader_->fraction_read()};
  };
  Chunk chunk = ahead_.valid() ? ahead_.get() : read();
  if (chunk.rows.rows.rows() > 0) ahead_ = std::async(std::launch::async, read);
  fraction_ = chunk.fraction;
  for (const UnusableRow& row : chunk.rows.unusable) {
    if (!first_unusable_) first_unusable_ = row.row;
    ++(row.is_missing ? missing_ : unseen_);
  }
  return std::move(chunk.rows);
}

void RowSource::write_unusable(std::ostream& notes) const {
  const auto write = [&](std::size_t count, const char* what) {
    if (count > 0)
      notes << fmt::format(
          "note: {}: {} row{} {} (the first row that the model cannot take is {})\n", source_,
          count, count == 1 ? " has" : "s have", what, *first_unusable_);
  };
  write(missing_, "a cell without a value");
  write(unseen_, "a level that the model does not know");
}

void note_outside(std::size_t rows, const std::string& source, std::ostream& notes) {
  if (rows > 0)
    notes << fmt::format(
        "note: {}: {} row{} far outside the model's data: a prediction says little there\n", source,
        rows, rows == 1 ? " lies" : "s lie");
}

std::size_t default_chunk_rows(std::size_t features) {
  constexpr std::size_t kMaxRows = 8192, kMaxNumbers = std::size_t{1} << 22;  // 32 MB
  return std::clamp<std::size_t>(kMaxNumbers / features, 1, kMaxRows);
}

Matrix read_rows(const std::filesystem::path& path, const InputArguments& arguments,
                 const Model& model) {
  const auto reader = open_data(path, format_for(path, arguments, model));
  return model_rows(*reader, path.string(), arguments, model).rest();
}

}  // namespace bisector::cli
