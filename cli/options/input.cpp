#include "cli/options/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "bisector/error.h"
#include "bisector/io/model_file.h"
#include "bisector/train/neighbors_from_data.h"
#include "cli/options/limit_option.h"
#include "cli/options/option_values.h"
#include "cli/verb.h"

namespace bisector::cli {
namespace {

char parse_delimiter(const std::string& text) {
  if (text == "tab" || text == "\\t" || text == "\t") return '\t';
  if (text == "," || text == ";") return text[0];
  throw UsageError(fmt::format("--delimiter is \"{}\", expected , or ; or tab", text));
}

/// The format options speak about the data; other files follow them where they are of the same
/// sort.
DataFormat format_for(const std::filesystem::path& path, const InputArguments& arguments) {
  const auto sort = [](const std::filesystem::path& file) {
    return file == "-" ? ".csv" : file.extension();
  };
  const bool is_alike = arguments.data.empty() || sort(path) == sort(arguments.data);
  return is_alike ? arguments.format : DataFormat{.limits = arguments.format.limits};
}

bool is_matched_by_name(const DataReader& reader, const Model& model) {
  return reader.has_meaningful_names() && !column_names(model).empty();
}

/// How many features a file has by position: all columns but the format's own target and the
/// dropped ones.
std::size_t positional_features(const DataReader& reader, const std::string& source,
                                const std::vector<std::string>& dropped) {
  std::set<std::size_t> left_out;
  if (const auto own = reader.target()) left_out.insert(*own);
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
                     const Model& model, std::optional<std::size_t> target = {}) {
  const auto dropped = columns_to_drop(reader, source, arguments, model);
  if (!is_matched_by_name(reader, model))
    require_not_too_many(reader, source, dropped, column_count(model));
  const auto carried = target ? std::vector{*target} : std::vector<std::size_t>{};
  return ModelRows(reader, source, model, dropped, carried);
}

}  // namespace

void add_input_files(CLI::App& app, InputArguments& arguments, const std::string& data) {
  add_path(app, "MODEL", arguments.model, "",
           "A LIBSVM model file, an .npz bundle or ONNX; with --knn the training rows")
      ->required();
  add_path(app, "DATA", arguments.data, "",
           data + ": CSV, LIBSVM, NPY, NPZ or ARFF; - is CSV from standard input")
      ->required();
}

void add_knn_options(CLI::App& app, InputArguments& arguments, const std::string& purpose) {
  constexpr auto kGroup = "Nearest neighbours without a model file";
  add_count(app, "--knn", arguments.knn, 1, "K",
            "MODEL is a data file of training rows; the model is their K nearest neighbours")
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
         "Of a CSV file: , or ; or tab (default: found out)")
      ->option_text("CHAR")
      ->group(kGroup);
  add_choice<Header>(app, "--header", arguments.format.header,
                     {{"auto", Header::automatic}, {"yes", Header::yes}, {"no", Header::no}},
                     "Is the first line of a CSV file the names? (default: found out)")
      ->group(kGroup);
  add_text(app, "--array", arguments.format.array, "NAME",
           "The array of an NPZ file (default: X, or the only matrix)")
      ->group(kGroup);
  add_list(app, "--drop", arguments.dropped, "COL",
           "Leave out a column, by name or number; may be given several times. Columns that a "
           "model with names does not name are left out anyway")
      ->group(kGroup);
  add_limit_option(app, arguments.format.limits);
}

Model load_model(const InputArguments& arguments) {
  if (!arguments.knn) {
    if (!arguments.target.empty() && !arguments.keeps_target)
      throw UsageError("--target was given, expected --knn with it");
    return read_model(arguments.model, arguments.format.limits);
  }
  const auto reader = open_data(arguments.model, format_for(arguments.model, arguments));
  return neighbors_from_data(*reader, arguments.model.string(), arguments.target, *arguments.knn,
                             arguments.dropped);
}

RowSource::RowSource(const std::filesystem::path& path, const InputArguments& arguments,
                     const Model& model)
    : source_(path.string()),
      limits_(arguments.format.limits),
      reader_(open_data(path, format_for(path, arguments))),
      features_(model.features()) {
  const bool can_widen =
      reader_->is_sparse() && model.feature_names().empty() && model.input().is_identity();
  if (can_widen)
    features_ = std::max(features_,
                         positional_features(*reader_, source_,
                                             columns_to_drop(*reader_, source_, arguments, model)));
  const auto target = target_column(*reader_, source_, arguments, model);
  if (target) target_name_ = reader_->has_meaningful_names() ? reader_->names()[*target] : "target";
  rows_.emplace(model_rows(*reader_, source_, arguments, widen(model), target));
  names_ = names_of(*reader_, model, features_, rows_->columns());
}

Model RowSource::widen(const Model& model) const {
  return features_ > model.features() ? pad_features(model, features_, limits_) : model;
}

Matrix RowSource::next(std::size_t most) {
  const auto read = [this, most] {
    Matrix rows = rows_->next(most);
    return Chunk{std::move(rows),
                 target_name_ ? rows_->carried().front() : std::vector<std::string>{},
                 reader_->fraction_read()};
  };
  Chunk chunk = ahead_.valid() ? ahead_.get() : read();
  if (chunk.rows.rows() > 0) ahead_ = std::async(std::launch::async, read);
  fraction_ = chunk.fraction;
  targets_ = std::move(chunk.targets);
  return std::move(chunk.rows);
}

std::size_t default_chunk_rows(std::size_t features) {
  constexpr std::size_t kMaxRows = 8192, kMaxNumbers = std::size_t{1} << 22;  // 32 MB
  return std::clamp<std::size_t>(kMaxNumbers / features, 1, kMaxRows);
}

Matrix read_rows(const std::filesystem::path& path, const InputArguments& arguments,
                 const Model& model) {
  const auto reader = open_data(path, format_for(path, arguments));
  return model_rows(*reader, path.string(), arguments, model).rest();
}

}  // namespace bisector::cli
