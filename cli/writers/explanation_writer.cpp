#include "cli/writers/explanation_writer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "cli/writers/json_rows.h"
#include "cli/writers/json_text.h"
#include "cli/writers/npy_writer.h"
#include "cli/writers/number.h"
#include "cli/writers/row_buffer.h"
#include "cli/writers/row_places.h"

namespace bisector::cli {
namespace {

/// The words of a row: its prediction and its pools, as a cell of the format at hand.
class RowWords {
 public:
  template <class Quote>
  RowWords(const ExplanationHead& head, const Quote& quote)
      : above_(quote(head.settings.positive)), below_(quote(head.settings.negative)) {
    for (const auto& label : head.model.labels()) labels_.push_back(quote(label));
  }

  /// A label, or the regressor's number.
  template <class AppendNumber>
  void append_prediction(std::string& text, const Explanation& e, std::size_t r,
                         const AppendNumber& append) const {
    if (labels_.empty())
      append(text, e.value[r]);
    else
      text += labels_[e.prediction[r]];
  }
  const std::string& positive(const Explanation& e, std::size_t r) const {
    return labels_.empty() ? above_ : labels_[e.positive[r]];
  }
  const std::string& negative(const Explanation& e, std::size_t r) const {
    return labels_.empty() ? below_ : labels_[e.negative[r]];
  }

 private:
  std::string above_, below_;
  std::vector<std::string> labels_;  // none for regressors
};

class CsvWriter : public ExplanationWriter {
 public:
  CsvWriter(std::ostream& out, const ExplanationStyle& style, const ExplanationHead& head)
      : buffer_(out), style_(style), words_(head, csv_cell) {
    for (const auto& name : head.features) features_.push_back(csv_cell(name));
    std::string& text = buffer_.text();
    text += "row";
    for (const auto& name : head.kept) text += ',' + csv_cell(name);
    text += ",prediction,g";
    if (style.details) text += ",decision,positive,negative,tie,base,correction";
    if (style.top) {
      text += ",rank,feature,relevance";
    } else {
      for (const auto& name : features_) text += ',' + name;
    }
    text += ",remainder,outside\n";
    columns_ = 4 + (style.details ? 6 : 0) + (style.top ? 3 : features_.size());
  }

  void write(const ExplainedChunk& chunk) override {
    const auto write_one = [&](std::size_t r) {
      const std::string start = row_start(chunk, r), end = row_end(chunk.explanation, r);
      if (style_.top)
        write_ranking(start, chunk.explanation.relevance.row(r), end);
      else
        write_row(start, chunk.explanation.relevance.row(r), end);
    };
    for_each_place(chunk.source, chunk.explanation.g.size(), write_one, [&](const auto& row) {
      buffer_.text() += place_cells(row) + std::string(columns_, ',') + '\n';
      buffer_.end_row();
    });
    buffer_.flush();
  }

  void finish() override { buffer_.flush(); }

 private:
  std::string row_start(const ExplainedChunk& chunk, std::size_t r) const {
    const Explanation& e = chunk.explanation;
    std::string text;
    text += place_cells(chunk.source, r);
    text += ',';
    words_.append_prediction(text, e, r, [](auto& t, double value) { append_number(t, value); });
    text += ',';
    append_number(text, e.g[r]);
    if (!style_.details) return text;
    text += ',';
    append_number(text, e.decision[r]);
    text += ',' + words_.positive(e, r) + ',' + words_.negative(e, r);
    text += e.tie[r] ? ",true," : ",false,";
    append_number(text, e.base[r]);
    text += ',';
    append_number(text, e.correction[r]);
    return text;
  }

  static std::string row_end(const Explanation& e, std::size_t r) {
    std::string text(1, ',');
    append_number(text, e.remainder[r]);
    return text + (e.outside[r] ? ",true\n" : ",false\n");
  }

  void write_row(const std::string& start, std::span<const double> relevance,
                 const std::string& end) {
    std::string& text = buffer_.text();
    text += start;
    for (const double value : relevance) {
      text += ',';
      append_number(text, value);
    }
    text += end;
    buffer_.end_row();
  }

  void write_ranking(const std::string& start, std::span<const double> relevance,
                     const std::string& end) {
    std::string& text = buffer_.text();
    std::size_t rank = 0;
    for (const std::size_t d : strongest(relevance, *style_.top)) {
      text += start + ',';
      append_number(text, ++rank);
      text += ',' + features_[d] + ',';
      append_number(text, relevance[d]);
      text += end;
    }
    buffer_.end_row();
  }

