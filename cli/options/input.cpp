#include "cli/options/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bisector/error.h"
#include "bisector/io/model_file.h"
#include "bisector/notes.h"
#include "bisector/train/neighbors_from_data.h"
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

/// The format options are about DATA; other files use them if they are of the same type.
DataFormat format_for(const std::filesystem::path& path, const InputArguments& arguments) {
  const auto type = [](const std::filesystem::path& file) {
    return file == "-" ? ".csv" : file.extension();
  };
  const bool is_alike = arguments.data.empty() || type(path) == type(arguments.data);
  DataFormat format = is_alike ? arguments.format : DataFormat{.limits = arguments.format.limits};
  if (!parse_number(arguments.target)) format.target_array = arguments.target;
  return format;
}

/// DATA has the columns that the options name; other files may be the training file again, or
/// have the features only.
RowSourceOptions source_options(const std::filesystem::path& path,
                                const InputArguments& arguments) {
  const bool is_data = path == arguments.data;
  RowSourceOptions options{.format = format_for(path, arguments),
                           .dropped = arguments.dropped,
                           .is_drop_optional = !is_data || arguments.knn.has_value(),
                           .target = arguments.target,
                           .delivers_target = is_data && arguments.keeps_target};
  if (is_data) options.rows = arguments.rows;
  return options;
}

/// The largest range of a column, divided by the smallest range of a column that is not constant.
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

/// Notes columns of very different ranges: without scaling the largest dominates the distance.
void note_unscaled(const Model& model, const InputArguments& arguments) {
  constexpr double kMuchLarger = 10.0;
  const double ratio = ratio_of_ranges(model.points());
  if (arguments.notes != nullptr && ratio > kMuchLarger)
    *arguments.notes << fmt::format(
        "note: {}: --knn does not scale the columns, and the range of one is {:.3g} times that of "
        "another (bisector train --model knn scales them)\n",
        arguments.model.string(), ratio);
}

/// The limits of files, and those of the verb.
std::vector<OwnLimit> all_limits(Limits& limits, std::vector<OwnLimit> own) {
  const auto add = [&](const char* name, std::uint64_t Limits::*value) {
    own.push_back({name, [&limits, value](std::uint64_t most) { limits.*value = most; }});
  };
  add("elements", &Limits::max_elements);
  add("features", &Limits::max_features);
  add("expansion", &Limits::max_expansion);
  add("unpacked-bytes", &Limits::max_unpacked_bytes);
  add("metadata-bytes", &Limits::max_metadata_bytes);
  add("row-bytes", &Limits::max_row_bytes);
  return own;
}

// Below this value no sum or product with a limit overflows.
const NumberRange kLimitRange = {1.0, 0x1p48, "a whole number from 1 to 2^48", true};

std::string names(const std::vector<OwnLimit>& limits) {
  std::vector<std::string_view> all;
  for (const OwnLimit& limit : limits) all.push_back(limit.name);
  return fmt::format("{}", fmt::join(all, ", "));
}

void set_limit(const std::vector<OwnLimit>& limits, const std::string& text) {
  const auto given = key_value(text);
  const auto known = std::ranges::find(limits, given ? given->first : "", &OwnLimit::name);
  if (known == limits.end())
    throw UsageError(
        fmt::format("--limit is \"{}\", expected NAME=N with one of {}", text, names(limits)));
  known->set(static_cast<std::uint64_t>(
      parse_in_range("--limit " + known->name, given->second, kLimitRange)));
}

}  // namespace

void add_limit_option(CLI::App& app, Limits& limits, std::vector<OwnLimit> own) {
  own = all_limits(limits, std::move(own));
  const std::string list = names(own);
  app.add_option_function<std::vector<std::string>>(
         "--limit",
         [own = std::move(own)](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) set_limit(own, text);
         },
         "Change a limit, for a file that you trust; repeatable; NAME is " + list)
      ->option_text("NAME=N")
      ->allow_extra_args(false);
}

void add_input_files(CLI::App& app, InputArguments& arguments, const std::string& data,
                     bool is_data_required) {
  add_path(app, "MODEL", arguments.model, "", kModelFormats)->required();
  add_path(app, "DATA", arguments.data, "", fmt::format("{}: {}", data, kDataFormats))
      ->required(is_data_required);
}

void add_knn_option(CLI::App& app, InputArguments& arguments) {
  const OptionGroup group(app, kTableGroup);
  add_count(app, "--knn", arguments.knn, 1, "K",
            "MODEL is a table with the column --target, and the model is the K nearest neighbors "
            "in it, without scaling (train --model knn scales)");
}

