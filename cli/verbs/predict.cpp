// bisector predict: the prediction and the decision values of every row.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

#include "bisector/enum_names.h"
#include "bisector/outside.h"
#include "bisector/predict.h"
#include "cli/options/help.h"
#include "cli/options/input.h"
#include "cli/options/option_values.h"
#include "cli/options/rule_options.h"
#include "cli/verbs.h"
#include "cli/writers/describe_model.h"
#include "cli/writers/placement.h"
#include "cli/writers/result_tables.h"
#include "cli/writers/table_sink.h"
#include "tools/output_file.h"

namespace bisector::cli {
namespace {

struct PredictArguments {
  InputArguments input;
  std::filesystem::path output;  // empty: standard output
  std::optional<TableFormat> format;
  bool details = false;
  Precision precision = Precision::float64;
  std::optional<std::size_t> threads;
};

/// True for support vector machines with a machine for each pair of more than two classes.
bool decides_by_pairs(const Model& model) {
  const auto* machines = std::get_if<KernelClassifier>(&model.predictor());
  return machines != nullptr && model.labels().size() > 2 &&
         machines->arrangement() == KernelClassifier::Arrangement::one_vs_one;
}

void predict_command(const PredictArguments& arguments, std::ostream& out, std::ostream& notes) {
  const TableFormat format = table_format(arguments.output, arguments.format);
  const Model read = load_model(arguments.input);
  RowSource rows(arguments.input.data, arguments.input, read);
  const Model model = rows.widen(read);
  const DecisionFunction decide(model, arguments.precision, thread_count(arguments.threads));

  tools::Output output(arguments.output, out);
  const ResultNames names(model, {}, RowValues(model, true));
  PredictionColumns columns{rows.target_name()};
  if (arguments.details || !decides_by_pairs(model)) columns.decisions = decide.names();
  const std::optional<SvmProbabilities> probabilities = load_extras(arguments.input).probabilities;
  const auto table = [&](const Predictions& found) {
    return prediction_table(found, names, columns,
                            probabilities ? (*probabilities)(found.decisions) : Matrix());
  };
  Json members = {{"model", model_json(model)}};
  if (columns.target) members["target"] = *columns.target;
  if (columns.decisions) members["decisions"] = *columns.decisions;
  const auto sink = make_sink(
      format, output,
      {rows.kept_names(), table(decide(Matrix(0, model.features()))), std::move(members)});
  tools::Progress progress =
      tools::Progress::on_terminal("predicting", tools::is_standard_output(arguments.output));
  // A model of many classes has more decision values per row than features.
  const std::size_t size = arguments.input.chunk.value_or(
      default_chunk_rows(std::max(model.features(), decide.names().size())));
  const OutsideRows outside(model, thread_count(arguments.threads));
  std::size_t all = 0, outside_rows = 0, without_neighbors = 0;
  for_each_chunk(rows, size, progress, [&](std::size_t, const ModelChunk& chunk) {
    all += chunk.rows.rows();
    outside_rows += outside.count(chunk.rows);
    const Predictions predictions = decide(chunk.rows);
    without_neighbors += predictions.without_neighbors.size();
    sink->write(table(predictions), chunk);
    output.check();
  });
  const std::vector<std::string> noted =
      prediction_notes(all, outside_rows, without_neighbors, rows.name());
  sink->finish(noted);
  output.commit();
  rows.write_unusable(notes);
  write_notes(noted, notes);
}

void add_output_options(CLI::App& verb, PredictArguments& arguments) {
  const OptionGroup group(verb, "Output");
  add_output(verb, "-o,--output", arguments.output, "FILE",
             ".csv: row, prediction, the target if the data have it, the decision values, and the "
             "class probabilities of a LIBSVM model that has them; "
             ".json: the same; .npy: the decision values (default: CSV to standard output)");
  verb.add_flag(
      "--details", arguments.details,
      "Also write the decision value of every pair of classes, if the model has more than "
      "two classes and decides by pairs");
  add_choice(
      verb, "--format", arguments.format, enum_values<TableFormat>(),
      "Format of the output (default: by the name of the file); jsonl is one line of JSON per row");
}

}  // namespace

void add_predict(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand("predict",
                                       "Predicts each row: the class or the value, and the "
                                       "decision values.");
  const auto arguments = std::make_shared<PredictArguments>();
  arguments->input.keeps_target = true;
  add_input_files(verb, arguments->input, "The rows to predict");
  add_output_options(verb, *arguments);
  add_model_table_options(verb, arguments->input, {chunk_limit(arguments->input)});
  add_keep_option(verb, arguments->input);
  add_knn_option(verb, arguments->input);
  add_speed_options(verb, arguments->precision, arguments->threads);
  list_first(verb, {"--output", "--format", "--details", "--target", "--keep", "--missing",
                    "--drop", "--knn", "--precision", "--threads"});
  verb.footer(
      "Examples:\n"
      "  bisector predict wine.model wine.csv -o predictions.csv\n"
      "  bisector predict --knn 5 --target quality train.csv new.csv");
  set_action(verb, action, arguments, predict_command);
}

}  // namespace bisector::cli
