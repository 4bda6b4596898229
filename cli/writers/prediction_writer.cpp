#include "cli/writers/prediction_writer.h"

#include <algorithm>
#include <span>
#include <utility>

#include "cli/writers/describe_model.h"
#include "cli/writers/json_text.h"
#include "cli/writers/number.h"
#include "cli/writers/row_places.h"

namespace bisector::cli {
namespace {

/// The target's own name, unless another column has it.
std::string column_name(const std::string& target, const std::vector<std::string>& names) {
  const bool is_taken =
      target == "row" || target == "prediction" || std::ranges::find(names, target) != names.end();
  return is_taken ? "target" : target;
}

/// Numbers as a JSON array, or as an object if they have names.
void append_json_numbers(std::string& text, std::span<const double> values,
                         const std::vector<std::string>* names) {
  text += names != nullptr ? '{' : '[';
  for (std::size_t d = 0; d < values.size(); ++d) {
    if (d > 0) text += ',';
    if (names != nullptr) text += (*names)[d] + ':';
    append_json_number(text, values[d]);
  }
  text += names != nullptr ? '}' : ']';
}

}  // namespace

PredictionWriter::PredictionWriter(std::ostream& out, TableFormat format, const Model& model,
                                   const std::vector<std::string>& names, bool has_decisions,
                                   const BesideNames& beside,
                                   std::optional<SvmProbabilities> probabilities)
    : buffer_(out),
      format_(format),
      beside_(beside),
      probabilities_(std::move(probabilities)),
      rows_(format) {
  for (const auto& label : shown_labels(model))
    labels_.push_back(is_json(format) ? json_text(label) : csv_cell(label));
  const std::vector<std::string> written = has_decisions ? names : std::vector<std::string>();
  for (const auto& name : written) decisions_.push_back(json_text(name));
  std::string& text = buffer_.text();
  if (is_json(format)) {
    text += rows_.begin("{\"model\": " + json_text(model_json(model)) +
                        (beside_.target ? ",\n\"target\": " + json_text(*beside_.target) : "") +
                        (has_decisions ? ",\n\"decisions\": " + json_text(written) : "") +
                        ",\n\"rows\": ");
  } else {
    text += "row";
    for (const auto& name : beside_.kept) text += ',' + csv_cell(name);
    text += ",prediction";
    if (beside_.target) text += ',' + csv_cell(column_name(*beside_.target, written));
    for (const auto& name : written) text += ',' + csv_cell(name);
    if (probabilities_) {
      for (const auto& label : shown_labels(model)) text += ',' + csv_cell("probability " + label);
    }
    text += '\n';
  }
}

void PredictionWriter::write(const ModelChunk& chunk, const Predictions& predictions) {
  const Matrix shares = probabilities_ ? (*probabilities_)(predictions.decisions) : Matrix();
  const auto write_row = [&](std::size_t r) {
    if (is_json(format_))
      write_json(chunk, predictions, shares, r);
    else
      write_csv(chunk, predictions, shares, r);
    buffer_.end_row();
  };
  for_each_place(chunk, predictions.decisions.rows(), write_row,
                 [&](const UnusableRow& row) { write_marked(row); });
  buffer_.flush();
}

void PredictionWriter::write_marked(const UnusableRow& row) {
  std::string& text = buffer_.text();
  if (is_json(format_)) {
    text += rows_.before_row();
    text +=
        '{' + place_json(row.row, beside_.kept, row.kept) + ",\"problem\":\"" + reason(row) + "\"}";
  } else {
    const std::size_t cells = 1 + (beside_.target ? 1 : 0) + decisions_.size() +
                              (probabilities_ ? probabilities_->classes() : 0);
    text += place_cells(row) + std::string(cells, ',') + '\n';
  }
  buffer_.end_row();
}

void PredictionWriter::finish() {
  if (is_json(format_)) buffer_.text() += rows_.end();
  buffer_.flush();
}

void PredictionWriter::write_csv(const ModelChunk& chunk, const Predictions& predictions,
                                 const Matrix& shares, std::size_t r) {
  std::string& text = buffer_.text();
  text += place_cells(chunk, r);
  text += ',';
  if (labels_.empty())
    append_number(text, predictions.decisions(r, 0));
  else
    text += labels_[predictions.classes[r]];
  if (!chunk.target.empty()) text += ',' + csv_cell(chunk.target[r]);
  const auto append = [&](std::span<const double> values) {
    for (const double value : values) {
      text += ',';
      append_number(text, value);
    }
  };
  if (!decisions_.empty()) append(predictions.decisions.row(r));
  if (probabilities_) append(shares.row(r));
  text += '\n';
}

void PredictionWriter::write_json(const ModelChunk& chunk, const Predictions& predictions,
                                  const Matrix& shares, std::size_t r) {
  std::string& text = buffer_.text();
  text += rows_.before_row();
  text += '{' + place_json(chunk, r, beside_.kept);
  text += ",\"prediction\":";
  if (labels_.empty())
    append_json_number(text, predictions.decisions(r, 0));
  else
    text += labels_[predictions.classes[r]];
  if (!chunk.target.empty()) text += ",\"target\":" + json_text(chunk.target[r]);
  if (!decisions_.empty()) {
    text += ",\"decisions\":";
    append_json_numbers(text, predictions.decisions.row(r),
                        rows_.is_lines() ? &decisions_ : nullptr);
  }
  if (probabilities_) {
    text += ",\"probabilities\":";
    append_json_numbers(text, shares.row(r), rows_.is_lines() ? &labels_ : nullptr);
  }
  text += '}';
}

}  // namespace bisector::cli
