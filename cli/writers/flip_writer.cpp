#include "cli/writers/flip_writer.h"

#include <fmt/format.h>

#include <utility>

#include "cli/writers/explanation_writer.h"
#include "cli/writers/json_text.h"
#include "cli/writers/number.h"
#include "cli/writers/row_places.h"
#include "cli/writers/row_text.h"

namespace bisector::cli {
namespace {

std::string number_text(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

/// "a, b and c"
std::string in_words(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t n = 0; n < parts.size(); ++n) {
    if (n > 0) text += n + 1 == parts.size() ? " and " : ", ";
    text += parts[n];
  }
  return text;
}

}  // namespace

FlipWriter::FlipWriter(std::ostream& out, std::optional<TableFormat> format, FlipHead head)
    : buffer_(out),
      format_(format),
      head_(std::move(head)),
      values_(head_.model, true),
      labels_(shown_labels(head_.model)),
      rows_(format.value_or(TableFormat::csv)) {
  std::string& text = buffer_.text();
  if (format_ && is_json(*format_)) {
    text += rows_.begin("{\"model\": " + json_text(model_json(head_.model)) +
                        ",\n\"columns\": " + json_text(head_.columns) + ",\n\"rows\": ");
  } else if (format_) {
    text += "row,prediction,answer,flipped,distance,radius,example,changed";
    if (values_.imputes()) text += ",imputed";
    for (const std::string& column : head_.columns) text += ',' + csv_cell(column);
    text += '\n';
  }
}

std::string FlipWriter::prediction_text(std::size_t prediction, double value) const {
  return labels_.empty() ? number_text(value) : labels_[prediction];
}

std::string FlipWriter::goal_text() const {
  return head_.reach ? "reaches " + short_number(*head_.reach) : "flips the prediction";
}

std::optional<std::size_t> FlipWriter::example_number(const RowFlips& found) const {
  if (!found.example || *found.example >= head_.examples.size()) return std::nullopt;
  return head_.examples[*found.example];
}

void FlipWriter::write(std::size_t number, std::span<const double> row,
                       const std::vector<std::size_t>& imputed, const RowFlips& found) {
  if (!format_)
    write_text(number, row, imputed, found);
  else if (is_json(*format_))
    write_json(number, row, imputed, found);
  else
    write_csv(number, imputed, found);
  buffer_.end_row();
}

void FlipWriter::write_text(std::size_t number, std::span<const double> row,
                            const std::vector<std::size_t>& imputed, const RowFlips& found) {
  std::string text =
      fmt::format("Row {}: predicted {}\n", number,
                  labels_.empty() ? short_number(found.value) : labels_[found.prediction]);
  if (found.prediction == head_.to_class) {
    buffer_.text() +=
        printable_lines(text + fmt::format("  is already {}\n", labels_[found.prediction]));
    return;
  }
  if (found.flips.empty())
    text += fmt::format("  no allowed change that {} was found\n", goal_text());
  for (const Flip& flip : found.flips) {
    std::vector<std::string> changes;
    for (const std::size_t c : flip.changed)
      changes.push_back(fmt::format("{} {}{} → {}", head_.columns[c], values_.text(row, c),
                                    values_.is_imputed(imputed, c) ? " (filled in)" : "",
                                    values_.text(flip.row, c)));
    if (head_.reach)
      text += fmt::format("  would reach {} if: {} (predicted {}, distance {})\n",
                          short_number(*head_.reach), in_words(changes), short_number(flip.value),
                          short_number(flip.distance));
    else
      text += fmt::format("  would be {} if: {} (distance {})\n", labels_[flip.prediction],
                          in_words(changes), short_number(flip.distance));
  }
  if (found.radius > 0.0)
    text +=
        fmt::format("  no change shorter than {} {}\n", short_number(found.radius), goal_text());
  if (const auto example = example_number(found))
    text += fmt::format("  nearest row {}: row {} (distance {})\n",
                        head_.reach ? "that " + goal_text() : "with the other outcome", *example,
                        short_number(found.example_distance));
  buffer_.text() += printable_lines(text);
}

void FlipWriter::write_csv(std::size_t number, const std::vector<std::size_t>& imputed,
                           const RowFlips& found) {
  std::string& text = buffer_.text();
  const std::string own = csv_cell(prediction_text(found.prediction, found.value));
  const auto example = example_number(found);
  const auto end = [&](const std::string& changed) {
    append_number(text, found.radius);
    text += ',' + (example ? std::to_string(*example) : "") + ',' + csv_cell(changed) +
            imputed_cell(values_, {imputed}, 0);
  };
  for (std::size_t n = 0; n < found.flips.size(); ++n) {
    const Flip& flip = found.flips[n];
    std::string changed;
    for (const std::size_t c : flip.changed)
      changed += (changed.empty() ? "" : "; ") + head_.columns[c];
    text += fmt::format("{},{},{},{},{},", number, own, n + 1,
                        csv_cell(prediction_text(flip.prediction, flip.value)),
                        number_text(flip.distance));
    end(changed);
    for (std::size_t c = 0; c < head_.columns.size(); ++c)
      text += ',' + csv_cell(values_.text(flip.row, c));
    text += '\n';
  }
  if (!found.flips.empty()) return;
  text += fmt::format("{},{},,,,", number, own);
  end("");
  text += std::string(head_.columns.size(), ',') + '\n';
}

void FlipWriter::write_json(std::size_t number, std::span<const double> row,
                            const std::vector<std::size_t>& imputed, const RowFlips& found) {
  const auto value_json = [&](std::span<const double> of, std::size_t c) {
    return values_.is_number(c) ? Json(of[values_.feature(c)]) : Json(values_.text(of, c));
  };
  const auto prediction_json = [&](std::size_t prediction, double value) {
    return labels_.empty() ? Json(value) : Json(labels_[prediction]);
  };
  Json json = {{"row", number},
               {"prediction", prediction_json(found.prediction, found.value)},
               {"radius", found.radius}};
  if (values_.imputes()) json["imputed"] = values_.imputed_names({imputed}, 0);
  if (const auto example = example_number(found))
    json["example"] = {{"row", *example}, {"distance", found.example_distance}};
  json["flips"] = Json::array();
  for (const Flip& flip : found.flips) {
    Json changes = Json::object(), values = Json::array();
    for (const std::size_t c : flip.changed)
      changes[head_.columns[c]] = {value_json(row, c), value_json(flip.row, c)};
    for (std::size_t c = 0; c < head_.columns.size(); ++c)
      values.push_back(value_json(flip.row, c));
    json["flips"].push_back({{"prediction", prediction_json(flip.prediction, flip.value)},
                             {"distance", flip.distance},
                             {"changes", std::move(changes)},
                             {"values", std::move(values)}});
  }
  buffer_.text() += rows_.before_row() + json_text(json);
}

void FlipWriter::finish(const std::vector<std::string>& notes) {
  if (!format_)
    buffer_.text() += "Distances are Euclidean, after the model's scaling of the columns.\n";
  if (format_ && is_json(*format_)) buffer_.text() += rows_.end(notes);
  buffer_.flush();
}

}  // namespace bisector::cli
