// A report: what a model's explanations of many rows say together, and a page to look at them.
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
#include "bisector/report/chart.h"
#include "bisector/score.h"

namespace bisector {

/// A column of the data as the reader knows it: one feature of the model, or all levels of a
/// one-hot column.
struct ReportColumn {
  std::string name;
  std::vector<std::string> levels;  // of text columns; a row's value is then a level's position
  std::size_t first = 0;            // the first of its features
  std::size_t width = 1;            // more than one: one-hot
  bool is_one_hot = false;
};

/// What all rows of the data say of a column, those that are not shown included.
struct ColumnSummary {
  double mean_absolute = 0.0;                 // of the relevance: how important the column is
  double mean_for = 0.0, mean_against = 0.0;  // its parts above and below zero, both >= 0
  /// The mean of |relevance| over the shown rows without the smallest and the largest tenth: a few
  /// extreme rows do not change it.
  double typical = 0.0;
  double least = 0.0, mean = 0.0, most = 0.0;  // of the values
};

/// The column that says most about a column's relevance beyond the column's own value; see
/// strongest_interactions.
struct Interaction {
  std::size_t partner = 0;
  double share = 0.0;  // of the variance, from 0 to 1
};

/// Pixels of rows that are pictures, row by row.
struct ImageShape {
  std::size_t height = 0, width = 0;
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

/// The words of a report that only its maker knows.
struct ReportWords {
  std::string title, model_file, data_file;
  std::string model_kind;     // "Gaussian SVM classifier"
  std::string point_name;     // "support vectors"
  std::string preprocessing;  // "none", "each feature is shifted and scaled"
};

/// One pool of points, where it is the same for every row.
struct ReportPool {
  std::string name;
  std::size_t points = 0;
  bool has_intercept = false;
};

/// What the numbers of a report are counted in.
struct ReportUnit {
  std::string name;    // behind a number: "votes", "units of the decision value", "% of ..."
  std::string output;  // what they add up to: "vote difference"
};

/// A class and what a reader calls it.
struct ClassName {
  std::string label, name;
};

BISECTOR_EXPORT ReportUnit unit_of(const Model& model, Unit unit);

struct ReportOptions {
  ReportWords words;
  std::vector<ReportPool> pools;           // P and N, or none
  std::vector<std::string> feature_names;  // where the model has none of its own
  std::vector<ClassName> names;            // of classes; one-class models have names of their own
  std::string unit_name;                   // of the model's output, such as "MPa"; empty: general
  std::string target_name;                 // of the column that the targets come from
  std::vector<std::string> kept_names;     // of columns that only go along, such as identifiers
  std::optional<ImageShape> image;
  bool is_series = false;    // the features have an order, such as time
  std::size_t evidence = 5;  // points of either side for a row
  bool has_model = true;     // false keeps the model's points out: no evidence, no what-if
  std::uint64_t seed = 0;    // of the draw of the rows that are shown
  std::vector<std::size_t> row_numbers = {};  // show these rows, ascending; none: a draw
  std::size_t most_rows = 5000;
  std::size_t most_values = 300'000;  // rows x columns: wide rows are fewer
};

/// Everything that a page shows.
struct BISECTOR_EXPORT Report {
  ReportOptions options;
  ExplainSettings settings;
  ReportUnit unit;
  bool has_background = false;      // references and neighbors are its rows, not the model's points
  std::vector<std::string> labels;  // the model's classes, then others that targets have
  bool is_regressor = false, is_one_class = false;
  bool level_is_mean = false;  // regressors: the level is the mean of the training targets
  std::vector<double> truth;   // of the shown rows: class or number, NaN: not known
  std::vector<std::vector<std::string>> kept;  // cells of options.kept_names, column by column
  std::optional<Score> quality;                // where targets were given, over all rows
  std::size_t own_points = 0;  // of the shown rows, those that are points of the model
  std::size_t model_points = 0;
  std::vector<ReportColumn> columns;
  std::vector<ColumnSummary> summary;      // one per column
  std::vector<Interaction> interactions;   // one per column
  std::vector<std::size_t> by_importance;  // columns, the most important first
  std::size_t total_rows = 0;
  std::vector<std::size_t> row_numbers;      // those that are shown, counted from one, ascending
  Matrix values;                             // shown rows x columns
  Explanation explanation;                   // of the shown rows; relevance by column
  std::vector<DecidingPoints> evidence;      // of the first shown rows
  std::vector<std::size_t> evidence_points;  // points of the model that the evidence names
  Matrix evidence_values;                    // their values, in the data's units
  std::vector<double> packed_model;          // for the page's own calculations; may be empty
  std::string why_no_model;                  // in that case
  std::optional<PixelFlippingReport> pixel_flipping;
  std::shared_ptr<const Report> against;  // another model on the same rows; may be none

  /// What base, relevance and remainder of a row add up to, in the report's unit: its waterfall
  /// ends here. g, and with it the remainder, may be infinite where neighbors are few.
  double output(std::size_t shown_row) const;
  double remainder(std::size_t shown_row) const;
};

/// Deciding points are kept for so many rows.
inline constexpr std::size_t kMaxEvidenceRows = 5000;

/// A model with more numbers than this is left out of the page.
inline constexpr std::size_t kMaxPackedNumbers = 500'000;

/// Gathers a report from chunks of rows: the summary from all of them, the charts from a seeded
/// sample.
class BISECTOR_EXPORT ReportBuilder {
 public:
  /// Throws InvalidInput for a baseline, which leaves no evidence to show, and where the image does
  /// not have as many pixels as the model has features.
  ReportBuilder(const Model& model, const Method& method, const ExplainOptions& explain,
                ReportOptions options);
  ReportBuilder(ReportBuilder&&) noexcept;
  ~ReportBuilder();

  /// The next rows, in the model's input space, what the data say about their targets, and their
  /// numbers in the file, ascending: one each, or none at all (then rows are counted from one).
  /// `kept` has the cells of ReportOptions::kept_names, column by column. Throws InvalidRow for a
  /// regressor's target that is no number.
  void add(MatrixView<const double> rows, std::span<const std::string> targets = {},
           std::span<const std::size_t> numbers = {},
           std::span<const std::vector<std::string>> kept = {});
  /// Throws InvalidInput where there was no row.
  Report finish();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// For each column the partner with the largest share: rows are cut into bins of equal size by the
/// column's value; within the bins, this share of the variance of the column's relevance follows
/// the partner's value along a straight line. Only `candidates` are tried.
BISECTOR_EXPORT std::vector<Interaction> strongest_interactions(
    MatrixView<const double> values, MatrixView<const double> relevance,
    const std::vector<std::size_t>& candidates);

/// A chart with the name of its file, without an ending.
struct NamedChart {
  std::string name;
  chart::Chart chart;
};

/// The page's charts as they stand when it opens: importance, beeswarm, value against relevance of
/// the most important columns, the waterfalls of the surest rows of both sides, their pictures, and
/// the flipping curves.
BISECTOR_EXPORT std::vector<NamedChart> report_charts(const Report& report);

/// The page's own parts, as its build leaves them.
struct PageParts {
  std::string_view page;    // HTML with a place for what differs between reports
  std::string_view engine;  // the library for the page, base64; empty where it was not built
};

/// The data of a report, as JSON in which no character can end a script element.
BISECTOR_EXPORT std::string report_json(const Report& report);

/// One page that needs nothing else. Whatever names and labels hold is shown as text.
BISECTOR_EXPORT void write_page(std::ostream& out, const Report& report, const PageParts& parts);

}  // namespace bisector
