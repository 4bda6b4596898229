#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "bisector/error.h"
#include "bisector/report/report.h"
#include "core/linalg/neighbor_search.h"
#include "core/linalg/vectors.h"
#include "core/models/describe.h"
#include "core/models/rows.h"
#include "report/column_sums.h"
#include "report/inputs.h"
#include "report/page/packed_model.h"
#include "report/pairs.h"
#include "report/report_columns.h"
#include "report/row_reservoir.h"

namespace bisector {

using namespace report;

namespace {

/// The points of either side that a row shows.
constexpr std::size_t kMostPoints = 5, kMostVoters = 25;
/// Pages of images are large, and single pixels are rarely changed.
constexpr std::size_t kMaxPackedOfPictures = kMaxPackedNumbers / 5;

std::size_t shown_rows(const ReportOptions& options, std::size_t columns) {
  return std::clamp<std::size_t>(options.most_values / columns, 1, options.most_rows);
}

/// A row of the page.
struct Kept {
  std::size_t number = 0;
  std::vector<double> features;
  double truth = 0.0;  // NaN if unknown
  std::vector<std::string> cells;
  std::vector<std::size_t> imputed;  // columns
};

/// The names of the classes on the page.
std::vector<std::string> names_of(const Model& model, const std::vector<ClassName>& names) {
  std::vector<std::string> labels = model.labels();
  // The labels "above" and "below" get the column and the threshold: "quality above 5".
  const auto& target = model.target();
  const bool is_threshold = target && target->above && !target->column.empty();
  for (std::string& label : labels) {
    const auto given = std::ranges::find(names, label, &ClassName::label);
    if (given != names.end())
      label = given->name;
    else if (model.is_detector())
      label = label == "1" ? "inside the usual range" : "outside the usual range";
    else if (is_threshold)
      label = fmt::format("{} {} {}", target->column, label, *target->above);
  }
  return labels;
}

/// How many rows equal a point of the model, up to the rounding of the preprocessing.
std::size_t count_own_points(const Model& model, MatrixView<const double> rows) {
  constexpr double kAlike = 1e-20;  // relative to the squared norm
  const detail::MappedRows mapped =
      detail::preprocessed(model.input(), rows, model.model_features());
  const std::vector<std::size_t> one_group(model.points().rows(), 0);
  const linalg::NeighborSearch search(model.shared_points(), one_group, 1);
  std::size_t own = 0;
  for (std::size_t first = 0; first < rows.rows(); first += linalg::kRowTile) {
    const std::size_t some = std::min(linalg::kRowTile, rows.rows() - first);
    const auto found = search.search(mapped.view().rows(first, some), 1);
    for (std::size_t r = 0; r < some; ++r) {
      const double length = linalg::squared_norm(mapped.row(first + r));
      own += found[r][0][0].squared_distance <= kAlike * length ? 1 : 0;
    }
  }
  return own;
}

void require_names(const Model& model, const std::vector<ClassName>& names) {
  const std::vector<std::string> labels = model.labels();
  for (const ClassName& own : names) {
    if (std::ranges::find(labels, own.label) == labels.end())
      throw InvalidInput(fmt::format("a name for class \"{}\" was given, expected one of {}",
                                     own.label, fmt::join(labels, ", ")));
  }
}

/// Groups are players; without groups the players are the caller's.
ExplainOptions with_players(ExplainOptions explain, const std::vector<ReportColumn>& columns,
                            const Model& model) {
  std::vector<std::size_t> players = report::players_of(columns, model);
  if (!players.empty()) explain.players = std::move(players);
  return explain;
}

}  // namespace

ReportUnit unit_of(const Model& model, Unit unit) {
  if (unit == Unit::g) return {"units of g", "g"};
  if (unit == Unit::share) return {"% of the decision", "decision"};
  if (model.is_regressor()) return {"units of the target", "prediction"};
  if (detail::is_density(model)) return {"units of the density", "density minus its level"};
  if (model.kernel() != nullptr) return {"units of the decision value", "decision value"};
  if (model.is_detector()) return {"units of the score", "threshold minus score"};
  return {"votes", "vote difference"};
}

class ReportBuilder::Implementation {
 public:
  Implementation(const Model& model, const Method& method, const ExplainOptions& explain,
                 ReportOptions options)
      : model_(model),
        columns_(columns_in(model, options)),
        explain_(with_players(explain, columns_, model)),
        explainer_(model, method, explain_),
        options_(std::move(options)),
        pairs_(model, explainer_.method(), explain, options_.interactions),
        reservoir_(shown_rows(options_, columns_.size()), options_.seed),
        sums_(columns_.size()),
        scorer_(model) {
    rule_of(explainer_.method(), model);  // throws for a baseline
    require_network(options_, model);
    require_image(options_, options_.network ? columns_.size() : model.features());
    require_names(model, options_.names);
  }

