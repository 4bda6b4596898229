#include "cli/writers/prediction_writer.h"

#include <utility>

#include "cli/writers/json_text.h"
#include "cli/writers/number.h"

namespace bisector::cli {

PredictionWriter::PredictionWriter(std::ostream& out, TableFormat format, const Model& model,
                                   const std::vector<std::string>& names)
    : buffer_(out), format_(format) {
  for (const auto& label : model.labels())
    labels_.push_back(format == TableFormat::json ? json_text(label) : csv_cell(label));
  std::string& text = buffer_.text();
  if (format == TableFormat::json) {
    text += "{\"model\": " + json_text(model_json(model));
    text += ",\n\"decisions\": " + json_text(names) + ",\n\"rows\": [";
  } else {
    text += "row,prediction";
    for (const auto& name : names) text += ',' + csv_cell(name);
    text += '\n';
  }
}

void PredictionWriter::write(std::size_t first_row, const Predictions& predictions) {
  for (std::size_t r = 0; r < predictions.decisions.rows(); ++r) {
    if (format_ == TableFormat::json)
      write_json(first_row + r, predictions, r);
    else
      write_csv(first_row + r, predictions, r);
    buffer_.end_row();
  }
  buffer_.flush();
}

void PredictionWriter::finish() {
  if (format_ == TableFormat::json) buffer_.text() += "\n]}\n";
  buffer_.flush();
}

void PredictionWriter::write_csv(std::size_t row, const Predictions& predictions, std::size_t r) {
  std::string& text = buffer_.text();
  append_number(text, row);
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

void PredictionWriter::write_json(std::size_t row, const Predictions& predictions, std::size_t r) {
  std::string& text = buffer_.text();
  text += std::exchange(is_first_, false) ? "\n{\"row\":" : ",\n{\"row\":";
  append_number(text, row);
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
