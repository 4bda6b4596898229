// A report: the explanations of many rows, and a page that shows them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/explain.h"
#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/model.h"
#include "bisector/network.h"
#include "bisector/notes.h"
#include "bisector/score.h"

namespace bisector {

/// A column of the data (one feature of the model, or all features of a one-hot column), or a group
/// of columns that are explained together.
struct ReportColumn {
  std::string name;
  std::vector<std::string> levels;  // of categories; a value is then the position of a level
  std::size_t first = 0;            // the first of its features
  std::size_t width = 1;            // more than one: one-hot
  bool is_one_hot = false;
  std::vector<std::size_t> members = {};  // a group: its columns; it has no features and no value
};

/// Columns that are explained together, as one feature.
struct ReportGroup {
  std::string name;
  std::vector<std::size_t> columns;  // positions of data columns
};

/// Summary of a column over all rows, also those that are not shown.
struct ColumnSummary {
  double mean_absolute = 0.0;                 // of the relevance: how important the column is
  double mean_for = 0.0, mean_against = 0.0;  // its parts above and below zero, both >= 0
  /// The mean of |relevance| over the shown rows, without the smallest and the largest tenth.
  double typical = 0.0;
  double least = 0.0, mean = 0.0, most = 0.0;  // of the values
  std::size_t imputed = 0;                     // rows whose missing value was imputed
};

/// The unit of a report's numbers.
struct ReportUnit {
  std::string name;    // behind a number: "votes", "units of the decision value", "% of ..."
  std::string output;  // name of their total: "vote difference"
};

/// How strongly pairs of columns act together: means over some of the shown rows.
struct ReportPairs {
  std::vector<std::size_t> columns;  // at most 40, the most important first
  /// Columns x columns, symmetric: the mean of |interaction| of each pair, and of |main effect| on
  /// the diagonal.
  Matrix mean_absolute;
  std::size_t rows = 0;  // of the means
  /// True: Shapley interaction values in the unit of the model's output. False: integrated
  /// Hessians in the unit of g.
  bool is_exact = true;
  ReportUnit unit;
};

/// The shape of rows that are images, stored row by row.
struct ImageShape {
  std::size_t height = 0, width = 0;
};

/// Contributions of a network's inputs, for a report whose rows are the embeddings of these inputs.
struct NetworkInputs {
  std::string network;             // its name
  std::string method;              // the rule through the network: "lrp-expected", "lrp"
  std::vector<std::string> names;  // of the inputs
  Matrix values, relevance;        // rows x inputs
  Matrix standard_error;           // the same, or empty
  std::vector<double> output, base, remainder;  // of each row
  Matrix points;                                // inputs of the model's points; empty: not known
};

/// How fast predictions flip when features are removed in a method's order.
struct MethodCurve {
  std::string method;
  double aufc = 0.0, standard_error = 0.0;
  std::vector<double> removed, mean;
};

struct PixelFlippingReport {
  std::size_t rows = 0, samples = 0;
  std::vector<MethodCurve> curves;
};

/// Names and descriptions that the caller provides.
struct ReportWords {
  std::string title, model_file, data_file;
  std::string model_kind;     // "Gaussian SVM classifier"
  std::string point_name;     // "support vectors"
  std::string preprocessing;  // "none", "each feature is shifted and scaled"
};

struct ReportFile {
  std::string role;          // "Model file"
  std::string name, sha256;  // without its folder; the hash may be empty
};

/// A line of the table of a report's origin: "Training rows", "700 of credit.csv".
struct ReportFact {
  std::string name, text;
};

/// Where a report comes from.
struct ReportProvenance {
  std::string date;     // ISO 8601
  std::string command;  // what the user typed
  std::vector<ReportFile> files;
  std::vector<ReportFact> facts = {};  // about the training
};

/// One pool of points, if it is the same for every row.
struct ReportPool {
  std::string name;
  std::size_t points = 0;
  bool has_intercept = false;
};

/// A class and its name on the page.
struct ClassName {
  std::string label, name;
};

BISECTOR_EXPORT ReportUnit unit_of(const Model& model, Unit unit);

struct ReportOptions {
  ReportWords words;
  ReportProvenance provenance;
  std::vector<ReportPool> pools;           // P and N, or none
  std::vector<std::string> feature_names;  // if the model has none
  std::vector<ClassName> names;            // of classes; one-class models have names of their own
  std::string unit_name;                   // of the model's output, such as "MPa"; empty: general
  std::string target_name;                 // of the column that the targets come from
  std::vector<std::string> kept_names;     // of columns that are shown but not used
  std::vector<ReportGroup> groups;         // of columns; a column is in at most one
  std::optional<ImageShape> image;
  std::shared_ptr<const NetworkInputs> network;  // rows are embeddings; may be none
  bool is_series = false;                        // the features have an order, such as time
  /// Points of either side for a row; by default 5, or all neighbors that vote, at most 25.
  std::optional<std::size_t> evidence = {};
  bool has_model = true;  // false: no evidence, no what-if
  /// Pairs for every model that has them. Otherwise a report has them if they are exact, have at
  /// most 40 columns and take about a second.
  bool interactions = false;
  std::uint64_t seed = 0;                     // of the drawn rows
  std::vector<std::size_t> row_numbers = {};  // show these rows, ascending; none: a draw
  std::size_t most_rows = 5000;
  std::size_t most_values = 300'000;  // rows x columns: wide rows are fewer
  /// Rows of the table if the model was trained on it. A report of as many rows has only training
  /// rows; otherwise rows that equal a point of the model are counted.
  std::optional<std::size_t> training_rows = {};
};

/// The content of a page.
struct BISECTOR_EXPORT Report {
  ReportOptions options;
  ExplainSettings settings;
  ReportUnit unit;
  bool has_background = false;      // references are background rows, not points
  std::vector<std::string> labels;  // the model's classes, then others that targets have
  bool is_regressor = false, is_one_class = false;
  std::vector<double> truth;                   // of the shown rows: class or number, NaN: not known
  std::vector<std::vector<std::string>> kept;  // cells of options.kept_names, column by column
  std::optional<Score> quality;                // where targets were given, over all rows
  std::size_t own_points = 0;  // of the shown rows, those that are known to be training rows
  std::size_t model_points = 0;
  std::vector<ReportColumn> columns;       // those of the data, then the groups
  std::vector<ColumnSummary> summary;      // one per column; columns of a group have no relevance
  std::optional<ReportPairs> pairs;        // if the model has them; see ReportOptions
  std::vector<std::size_t> by_importance;  // columns in no group and groups, the largest first
  std::size_t total_rows = 0;
  std::vector<std::size_t> row_numbers;  // those that are shown, counted from one, ascending
  Matrix values;                         // shown rows x columns
  ImputedColumns imputed;                // of the shown rows; empty if the model imputes nothing
  std::vector<Note> notes;               // on all rows, also those that are not shown
  std::size_t imputed_rows = 0;          // rows with an imputed value, also those not shown
  Explanation explanation;               // of the shown rows; relevance and errors by column
  std::vector<DecidingPoints> evidence;  // of the first shown rows
  std::vector<std::size_t> evidence_points;  // points of the model that the evidence names
  /// Their rows in the training table, counted from one; empty if the model does not know them.
  std::vector<std::size_t> evidence_rows;
  bool has_votes = false;            // the evidence are the neighbors that vote
  Matrix evidence_values;            // their values, in the data's units
  std::vector<double> packed_model;  // for the page's own calculations; may be empty
  std::string why_no_model;          // in that case
  std::optional<PixelFlippingReport> pixel_flipping;
  std::shared_ptr<const Report> against;  // another model on the same rows; may be none
};

/// Deciding points are stored for at most this many rows.
inline constexpr std::size_t kMaxEvidenceRows = 5000;

/// A model with more numbers than this is left out of the page.
inline constexpr std::size_t kMaxPackedNumbers = 500'000;

/// Builds a report from chunks of rows: the summary from all of them, the charts from a seeded
/// sample.
class BISECTOR_EXPORT ReportBuilder {
 public:
  /// Throws InvalidInput for a baseline, which has no evidence, if the image does not have as many
  /// pixels as the model has features (behind a network: as it has inputs), if interactions are
  /// asked for and the model has none, for groups that are empty, share a column or have the name
  /// of a column, and for arrays of a network whose sizes differ.
  ReportBuilder(const Model& model, const Method& method, const ExplainOptions& explain,
                ReportOptions options);
  ReportBuilder(ReportBuilder&&) noexcept;
  ~ReportBuilder();

  /// The next rows in the model's input space, their targets, and their numbers in the file,
  /// ascending. Targets and numbers may be empty; rows are then counted from one.
  /// `kept` has the cells of ReportOptions::kept_names, column by column, and `imputed` the imputed
  /// columns of every row, as ModelChunk has them. Throws InvalidRow for a regressor's target that
  /// is no number.
  void add(MatrixView<const double> rows, std::span<const std::string> targets = {},
           std::span<const std::size_t> numbers = {},
           std::span<const std::vector<std::string>> kept = {},
           std::span<const std::vector<std::size_t>> imputed = {});
  /// Throws InvalidInput if there was no row.
  Report finish();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// The parts of the page as built.
struct PageParts {
  std::string_view page;    // HTML with markers for the data
  std::string_view engine;  // the library, gzip and base64; empty if not built
};

/// The data of a report, as JSON in which no character can end a script element.
BISECTOR_EXPORT std::string report_json(const Report& report);

/// Writes one self-contained page. Names and labels are shown as text, whatever they contain.
BISECTOR_EXPORT void write_page(std::ostream& out, const Report& report, const PageParts& parts);

}  // namespace bisector