  void add(MatrixView<const double> rows, std::span<const std::string> targets,
           std::span<const std::size_t> numbers, std::span<const std::vector<std::string>> kept,
           std::span<const std::vector<std::size_t>> imputed) {
    require_kept(kept, rows.rows());
    if (!targets.empty() && targets.size() != rows.rows())
      throw InvalidInput(
          fmt::format("{} targets, expected {} or none", targets.size(), rows.rows()));
    if (!numbers.empty() && numbers.size() != rows.rows())
      throw InvalidInput(
          fmt::format("{} row numbers, expected {} or none", numbers.size(), rows.rows()));
    if (!imputed.empty() && imputed.size() != rows.rows())
      throw InvalidInput(fmt::format("imputed columns of {} rows, expected {} or none",
                                     imputed.size(), rows.rows()));
    std::vector<std::size_t> counted(numbers.begin(), numbers.end());
    for (std::size_t r = counted.size(); r < rows.rows(); ++r)
      counted.push_back(sums_.rows() + r + 1);
    const Explanation explanation = explained(rows, counted);
    noted_.add(explanation);
    std::vector<double> values(columns_.size());
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      read_values(counted[r], rows.row(r), values);
      sums_.add(values, explanation.relevance.row(r));
      if (!imputed.empty()) sums_.add_imputed(imputed[r]);
      const double truth = targets.empty() ? std::numeric_limits<double>::quiet_NaN()
                                           : actual_of(explanation, r, targets[r]);
      const auto place = place_of(counted[r]);
      if (!place) continue;
      std::vector<std::string> cells;
      for (const auto& column : kept) cells.push_back(column[r]);
      keep(*place,
           {counted[r],
            {},
            truth,
            std::move(cells),
            imputed.empty() ? std::vector<std::size_t>{} : imputed[r]},
           rows.row(r));
    }
  }

  Report finish() {
    if (sums_.rows() == 0) throw InvalidInput("there are no rows, expected some to report on");
    std::ranges::sort(kept_, {}, &Kept::number);
    Report report;
    report.options = options_;
    report.settings = explainer_.settings();
    // Methods on f have the unit of f.
    const bool is_of_f =
        model_.has_dot_product() || std::holds_alternative<ExactShapley>(explainer_.method());
    if (report.settings.unit == Unit::g && is_of_f) report.settings.unit = Unit::decision;
    report.notes = notes_of(noted_, report.settings);
    report.unit = named_unit(report.settings.unit);
    if (options_.network) name_network_rule(report.settings);
    report.has_background = explain_.background || model_.background();
    report.labels = names_of(model_, options_.names);
    use_names(report);
    fill_quality(report);
    report.is_regressor = model_.is_regressor();
    report.is_one_class = model_.is_detector();
    report.model_points = model_.points().rows();
    report.columns = columns_;
    report.summary = sums_.means();
    report.by_importance = order_of(report.summary, columns_);
    report.total_rows = sums_.rows();
    report.imputed_rows = sums_.imputed_rows();
    fill_rows(report);
    fill_typical(report);
    const bool has_points = !options_.network || options_.network->points.rows() > 0;
    if (options_.has_model && has_points && !model_.has_dot_product()) fill_evidence(report);
    fill_model(report);
    return report;
  }

 private:
  void require_kept(std::span<const std::vector<std::string>> kept, std::size_t rows) const {
    const auto fits = [&](const auto& column) { return column.size() == rows; };
    if (kept.size() != options_.kept_names.size() || !std::ranges::all_of(kept, fits))
      throw InvalidInput(fmt::format("cells of {} columns to keep, expected {} columns of {} rows",
                                     kept.size(), options_.kept_names.size(), rows));
  }

