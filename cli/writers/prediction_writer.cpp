#include "cli/writers/prediction_writer.h"

#include <algorithm>

#include "cli/writers/json_text.h"
#include "cli/writers/number.h"

namespace bisector::cli {
namespace {

/// The target's own name, unless another column has it.
std::string column_name(const std::string& target, const std::vector<std::string>& names) {
  const bool is_taken =
      target == "row" || target == "prediction" || std::ranges::find(names, target) != names.end();
  return is_taken ? "target" : target;
}

}  // namespace

PredictionWriter::PredictionWriter(std::ostream& out, TableFormat format, const Model& model,
                                   const std::vector<std::string>& names,
                                   const std::optional<std::string>& target)
    : buffer_(out), format_(format), rows_(format) {
  for (const auto& label : model.labels())
    labels_.push_back(is_json(format) ? json_text(label) : csv_cell(label));
  for (const auto& name : names) decisions_.push_back(json_text(name));
  std::string& text = buffer_.text();
  if (is_json(format)) {
    text += rows_.begin("{\"model\": " + json_text(model_json(model)) +
                        (target ? ",\n\"target\": " + json_text(*target) : "") +
                        ",\n\"decisions\": " + json_text(names) + ",\n\"rows\": ");
  } else {
    text += "row,prediction";
    if (target) text += ',' + csv_cell(column_name(*target, names));
    for (const auto& name : names) text += ',' + csv_cell(name);
    text += '\n';
  }
}

void PredictionWriter::write(std::size_t first_row, const Predictions& predictions,
                             const std::vector<std::string>& targets) {
  for (std::size_t r = 0; r < predictions.decisions.rows(); ++r) {
    const std::string* const target = targets.empty() ? nullptr : &targets[r];
    if (is_json(format_))
      write_json(first_row + r, predictions, r, target);
    else
      write_csv(first_row + r, predictions, r, target);
    buffer_.end_row();
  }
  buffer_.flush();
}

void PredictionWriter::finish() {
  if (is_json(format_)) buffer_.text() += rows_.end();
  buffer_.flush();
}

void PredictionWriter::write_csv(std::size_t row, const Predictions& predictions, std::size_t r,
                                 const std::string* target) {
  std::string& text = buffer_.text();
  append_number(text, row);
  text += ',';
  if (labels_.empty())
    append_number(text, predictions.decisions(r, 0));
  else
    text += labels_[predictions.classes[r]];
  if (target != nullptr) text += ',' + csv_cell(*target);
  for (const double value : predictions.decisions.row(r)) {
    text += ',';
    append_number(text, value);
  }
  text += '\n';
}

void PredictionWriter::write_json(std::size_t row, const Predictions& predictions, std::size_t r,
                                  const std::string* target) {
  std::string& text = buffer_.text();
  text += rows_.before_row();
  text += "{\"row\":";
  append_number(text, row);
  text += ",\"prediction\":";
  if (labels_.empty())
    append_json_number(text, predictions.decisions(r, 0));
  else
    text += labels_[predictions.classes[r]];
  if (target != nullptr) text += ",\"target\":" + json_text(*target);
  text += rows_.is_lines() ? ",\"decisions\":{" : ",\"decisions\":[";
  const auto decisions = predictions.decisions.row(r);
  for (std::size_t d = 0; d < decisions.size(); ++d) {
    if (d > 0) text += ',';
    if (rows_.is_lines()) text += decisions_[d] + ':';
    append_json_number(text, decisions[d]);
  }
  text += rows_.is_lines() ? "}}" : "]}";
}

}  // namespace bisector::cli
