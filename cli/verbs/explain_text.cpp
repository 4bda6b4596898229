// bisector explain --text and --row: explanations for people.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bisector/report/report.h"
#include "cli/verbs/explain.h"
#include "cli/writers/describe_model.h"
#include "cli/writers/placement.h"
#include "cli/writers/row_text.h"

namespace bisector::cli {
namespace {

constexpr std::size_t kTypicalAmong = 1000;  // rows from which the typical one is chosen
constexpr std::size_t kShownFeatures = 8;

/// Sums of the columns, for their averages.
class Averages {
 public:
  Averages(const RowValues& values, std::size_t columns) : values_(values), sums_(columns, 0.0) {}

  void add(const Matrix& rows) {
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      for (std::size_t c = 0; c < sums_.size(); ++c) {
        if (values_.is_number(c)) sums_[c] += rows(r, values_.feature(c));
      }
    }
    rows_ += rows.rows();
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> texts(sums_.size());
    for (std::size_t c = 0; c < sums_.size() && rows_ > 0; ++c) {
      if (values_.is_number(c)) texts[c] = short_number(sums_[c] / static_cast<double>(rows_));
    }
    return texts;
  }

 private:
  RowValues values_;
  std::vector<double> sums_;
  std::size_t rows_ = 0;
};

/// The labels of shown_labels(), with words for the classes 1 and -1 of an outlier detector.
std::vector<std::string> labels_for_people(const Model& model) {
  std::vector<std::string> labels = shown_labels(model);
  if (!model.is_detector()) return labels;
  for (std::string& label : labels) label = label == "1" ? "inside" : "outside";
  return labels;
}

/// Collects rows for people from explained chunks.
class TextRows {
 public:
  explicit TextRows(const RowExplainer& explainer)
      : values_(explainer.values()),
        columns_(explainer.features().size()),
        labels_(labels_for_people(explainer.model())),
        is_detector_(explainer.model().is_detector()),
        sizes_(columns_, 0.0) {}

  /// Adds row r of an explained chunk to the importance, and keeps it if `is_kept`.
  void add(const ModelChunk& chunk, const Explanation& e, std::size_t r, bool is_kept) {
    for (std::size_t c = 0; c < columns_; ++c) sizes_[c] += std::abs(e.relevance(r, c));
    ++count_;
    if (is_kept) rows_.push_back(row(chunk, e, r));
  }

  std::size_t count() const { return count_; }
  std::size_t kept() const { return rows_.size(); }
  std::vector<double> mean_sizes() const {
    std::vector<double> means = sizes_;
    for (double& mean : means) mean /= static_cast<double>(std::max<std::size_t>(count_, 1));
    return means;
  }
  /// The kept row with the median output of those that are not unusual. The median of two classes
  /// would be a close call, so that of the more frequent class is taken.
  const TextRow& typical() {
    auto end = std::stable_partition(rows_.begin(), rows_.end(),
                                     [](const TextRow& row) { return !row.is_unusual; });
    if (end == rows_.begin()) end = rows_.end();
    if (!labels_.empty()) {
      const auto is_positive = [](const TextRow& row) { return row.output > 0.0; };
      const bool are_most =
          2 * std::count_if(rows_.begin(), end, is_positive) >= end - rows_.begin();
      end = std::stable_partition(rows_.begin(), end,
                                  [&](const TextRow& row) { return is_positive(row) == are_most; });
    }
    const auto middle = rows_.begin() + (end - rows_.begin()) / 2;
    std::ranges::nth_element(rows_.begin(), middle, end, {}, &TextRow::output);
    return *middle;
  }

 private:
  TextRow row(const ModelChunk& chunk, const Explanation& e, std::size_t r) const {
    const auto relevance = e.relevance.row(r);
    TextRow text{title(chunk, e, r),
                 {},
                 {relevance.begin(), relevance.end()},
                 e.base[r],
                 e.remainder[r],
                 e.output[r],
                 "raises",
                 "lowers"};
    text.is_unusual = e.outside[r] || e.tie[r];
    if (!labels_.empty()) {
      text.positive = labels_[e.positive[r]];
      text.negative = labels_[e.negative[r]];
      text.is_unusual = text.is_unusual || (is_detector_ && e.output[r] < 0.0);
    }
    const auto x = chunk.rows.row(r);
    for (std::size_t c = 0; c < columns_; ++c) {
      text.values.push_back(values_.is_number(c) ? short_number(x[values_.feature(c)])
                                                 : values_.text(x, c));
      text.is_imputed.push_back(!chunk.imputed.empty() && values_.is_imputed(chunk.imputed[r], c));
    }
    return text;
  }

  /// "row 5: predicted benign, actual malignant".
  std::string title(const ModelChunk& chunk, const Explanation& e, std::size_t r) const {
    std::string text =
        fmt::format("row {}: predicted {}", chunk.numbers[r],
                    labels_.empty() ? short_number(e.value[r]) : labels_[e.prediction[r]]);
    if (!chunk.target.empty() && !chunk.target[r].empty()) text += ", actual " + chunk.target[r];
    if (e.tie[r]) text += " (a tie)";
    if (e.outside[r]) text += " (far from the training data)";
    return text;
  }

  RowValues values_;
  std::size_t columns_;
  std::vector<std::string> labels_;  // none for regressors
  bool is_detector_;
  std::vector<double> sizes_;
  std::size_t count_ = 0;
  std::vector<TextRow> rows_;
};

}  // namespace

void explain_text(const ExplainArguments& arguments, const RowExplainer& explainer, RowSource& rows,
                  std::ostream& out, NoteCounts& counts) {
  Averages averages(explainer.values(), explainer.features().size());
  if (arguments.row && explainer.background()) averages.add(*explainer.background());
  TextRows found(explainer);
  for_each_wanted_chunk(rows, arguments.row, explainer.chunk_rows(),
                        explanation_progress(arguments),
                        [&](std::size_t before, const ModelChunk& chunk) {
                          if (!arguments.row) averages.add(chunk.rows);
                          if (chunk.rows.rows() == 0) return;
                          const Explanation e = explainer(chunk.rows.view(), before).explanation;
                          counts.add(e);
                          for (std::size_t r = 0; r < e.g.size(); ++r)
                            found.add(chunk, e, r, found.kept() < kTypicalAmong);
                        });
  const ExplainSettings& settings = explainer.explainer().settings();
  TextTable table{
      explainer.features(), averages.texts(), unit_of(explainer.model(), settings.unit).output,
      arguments.top.value_or(kShownFeatures), arguments.output.empty() && wants_color()};
  if (settings.unit != Unit::decision)
    table.start = "start";
  else if (settings.method == IntegratedGradients::kName)
    table.start = "output of the reference";
  if (!arguments.row) write_importance_text(out, table, found.mean_sizes(), found.count());
  if (found.kept() == 0) return;
  TextRow row = found.typical();
  row.title = (arguments.row    ? "Explanation of "
               : row.is_unusual ? "\nNo case is typical. One of them, "
                                : "\nA typical case, ") +
              row.title;
  write_row_text(out, table, row);
}

}  // namespace bisector::cli