  /// The explanation of rows by column.
  Explanation explained(MatrixView<const double> rows, std::span<const std::size_t> numbers) const {
    Explanation explanation = explainer_(rows);
    if (options_.network) {
      use_network(*options_.network, numbers, explanation);
      return explanation;
    }
    explanation.relevance = report::by_column(model_, columns_, explanation.relevance);
    // The sum of the errors is an upper bound of the error of the sum.
    Matrix& errors = explanation.standard_error;
    if (errors.rows() > 0) errors = report::by_column(model_, columns_, errors);
    return explanation;
  }

  /// The values of a row by column.
  void read_values(std::size_t number, std::span<const double> features,
                   std::span<double> values) const {
    if (options_.network)
      std::ranges::copy(options_.network->values.row(number - 1), values.begin());
    else
      report::column_values(columns_, features, values);
  }

  /// The rule of the builder's own explainer is not shown.
  void name_network_rule(ExplainSettings& settings) const {
    settings.method = options_.network->method;
    settings.reason = "the rule of the network's explainer";
    settings.parameters.clear();
    settings.eta = settings.beta = std::nullopt;
  }

  /// The position of the row among the kept rows; empty if it is not kept.
  std::optional<std::size_t> place_of(std::size_t number) {
    const auto& wanted = options_.row_numbers;
    if (wanted.empty()) return reservoir_.place();
    return std::ranges::binary_search(wanted, number) ? std::optional(kept_.size()) : std::nullopt;
  }

  void keep(std::size_t place, Kept row, std::span<const double> features) {
    if (place == kept_.size()) kept_.emplace_back();
    row.features.assign(features.begin(), features.end());
    kept_[place] = std::move(row);
  }

  /// The actual class or number of a row; NaN if it is missing.
  double actual_of(const Explanation& explanation, std::size_t row, const std::string& target) {
    try {
      const double said = model_.is_regressor() ? explanation.value[row]
                                                : static_cast<double>(explanation.prediction[row]);
      return scorer_.add(target, said).value_or(std::numeric_limits<double>::quiet_NaN());
    } catch (const InvalidInput& error) {
      throw InvalidRow(row, error.what());
    }
  }

  /// Targets without any class of the model belong to another question and are ignored.
  void fill_quality(Report& report) const {
    if (scorer_.rows() == 0) return;
    Score score = scorer_.score();
    const std::size_t known = report.labels.size();
    if (score.classes) {
      const auto& classes = score.classes->classes;
      if (std::all_of(classes.begin(), classes.begin() + static_cast<std::ptrdiff_t>(known),
                      [](const ClassFigures& own) { return own.rows == 0; }))
        return;
      for (std::size_t c = known; c < classes.size(); ++c)
        report.labels.push_back(classes[c].label);
    }
    report.quality = std::move(score);
  }

  /// Applies the given names of classes.
  void use_names(Report& report) const {
    const std::vector<std::string> labels = model_.labels();
    const auto rename = [&](std::string& label) {
      const auto found = std::ranges::find(labels, label);
      if (found != labels.end())
        label = report.labels[static_cast<std::size_t>(found - labels.begin())];
    };
    rename(report.settings.positive);
    rename(report.settings.negative);
    for (ReportPool& pool : report.options.pools) rename(pool.name);
  }

  ReportUnit named_unit(Unit unit) const {
    ReportUnit result = unit_of(model_, unit);
    if (unit != Unit::decision) return result;
    if (!options_.unit_name.empty())
      result.name = options_.unit_name;
    else if (model_.is_regressor() && !options_.target_name.empty())
      result.name = options_.target_name;
    return result;
  }

  static void fill_typical(Report& report) {
    const Matrix& relevance = report.explanation.relevance;
    for (std::size_t c = 0; c < relevance.cols(); ++c) {
      std::vector<double> sizes(relevance.rows());
      for (std::size_t r = 0; r < relevance.rows(); ++r) sizes[r] = std::abs(relevance(r, c));
      report.summary[c].typical = trimmed_mean(std::move(sizes));
    }
  }

