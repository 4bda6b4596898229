#include <fmt/format.h>

#include "apps/molecules/command/command.h"
#include "apps/molecules/command/explainer.h"
#include "bisector/io/model_file.h"
#include "bisector/predict.h"
#include "cli/options/rule_options.h"
#include "cli/writers/json_text.h"
#include "tools/output_file.h"
#include "tools/progress.h"

namespace bisector::molecules {

using namespace cli;

namespace {

/// Writes a line for each molecule: the prediction, and the actual value if it is known.
class PredictionWriter {
 public:
  PredictionWriter(std::ostream& out, TableFormat format, std::string property)
      : buffer_(out), format_(format), rows_(format), property_(std::move(property)) {
    if (is_json(format_))
      buffer_.text() +=
          rows_.begin("{\"property\": " + json_text(property_) + ",\n\"molecules\": ");
    else
      buffer_.text() += "frame,name,formula,prediction" +
                        (property_.empty() ? "" : ',' + csv_cell(property_)) + '\n';
  }

  void write(std::size_t frame, const Molecule& molecule, double prediction) {
    const auto known = molecule.properties.find(property_);
    const bool is_known = known != molecule.properties.end();
    std::string& text = buffer_.text();
    if (is_json(format_)) {
      Json json = {{"frame", frame}, {"name", molecule.name}, {"formula", formula(molecule)}};
      json["prediction"] = number_json(prediction);
      if (is_known) json["target"] = number_json(known->second);
      text += rows_.before_row() + json_text(json);
    } else {
      text += fmt::format("{},{},{},{}{}{}\n", frame, csv_cell(molecule.name),
                          csv_cell(formula(molecule)), prediction, property_.empty() ? "" : ",",
                          is_known ? fmt::format("{}", known->second) : "");
    }
    buffer_.end_row();
  }

  void finish() {
    if (is_json(format_)) buffer_.text() += rows_.end();
    buffer_.flush();
  }

 private:
  RowBuffer buffer_;
  TableFormat format_;
  JsonRows rows_;
  std::string property_;
};

/// The requested property, or the one that the model has learned.
std::string property_of(const PredictArguments& arguments, const Model& model) {
  if (!arguments.property.empty() || !model.target()) return arguments.property;
  return model.target()->column;
}

}  // namespace

void predict_command(const PredictArguments& arguments, std::ostream& out, std::ostream&) {
  const TableFormat format =
      table_format(arguments.output, arguments.format,
                   {TableFormat::csv, TableFormat::json, TableFormat::jsonl});
  const Model model = read_model(arguments.model, arguments.limits);
  const Representation representation = representation_of(model, arguments.model);
  const DecisionFunction decide(model, Precision::float64, thread_count(arguments.threads));
  MoleculeReader reader = arguments.reader();
  tools::Output output(arguments.output, out);
  PredictionWriter writer(output.stream(), format, property_of(arguments, model));
  tools::Progress progress =
      tools::Progress::on_terminal("predicting", tools::is_standard_output(arguments.output));
  std::size_t done = 0;
  for (auto chunk = next_molecules(reader); !chunk.empty(); chunk = next_molecules(reader)) {
    const Predictions predictions = decide(representation.rows(chunk).view());
    for (std::size_t m = 0; m < chunk.size(); ++m)
      writer.write(++done, chunk[m], predictions.decisions(m, 0));
    progress.update(done, std::nullopt);
    output.check();
  }
  writer.finish();
  output.commit();
}

}  // namespace bisector::molecules
