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
  return is_alike ? arguments.format : DataFormat{.limits = arguments.format.limits};
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
  if (!is_data && !arguments.dropped_of_others.empty()) {
    options.dropped = arguments.dropped_of_others;
    options.is_drop_optional = false;
  }
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

}  // namespace

void add_input_files(CLI::App& app, InputArguments& arguments, const std::string& data,
                     bool is_data_required) {
  add_path(app, "MODEL", arguments.model, "",
           "A LIBSVM model file or an .npz bundle; with --knn the training rows")
      ->required();
  add_path(app, "DATA", arguments.data, "", fmt::format("{}: {}", data, kDataFormats))
      ->required(is_data_required);
}

void add_knn_options(CLI::App& app, InputArguments& arguments, const std::string& purpose) {
  const OptionGroup group(app, "Nearest neighbors without a model file");
  add_count(app, "--knn", arguments.knn, 1, "K",
            "MODEL is a data file of training rows, and the model is their K nearest neighbors "
            "without scaling (train --model knn scales)");
  add_text(app, "--target", arguments.target, "COL",
           std::string("With --knn: the label column, by name or number (not needed for LIBSVM "
                       "files and an NPZ file with y)") +
               (arguments.keeps_target ? "; otherwise the column of DATA " + purpose +
                                             " (default: the training target)"
                                       : ""));
}

void add_data_options(CLI::App& app, InputArguments& arguments, std::vector<OwnLimit> own) {
  const OptionGroup group(app, "Reading data");
  using Header = DataFormat::Header;
  app.add_option_function<std::string>(
         "--delimiter",
         [&arguments](const std::string& text) {
           arguments.format.delimiter = parse_delimiter(text);
         },
         "CSV delimiter: , ; | tab or space (default: auto-detect)")
      ->option_text("CHAR");
  add_choice<Header>(app, "--header", arguments.format.header,
                     {{"auto", Header::automatic}, {"yes", Header::yes}, {"no", Header::no}},
                     "Whether the first line of a CSV file has names (default: auto-detect)");
  add_text(app, "--x", arguments.format.array, "NAME",
           "The array of an NPZ file with the rows (default: X, or the only matrix)");
  add_text(app, "--y", arguments.format.target_array, "NAME",
           "The array of an NPZ file with the target (default: y, if it fits)");
  add_list(app, "--drop", arguments.dropped, "COL",
           "Leave out a column, by name or number; may be given several times");
  add_limit_option(app, arguments.format.limits, std::move(own));
}

void add_background_drop(CLI::App& app, InputArguments& arguments) {
  add_list(
      app, "--background-drop", arguments.dropped_of_others, "COL",
      "Leave out a column of the background and of other files than DATA (default: the columns "
      "of --drop, if the file has too many)")
      ->group("Reading data");
}

void add_row_policies(CLI::App& app, InputArguments& arguments) {
  const OptionGroup group(app, "Rows that the model cannot use");
  const std::vector<std::pair<std::string, RowPolicy>> policies = {
      {"error", RowPolicy::error}, {"skip", RowPolicy::skip}, {"mark", RowPolicy::mark}};
  const std::string what =
      "skip leaves the row out, mark writes it without results, or counts it where the output has "
      "no rows (default: error)";
  add_choice<RowPolicy>(app, "--missing", arguments.rows.missing, policies,
                        "A missing value that the model cannot impute: " + what);
  add_choice<RowPolicy>(app, "--unseen", arguments.rows.unseen, policies,
                        "A level that did not occur in training: " + what);
}

void add_keep_option(CLI::App& app, InputArguments& arguments) {
  add_list(app, "--keep", arguments.rows.kept, "COL",
           "Copy a column of DATA to the output, such as an identifier; may be given several times")
      ->group("Output");
}

Model load_model(const InputArguments& arguments) {
  if (!arguments.knn) {
    if (!arguments.target.empty() && !arguments.keeps_target)
      throw UsageError("--target needs --knn");
    return read_model(arguments.model, arguments.format.limits);
  }
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
    : bisector::RowSource(path, source_options(path, arguments), model), policies_(arguments.rows) {
  if (arguments.notes == nullptr) return;
  for (const std::string& note : bisector::RowSource::notes())
    *arguments.notes << fmt::format("note: {}: {}\n", name(), note);
}

void RowSource::write_unusable(std::ostream& notes) const {
  const auto write = [&](const SkippedRows& skipped, RowPolicy policy, const char* what) {
    if (skipped.count == 0) return;
    const bool is_one = skipped.count == 1;
    const char* const result = policy == RowPolicy::mark
                                   ? (is_one ? "has no result" : "have no results")
                               : is_one ? "is left out"
                                        : "are left out";
    notes << fmt::format("note: {}: {} row{} {} and {} (the first is row {})\n", name(),
                         skipped.count, is_one ? " has" : "s have", what, result, skipped.first);
  };
  write(missing(), policies_.missing, "a missing value");
  write(unseen(), policies_.unseen, "a level that the model does not know");
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