  void fill_rows(Report& report) const {
    Matrix features(kept_.size(), model_.features());
    report.values = Matrix(kept_.size(), columns_.size());
    report.kept.resize(options_.kept_names.size());
    for (std::size_t r = 0; r < kept_.size(); ++r) {
      report.row_numbers.push_back(kept_[r].number);
      report.truth.push_back(kept_[r].truth);
      if (model_.encoding() && model_.encoding()->imputes())
        report.imputed.push_back(kept_[r].imputed);
      for (std::size_t c = 0; c < report.kept.size(); ++c)
        report.kept[c].push_back(kept_[r].cells[c]);
      std::ranges::copy(kept_[r].features, features.row(r).begin());
      read_values(kept_[r].number, features.row(r), report.values.row(r));
    }
    if (!options_.network)
      report.pairs = pairs_(features.view(), report::value_columns(columns_, report.by_importance));
    if (report.pairs)
      report.pairs->unit = named_unit(report.pairs->is_exact ? Unit::decision : Unit::g);
    // A support vector machine keeps only some of its training rows as points.
    const bool is_training_data = options_.training_rows == report.total_rows;
    if (report.quality)
      report.own_points =
          is_training_data ? kept_.size() : count_own_points(model_, features.view());
    report.explanation = explained(features.view(), report.row_numbers);
  }

  void fill_evidence(Report& report) const {
    report.has_votes = std::holds_alternative<NeighborModel>(model_.predictor()) ||
                       std::holds_alternative<NeighborRegressor>(model_.predictor());
    const std::size_t most =
        options_.evidence.value_or(report.has_votes ? kMostVoters : kMostPoints);
    std::set<std::size_t> named;
    for (std::size_t r = 0; r < std::min(kept_.size(), kMaxEvidenceRows); ++r) {
      report.evidence.push_back(explainer_.deciding_points(kept_[r].features, most));
      for (const auto* side :
           {&report.evidence.back().positive, &report.evidence.back().negative}) {
        for (const WeightedMember& point : *side) {
          if (point.member) named.insert(*point.member);
        }
      }
    }
    const report::BackMap back(model_.input());
    report.evidence_values = Matrix(named.size(), columns_.size());
    for (const std::size_t point : named) {
      const auto values = report.evidence_values.row(report.evidence_points.size());
      if (options_.network)
        std::ranges::copy(options_.network->points.row(point), values.begin());
      else
        report::column_values(columns_, back(model_.points().row(point)), values);
      report.evidence_points.push_back(point);
      if (const auto& rows = model_.training_rows(); !rows.empty())
        report.evidence_rows.push_back(rows[point] + 1);
    }
  }

  void fill_model(Report& report) const {
    if (!options_.has_model) {
      report.why_no_model = "the report was made without the model's points";
      return;
    }
    if (options_.network) {
      report.why_no_model = "predictions go through a network, which this page cannot compute";
      return;
    }
    report.packed_model = report::pack(model_, explainer_, explain_);
    const std::size_t most = options_.image ? kMaxPackedOfPictures : kMaxPackedNumbers;
    if (report.packed_model.size() <= most) return;
    report.why_no_model = fmt::format(
        "the model{} is too large for a page ({} numbers, at most {})",
        explain_.background ? " with its background" : "", report.packed_model.size(), most);
    report.packed_model.clear();
  }

  Model model_;
  std::vector<ReportColumn> columns_;
  ExplainOptions explain_;
  Explainer explainer_;
  ReportOptions options_;
  report::PairSummary pairs_;
  report::RowReservoir reservoir_;
  ColumnSums sums_;
  Scorer scorer_;
  NoteCounts noted_;
  std::vector<Kept> kept_;
};

ReportBuilder::ReportBuilder(const Model& model, const Method& method,
                             const ExplainOptions& explain, ReportOptions options)
    : implementation_(
          std::make_unique<Implementation>(model, method, explain, std::move(options))) {}
ReportBuilder::ReportBuilder(ReportBuilder&&) noexcept = default;
ReportBuilder::~ReportBuilder() = default;
void ReportBuilder::add(MatrixView<const double> rows, std::span<const std::string> targets,
                        std::span<const std::size_t> numbers,
                        std::span<const std::vector<std::string>> kept,
                        std::span<const std::vector<std::size_t>> imputed) {
  implementation_->add(rows, targets, numbers, kept, imputed);
}
Report ReportBuilder::finish() { return implementation_->finish(); }

}  // namespace bisector