void add_table_options(CLI::App& app, InputArguments& arguments, const std::string& no_target,
                       std::vector<OwnLimit> own) {
  const OptionGroup group(app, kTableGroup);
  using Header = DataFormat::Header;
  add_text(app, "--target", arguments.target, "COL",
           "The column to predict, by name or number, or the array of an NPZ file (default: " +
               no_target + ')');
  add_list(app, "--drop", arguments.dropped, "COL",
           "Leave out a column, by name or number; repeatable");
  add_parsed(app, "--delimiter", "CHAR", "CSV delimiter: , ; | tab or space (default: detected)",
             [&arguments](const std::string& text) {
               arguments.format.delimiter = parse_delimiter(text);
             });
  add_choice<Header>(app, "--header", arguments.format.header,
                     {{"auto", Header::automatic}, {"yes", Header::yes}, {"no", Header::no}},
                     "If the first line of a CSV has names (default: detected)");
  add_limit_option(app, arguments.format.limits, std::move(own));
}

void add_model_table_options(CLI::App& app, InputArguments& arguments, std::vector<OwnLimit> own) {
  const OptionGroup group(app, kTableGroup);
  add_table_options(app, arguments, "the training target", std::move(own));
  add_choice<RowPolicy>(
      app, "--missing", arguments.rows.missing,
      {{"error", RowPolicy::error}, {"skip", RowPolicy::skip}, {"mark", RowPolicy::mark}},
      "At a missing value that the model cannot impute, or a level that it does not know: stop "
      "(default), leave the row out, or write it without results");
}

OwnLimit chunk_limit(InputArguments& arguments) {
  return {"chunk", [&arguments](std::uint64_t rows) { arguments.chunk = rows; }};
}

void add_keep_option(CLI::App& app, InputArguments& arguments) {
  const OptionGroup group(app, kTableGroup);
  add_list(app, "--keep", arguments.rows.kept, "COL",
           "Copy a column of DATA to the output, such as an identifier; repeatable");
}

Model load_model(const InputArguments& arguments) {
  if (!arguments.knn) return read_model(arguments.model, arguments.format.limits);
  DataFormat format = format_for(arguments.model, arguments);
  if (!parse_number(arguments.target)) format.known_names = {arguments.target};
  const auto reader = open_data(arguments.model, format);
  Model model = neighbors_from_data(*reader, arguments.model.string(), arguments.target,
                                    *arguments.knn, arguments.dropped);
  note_unscaled(model, arguments);
  return model;
}

BundleExtras load_extras(const InputArguments& arguments) {
  if (arguments.knn) return {};
  return read_bundle_extras(arguments.model, arguments.format.limits);
}

RowSource::RowSource(const std::filesystem::path& path, const InputArguments& arguments,
                     const Model& model)
    : bisector::RowSource(path, source_options(path, arguments), model),
      policy_(arguments.rows.missing) {
  if (arguments.notes == nullptr) return;
  for (const std::string& note : bisector::RowSource::notes())
    *arguments.notes << fmt::format("note: {}: {}\n", name(), note);
}

void RowSource::write_unusable(std::ostream& notes) const {
  const auto write = [&](const SkippedRows& skipped, const char* what) {
    if (skipped.count == 0) return;
    const bool is_one = skipped.count == 1;
    const char* const result = policy_ == RowPolicy::mark
                                   ? (is_one ? "has no result" : "have no results")
                               : is_one ? "is left out"
                                        : "are left out";
    notes << fmt::format("note: {}: {} row{} {} and {} (the first is row {})\n", name(),
                         skipped.count, is_one ? " has" : "s have", what, result, skipped.first);
  };
  write(missing(), "a missing value");
  write(unseen(), "a level that the model does not know");
}

std::vector<std::string> prediction_notes(std::size_t rows, std::size_t outside,
                                          std::size_t without_neighbors,
                                          const std::string& source) {
  std::vector<std::string> notes;
  if (are_many(outside, rows))
    notes.push_back(fmt::format(
        "{}: {} of {} row{} far from the training data, so the prediction is not reliable there",
        source, outside, rows, rows == 1 ? " is" : "s are"));
  if (without_neighbors > 0)
    notes.push_back(fmt::format(
        "{} row{} no training row within the radius, so no neighbor votes; the prediction is the "
        "model's default",
        without_neighbors, without_neighbors == 1 ? " has" : "s have"));
  return notes;
}

Matrix read_rows(const std::filesystem::path& path, const InputArguments& arguments,
                 const Model& model) {
  Matrix rows = RowSource(path, arguments, model).rest();
  if (rows.cols() != model.features())
    throw InvalidInput(fmt::format("{} has {} features, the model {}", path.string(), rows.cols(),
                                   model.features()));
  return rows;
}

}  // namespace bisector::cli