  RowBuffer buffer_;
  ExplanationStyle style_;
  RowWords words_;
  std::vector<std::string> features_;
  std::size_t columns_ = 0;  // behind the row's number and what is kept
};

class JsonWriter : public ExplanationWriter {
 public:
  JsonWriter(std::ostream& out, const ExplanationStyle& style, const ExplanationHead& head)
      : buffer_(out),
        style_(style),
        words_(head, json_text),
        kept_(head.kept),
        rows_(style.format) {
    for (const auto& name : head.features) features_.push_back(json_text(name));
    buffer_.text() += rows_.begin("{\"model\": " + json_text(model_json(head.model)) +
                                  ",\n\"settings\": " + json_text(settings_json(head.settings)) +
                                  ",\n\"features\": " + json_text(head.features) + ",\n\"rows\": ");
  }

  void write(const ExplainedChunk& chunk) override {
    for_each_place(
        chunk.source, chunk.explanation.g.size(), [&](std::size_t r) { write_row(chunk, r); },
        [&](const UnusableRow& row) {
          buffer_.text() += rows_.before_row();
          buffer_.text() +=
              '{' + place_json(row.row, kept_, row.kept) + ",\"problem\":\"" + reason(row) + "\"}";
          buffer_.end_row();
        });
    buffer_.flush();
  }

  void finish() override {
    buffer_.text() += rows_.end();
    buffer_.flush();
  }

 private:
  void write_row(const ExplainedChunk& chunk, std::size_t r) {
    const Explanation& e = chunk.explanation;
    std::string& text = buffer_.text();
    text += rows_.before_row();
    text += '{' + place_json(chunk.source, r, kept_);
    text += ",\"prediction\":";
    words_.append_prediction(text, e, r, append_json_number);
    text += ",\"g\":";
    append_json_number(text, e.g[r]);
    text += ",\"decision\":";
    append_json_number(text, e.decision[r]);
    text += ",\"positive\":" + words_.positive(e, r) + ",\"negative\":" + words_.negative(e, r);
    text += e.tie[r] ? ",\"tie\":true" : ",\"tie\":false";
    text += e.outside[r] ? ",\"outside\":true" : ",\"outside\":false";
    append_relevance(e.relevance.row(r));
    text += ",\"base\":";
    append_json_number(text, e.base[r]);
    text += ",\"remainder\":";
    append_json_number(text, e.remainder[r]);
    text += ",\"correction\":";
    append_json_number(text, e.correction[r]);
    if (!chunk.evidence.empty()) append_evidence(chunk.evidence[r]);
    text += '}';
    buffer_.end_row();
  }

  void append_relevance(std::span<const double> relevance) {
    std::string& text = buffer_.text();
    const bool is_named = rows_.is_lines() && !style_.top;
    text += is_named ? ",\"relevance\":{" : ",\"relevance\":[";
    const char* separator = "";
    for (const std::size_t d : strongest_or_all(relevance)) {
      text += std::exchange(separator, ",");
      if (style_.top) text += "{\"feature\":" + features_[d] + ",\"relevance\":";
      if (is_named) text += features_[d] + ':';
      append_json_number(text, relevance[d]);
      if (style_.top) text += '}';
    }
    text += is_named ? '}' : ']';
  }

  std::vector<std::size_t> strongest_or_all(std::span<const double> relevance) const {
    if (style_.top) return strongest(relevance, *style_.top);
    std::vector<std::size_t> all(relevance.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }

  void append_evidence(const std::vector<Evidence>& pairs) {
    Json list = Json::array();
    for (const Evidence& pair : pairs) list.push_back(evidence_json(pair));
    buffer_.text() += ",\"evidence\":" + json_text(list);
  }

  RowBuffer buffer_;
  ExplanationStyle style_;
  RowWords words_;
  std::vector<std::string> features_;
  std::vector<std::string> kept_;
  JsonRows rows_;
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
  void finish() override { npy_.finish(); }

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
      return std::make_unique<JsonWriter>(out, style, head);
    case TableFormat::csv:
      break;
  }
  return std::make_unique<CsvWriter>(out, style, head);
}

}  // namespace bisector::cli
