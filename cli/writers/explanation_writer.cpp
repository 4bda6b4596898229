#include "cli/writers/explanation_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "bisector/explanation_columns.h"
#include "cli/verb.h"
#include "cli/writers/npy_writer.h"
#include "cli/writers/number.h"
#include "cli/writers/row_buffer.h"
#include "cli/writers/row_places.h"

namespace bisector::cli {
namespace {

std::vector<std::string> csv_cells(std::vector<std::string> words) {
  for (std::string& word : words) word = csv_cell(word);
  return words;
}

/// Names of our columns: a name that a column of the user has gets underscores.
class OwnNames {
 public:
  explicit OwnNames(std::vector<std::string> taken) : taken_(std::move(taken)) {}

  std::string operator()(std::string name) {
    while (std::ranges::find(taken_, name) != taken_.end()) name += '_';
    taken_.push_back(name);
    return name;
  }

 private:
  std::vector<std::string> taken_;
};

/// A copy of a feature would be a second column of its name.
void require_distinct(const ExplanationHead& head) {
  for (const std::string& name : head.kept) {
    if (std::ranges::find(head.features, name) != head.features.end())
      throw UsageError(
          fmt::format("--keep {}: the output has a column {} already, with the contributions of "
                      "this feature; leave it out or use --format json",
                      name, name));
  }
}

class CsvWriter : public ExplanationWriter {
 public:
  CsvWriter(std::ostream& out, const ExplanationStyle& style, const ExplanationHead& head)
      : buffer_(out),
        style_(style),
        head_(head),
        labels_(csv_cells(shown_labels(head.model))),
        features_(csv_cells(head.features)) {
    if (!style.top) require_distinct(head);
  }

  void write(const ExplainedChunk& chunk) override {
    write_header(style_.details && chunk.explanation.standard_error.rows() > 0);
    const auto write_one = [&](std::size_t r) {
      if (style_.top)
        write_ranking(chunk, r);
      else
        write_row(chunk, r);
      buffer_.end_row();
    };
    for_each_place(chunk.source, chunk.explanation.g.size(), write_one, [&](const auto& row) {
      buffer_.text() += place_cells(row) + std::string(columns_, ',') + '\n';
      buffer_.end_row();
    });
    buffer_.flush();
  }

  void finish(const std::vector<std::string>&) override {
    write_header(false);
    buffer_.flush();
  }

 private:
  /// Writes the header before the first chunk, which tells whether there are standard errors.
  void write_header(bool has_errors) {
    if (columns_ > 0) return;
    std::vector<std::string> users = head_.kept;
    if (!style_.top) users.insert(users.end(), head_.features.begin(), head_.features.end());
    OwnNames own(users);
    const ExplanationColumns columns = explanation_columns(!labels_.empty());
    std::string text = own(columns.before.front());
    for (const auto& name : head_.kept) text += ',' + csv_cell(name);
    const auto add = [&](const std::string& cell) {
      text += ',' + cell;
      ++columns_;
    };
    const auto add_own = [&](std::span<const std::string> names) {
      for (const std::string& name : names) add(own(name));
    };
    add_own(std::span(columns.before).subspan(1));
    if (style_.top)
      add_own(std::vector<std::string>{"rank", "feature", "value", "relevance"});
    else
      std::ranges::for_each(features_, add);
    add_own(columns.after);
    if (head_.values.imputes()) add(own("imputed"));
    if (style_.details) {
      add_own(columns.details);
      for (std::size_t d = 0; has_errors && d < features_.size(); ++d)
        add(csv_cell(own("standard error of " + head_.features[d])));
    }
    buffer_.text() += text + '\n';
  }

  /// The cells before those of the features.
  void append_start(std::string& text, const ExplainedChunk& chunk, std::size_t r) const {
    const Explanation& e = chunk.explanation;
    text += place_cells(chunk.source, r);
    if (labels_.empty()) {
      append_cell(text, e.value[r]);
    } else {
      for (const std::size_t label : {e.prediction[r], e.positive[r], e.negative[r]})
        text.append(1, ',').append(labels_[label]);
    }
    for (const double value : {e.output[r], e.base[r]}) append_cell(text, value);
  }

