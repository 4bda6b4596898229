#include "cli/writers/prediction_writer.h"

#include <utility>

#include "cli/writers/json_text.h"
#include "cli/writers/number.h"
#include "cli/writers/row_places.h"

namespace bisector::cli {

PredictionWriter::PredictionWriter(std::ostream& out, TableFormat format, const Model& model,
                                   const std::vector<std::string>& names,
                                   std::vector<std::string> kept)
    : buffer_(out), format_(format), decisions_(names.size()), kept_(std::move(kept)) {
  for (const auto& label : model.labels())
    labels_.push_back(format == TableFormat::json ? json_text(label) : csv_cell(label));
  std::string& text = buffer_.text();
  if (format == TableFormat::json) {
    text += "{\"model\": " + json_text(model_json(model));
    text += ",\n\"decisions\": " + json_text(names) + ",\n\"rows\": [";
  } else {
    text += "row";
    for (const auto& name : kept_) text += ',' + csv_cell(name);
    text += ",prediction";
    for (const auto& name : names) text += ',' + csv_cell(name);
    text += '\n';
  }
}

void PredictionWriter::write(const ModelChunk& chunk, const Predictions& predictions) {
  const auto write_row = [&](std::size_t r) {
    if (format_ == TableFormat::json)
      write_json(chunk, predictions, r);
    else
      write_csv(chunk, predictions, r);
    buffer_.end_row();
  };
  for_each_place(chunk, predictions.decisions.rows(), write_row,
                 [&](const UnusableRow& row) { write_marked(row); });
  buffer_.flush();
}

void PredictionWriter::write_marked(const UnusableRow& row) {
  std::string& text = buffer_.text();
  if (format_ == TableFormat::json)
    text += row_opening() + place_json(row.row, kept_, row.kept) + ",\"problem\":\"" + reason(row) +
            "\"}";
  else
    text += place_cells(row) + std::string(1 + decisions_, ',') + '\n';
  buffer_.end_row();
}

const char* PredictionWriter::row_opening() {
  return std::exchange(is_first_, false) ? "\n{" : ",\n{";
}

void PredictionWriter::finish() {
  if (format_ == TableFormat::json) buffer_.text() += "\n]}\n";
  buffer_.flush();
}

void PredictionWriter::write_csv(const ModelChunk& chunk, const Predictions& predictions,
                                 std::size_t r) {
  std::string& text = buffer_.text();
  text += place_cells(chunk, r);
  text += ',';
  if (labels_.empty())
    append_number(text, predictions.decisions(r, 0));
  else
    text += labels_[predictions.classes[r]];
  for (const double value : predictions.decisions.row(r)) {
    text += ',';
    append_number(text, value);
  }
  text += '\n';
}

void PredictionWriter::write_json(const ModelChunk& chunk, const Predictions& predictions,
                                  std::size_t r) {
  std::string& text = buffer_.text();
  text += row_opening() + place_json(chunk, r, kept_);
  text += ",\"prediction\":";
  if (labels_.empty())
    append_json_number(text, predictions.decisions(r, 0));
  else
    text += labels_[predictions.classes[r]];
  text += ",\"decisions\":[";
  const char* separator = "";
  for (const double value : predictions.decisions.row(r)) {
    text += std::exchange(separator, ",");
    append_json_number(text, value);
  }
  text += "]}";
}

}  // namespace bisector::cli
