#include "cli/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "bisector/error.h"
#include "bisector/model_file.h"
#include "bisector/neighbors_from_data.h"
#include "cli/option_values.h"
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
  return is_alike ? arguments.format : DataFormat{};
}

/// The columns that a model reads: its features, or what its encoding makes them from.
struct WantedColumns {
  std::vector<std::string> names;  // none: by position
  std::size_t count;
};

WantedColumns wanted_columns(const Model& model) {
  const auto& encoding = model.encoding();
  if (!encoding) return {model.feature_names(), model.features()};
  return {encoding->has_names() ? encoding->column_names() : std::vector<std::string>{},
          encoding->columns().size()};
}

bool is_matched_by_name(const DataReader& reader, const Model& model) {
  return reader.has_meaningful_names() && !wanted_columns(model).names.empty();
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
  if (is_the_data) return arguments.dropped;
  if (is_matched_by_name(reader, model)) return {};
  if (positional_features(reader, source, {}) <= wanted_columns(model).count) return {};
  std::vector<std::string> dropped = arguments.dropped;
  if (!arguments.target.empty()) dropped.push_back(arguments.target);
  return dropped;
}

/// The model's names, else the file's, else x1, x2, and so on.
std::vector<std::string> feature_names_of(const DataReader& reader, const std::string& source,
                                          const Model& model,
                                          const std::vector<std::string>& dropped) {
  if (!model.feature_names().empty()) return model.feature_names();
  std::vector<std::string> names;
  if (reader.has_meaningful_names()) {
    for (const std::size_t column : match_features(reader, source, {}, model.features(), dropped))
      names.push_back(reader.names()[column]);
  } else {
    for (std::size_t i = 0; i < model.features(); ++i) names.push_back(model.feature_name(i));
  }
  return names;
}

/// Most often the column too many is the target, which nobody told a file of plain numbers from.
void require_not_too_many(const DataReader& reader, const std::string& source, const Model& model,
                          const std::vector<std::string>& dropped) {
  if (is_matched_by_name(reader, model)) return;
  const std::size_t columns = positional_features(reader, source, dropped);
  const std::size_t wanted = wanted_columns(model).count;
  if (columns <= wanted) return;
  const std::string last = reader.has_meaningful_names()
                               ? fmt::format("; the last is \"{}\"", reader.names().back())
                               : "";
  throw InvalidInput(fmt::format(
      "{} has {} columns, the model {} features: leave out the others with --drop COL{}", source,
      columns, wanted, last));
}

/// The model, with zero columns added where a sparse file has more features.
Model widened_for(const DataReader& reader, const std::string& source, const Model& model,
                  const std::vector<std::string>& dropped) {
  const bool can_widen =
      reader.is_sparse() && model.feature_names().empty() && model.input().is_identity();
  const std::size_t features = can_widen ? positional_features(reader, source, dropped) : 0;
  return features > model.features() ? widened(model, features) : model;
}

}  // namespace

void add_input_files(CLI::App& app, InputArguments& arguments, const std::string& data) {
  add_path(app, "MODEL", arguments.model, "",
           "A LIBSVM model file or an .npz bundle; with --knn the training rows")
      ->required();
  add_path(app, "DATA", arguments.data, "",
           data + ": CSV, LIBSVM, NPY, NPZ or ARFF; - is CSV from standard input")
      ->required();
}

void add_knn_options(CLI::App& app, InputArguments& arguments) {
  constexpr auto kGroup = "Nearest neighbours without a model file";
  add_count(app, "--knn", arguments.knn, 1, "K",
            "MODEL is a data file of training rows; the model is their K nearest neighbours")
      ->group(kGroup);
  add_text(app, "--target", arguments.target, "COL",
           "With --knn: the column of the labels, by name or number (LIBSVM files and an NPZ with "
           "y need none)")
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
}

Model load_model(const InputArguments& arguments) {
  if (!arguments.knn) {
    if (!arguments.target.empty()) throw UsageError("--target was given, expected --knn with it");
    return read_model(arguments.model);
  }
  const auto reader = open_data(arguments.model, format_for(arguments.model, arguments));
  return neighbors_from_data(*reader, arguments.model.string(), arguments.target, *arguments.knn,
                             arguments.dropped);
}

RowSource::RowSource(const std::filesystem::path& path, const InputArguments& arguments,
                     const Model& model)
    : reader_(open_data(path, format_for(path, arguments))), model_(model) {
  const std::string source = path.string();
  const auto dropped = columns_to_drop(*reader_, source, arguments, model);
  model_ = widened_for(*reader_, source, model, dropped);
  require_not_too_many(*reader_, source, model_, dropped);
  names_ = feature_names_of(*reader_, source, model_, dropped);
  rows_.emplace(*reader_, source, model_, dropped);
}

Matrix RowSource::next(std::size_t most) {
  const auto read = [this, most] {
    Matrix rows = rows_->next(most);
    return Chunk{std::move(rows), reader_->fraction_read()};
  };
  Chunk chunk = ahead_.valid() ? ahead_.get() : read();
  if (chunk.rows.rows() > 0) ahead_ = std::async(std::launch::async, read);
  fraction_ = chunk.fraction;
  return std::move(chunk.rows);
}

std::size_t default_chunk_rows(std::size_t features) {
  constexpr std::size_t kMostRows = 8192, kMostNumbers = std::size_t{1} << 22;  // 32 MB
  return std::clamp<std::size_t>(kMostNumbers / features, 1, kMostRows);
}

Matrix read_rows(const std::filesystem::path& path, const InputArguments& arguments,
                 const Model& model) {
  const auto reader = open_data(path, format_for(path, arguments));
  const std::string source = path.string();
  const auto dropped = columns_to_drop(*reader, source, arguments, model);
  require_not_too_many(*reader, source, model, dropped);
  return ModelRows(*reader, source, model, dropped).rest();
}

}  // namespace bisector::cli