  /// The cells after those of the features, and the end of the line.
  void append_end(std::string& text, const ExplainedChunk& chunk, std::size_t r) const {
    const Explanation& e = chunk.explanation;
    append_cell(text, e.remainder[r]);
    text += e.outside[r] ? ",true" : ",false";
    text += e.tie[r] ? ",true" : ",false";
    text += imputed_cell(head_.values, chunk.source.imputed, r);
    if (style_.details) {
      for (const double value : {e.g[r], e.correction[r], e.stretch[r]}) append_cell(text, value);
      if (labels_.empty()) append_cell(text, head_.settings.level.value_or(0.0));
      for (std::size_t d = 0; d < e.standard_error.cols() && e.standard_error.rows() > 0; ++d)
        append_cell(text, e.standard_error(r, d));
    }
    text += '\n';
  }

  void write_row(const ExplainedChunk& chunk, std::size_t r) {
    std::string& text = buffer_.text();
    append_start(text, chunk, r);
    for (const double value : chunk.explanation.relevance.row(r)) append_cell(text, value);
    append_end(text, chunk, r);
  }

  void write_ranking(const ExplainedChunk& chunk, std::size_t r) {
    const auto relevance = chunk.explanation.relevance.row(r);
    std::string& text = buffer_.text();
    std::string start, end;
    append_start(start, chunk, r);
    append_end(end, chunk, r);
    std::size_t rank = 0;
    for (const std::size_t d : strongest(relevance, *style_.top)) {
      text += start + ',';
      append_number(text, ++rank);
      text += ',' + features_[d] + ',' + csv_cell(head_.values.text(chunk.source.rows.row(r), d));
      append_cell(text, relevance[d]);
      text += end;
    }
  }

  static void append_cell(std::string& text, double value) {
    text += ',';
    append_number(text, value);
  }

  RowBuffer buffer_;
  ExplanationStyle style_;
  ExplanationHead head_;
  std::vector<std::string> labels_;  // none for regressors
  std::vector<std::string> features_;
  std::size_t columns_ = 0;  // after the row's number and the kept columns
};

class MatrixWriter : public ExplanationWriter {
 public:
  MatrixWriter(std::ostream& out, std::size_t features, bool can_go_back)
      : npy_(out, features, can_go_back), features_(features) {}
  void write(const ExplainedChunk& chunk) override {
    const Matrix& relevance = chunk.explanation.relevance;
    const std::size_t marked = static_cast<std::size_t>(
        std::ranges::count(chunk.source.unusable, RowPolicy::mark, &UnusableRow::policy));
    if (marked == 0) {
      npy_.write(relevance);
      return;
    }
    Matrix rows(relevance.rows() + marked, features_);
    std::size_t at = 0;
    for_each_place(
        chunk.source, relevance.rows(),
        [&](std::size_t r) { std::ranges::copy(relevance.row(r), rows.row(at++).begin()); },
        [&](const UnusableRow&) {
          std::ranges::fill(rows.row(at++), std::numeric_limits<double>::quiet_NaN());
        });
    npy_.write(rows);
  }
  void finish(const std::vector<std::string>&) override { npy_.finish(); }

 private:
  NpyWriter npy_;
  std::size_t features_;
};

}  // namespace

std::vector<std::size_t> strongest(std::span<const double> values, std::size_t count) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(count, order.size()));
  std::partial_sort(order.begin(), end, order.end(), [&](std::size_t a, std::size_t b) {
    const double left = std::abs(values[a]), right = std::abs(values[b]);
    return left != right ? left > right : a < b;
  });
  order.erase(end, order.end());
  return order;
}

std::unique_ptr<ExplanationWriter> make_explanation_writer(std::ostream& out,
                                                           const ExplanationStyle& style,
                                                           ExplanationHead head) {
  switch (style.format) {
    case TableFormat::npy:
      return std::make_unique<MatrixWriter>(out, head.features.size(), style.can_go_back);
    case TableFormat::json:
    case TableFormat::jsonl:
      return make_json_writer(out, style, std::move(head));
    case TableFormat::csv:
      break;
  }
  return std::make_unique<CsvWriter>(out, style, head);
}

}  // namespace bisector::cli
