// Explanations as JSON: one document, or one line per row.
#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "cli/writers/explanation_writer.h"
#include "cli/writers/json_rows.h"
#include "cli/writers/json_text.h"
#include "cli/writers/number.h"
#include "cli/writers/row_buffer.h"
#include "cli/writers/row_places.h"

namespace bisector::cli {
namespace {

std::vector<std::string> json_texts(std::vector<std::string> words) {
  for (std::string& word : words) word = json_text(word);
  return words;
}

class JsonWriter : public ExplanationWriter {
 public:
  JsonWriter(std::ostream& out, const ExplanationStyle& style, const ExplanationHead& head)
      : buffer_(out),
        style_(style),
        head_(head),
        labels_(json_texts(shown_labels(head.model))),
        features_(json_texts(head.features)),
        rows_(style.format) {
    buffer_.text() += rows_.begin("{\"model\": " + json_text(model_json(head.model)) +
                                  ",\n\"settings\": " + json_text(settings_json(head.settings)) +
                                  ",\n\"features\": " + json_text(head.features) + groups_text() +
                                  ",\n\"rows\": ");
  }

  void write(const ExplainedChunk& chunk) override {
    for_each_place(
        chunk.source, chunk.explanation.g.size(), [&](std::size_t r) { write_row(chunk, r); },
        [&](const UnusableRow& row) {
          buffer_.text() += rows_.before_row();
          buffer_.text() += '{' + place_json(row.row, head_.kept, row.kept) + ",\"problem\":\"" +
                            reason(row) + "\"}";
          buffer_.end_row();
        });
    buffer_.flush();
  }

  void finish(const std::vector<std::string>& notes) override {
    buffer_.text() += rows_.end(notes);
    buffer_.flush();
  }

 private:
  std::string groups_text() const {
    if (head_.groups.empty()) return "";
    Json groups = Json::object();
    for (const auto& [name, columns] : head_.groups) groups[name] = columns;
    return ",\n\"groups\": " + json_text(groups);
  }

  void write_row(const ExplainedChunk& chunk, std::size_t r) {
    const Explanation& e = chunk.explanation;
    std::string& text = buffer_.text();
    text += rows_.before_row();
    text += '{' + place_json(chunk.source, r, head_.kept);
    if (labels_.empty())
      add_number("prediction", e.value[r]);
    else
      text += ",\"prediction\":" + labels_[e.prediction[r]] +
              ",\"class\":" + labels_[e.positive[r]] + ",\"versus\":" + labels_[e.negative[r]];
    add_number("output", e.output[r]);
    add_number("base", e.base[r]);
    append_relevance(chunk, r);
    add_number("remainder", e.remainder[r]);
    text += e.outside[r] ? ",\"outside\":true" : ",\"outside\":false";
    text += e.tie[r] ? ",\"tie\":true" : ",\"tie\":false";
    text += imputed_json(head_.values, chunk.source.imputed, r);
    add_number("g", e.g[r]);
    add_number("decision", e.decision[r]);
    add_number("correction", e.correction[r]);
    add_number("stretch", e.stretch[r]);
    if (e.standard_error.rows() > 0) {
      const auto errors = e.standard_error.row(r);
      text += ",\"standard_error\":" +
              json_text(Json(std::vector<double>(errors.begin(), errors.end())));
    }
    if (!chunk.evidence.empty()) append_evidence(chunk.evidence[r]);
    text += '}';
    buffer_.end_row();
  }

  void add_number(const char* key, double value) {
    buffer_.text() += fmt::format(",\"{}\":", key);
    append_json_number(buffer_.text(), value);
  }

  void append_relevance(const ExplainedChunk& chunk, std::size_t r) {
    const auto relevance = chunk.explanation.relevance.row(r);
    std::string& text = buffer_.text();
    const bool is_named = rows_.is_lines() && !style_.top;
    text += is_named ? ",\"relevance\":{" : ",\"relevance\":[";
    const char* separator = "";
    for (const std::size_t d : strongest_or_all(relevance)) {
      text += std::exchange(separator, ",");
      if (style_.top)
        text += "{\"feature\":" + features_[d] +
                ",\"value\":" + json_value(chunk.source.rows.row(r), d) + ",\"relevance\":";
      if (is_named) text += features_[d] + ':';
      append_json_number(text, relevance[d]);
      if (style_.top) text += '}';
    }
    text += is_named ? '}' : ']';
  }

  std::string json_value(std::span<const double> row, std::size_t column) const {
    if (!head_.values.has_value(column)) return "null";
    const std::string text = head_.values.text(row, column);
    return head_.values.is_number(column) ? text : json_text(text);
  }

  std::vector<std::size_t> strongest_or_all(std::span<const double> relevance) const {
    if (style_.top) return strongest(relevance, *style_.top);
    std::vector<std::size_t> all(relevance.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }

  void append_evidence(const std::vector<Evidence>& pairs) {
    Json list = Json::array();
    for (const Evidence& pair : pairs) list.push_back(evidence_json(head_.model, pair));
    buffer_.text() += ",\"evidence\":" + json_text(list);
  }

  RowBuffer buffer_;
  ExplanationStyle style_;
  ExplanationHead head_;
  std::vector<std::string> labels_;
  std::vector<std::string> features_;
  JsonRows rows_;
};

}  // namespace

std::unique_ptr<ExplanationWriter> make_json_writer(std::ostream& out,
                                                    const ExplanationStyle& style,
                                                    ExplanationHead head) {
  return std::make_unique<JsonWriter>(out, style, std::move(head));
}

}  // namespace bisector::cli
