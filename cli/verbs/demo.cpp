// bisector demo: from a table to explanations, on data inside the command.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <ostream>

#include "bisector/explain.h"
#include "bisector/io/data_reader.h"
#include "bisector/io/model_file.h"
#include "bisector/random.h"
#include "bisector/report/report.h"
#include "bisector/train/train.h"
#include "cli/options/option_values.h"
#include "cli/options/wrap.h"
#include "cli/verbs.h"
#include "cli/verbs/demo_data.h"
#include "cli/verbs/explain.h"
#include "cli/verbs/report.h"
#include "cli/writers/row_text.h"
#include "cli/writers/train_summary.h"
#include "tools/output_file.h"
#include "tools/page_parts.h"

namespace bisector::cli {
namespace {

struct DemoArguments {
  std::filesystem::path folder = "bisector-demo";
};

constexpr const char* kTarget = "diagnosis";
constexpr std::uint64_t kSeed = 7;
constexpr std::size_t kDemoFeatures = 5;

struct DemoTable {
  std::vector<std::string> features;
  Matrix rows;
  ClassTarget target;
};

/// Writes the lines of the embedded table whose numbers are in `rows`, counted from zero.
void write_table(const std::filesystem::path& path, std::span<const std::size_t> rows) {
  std::vector<std::string_view> lines;
  for (std::string_view rest = demo_data(); !rest.empty();) {
    const std::size_t end = rest.find('\n');
    lines.push_back(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  tools::OutputFile file(path);
  file.stream() << lines.front() << "\n";
  for (const std::size_t row : rows) file.stream() << lines[row + 1] << "\n";
  file.commit();
}

DemoTable read_table(const std::filesystem::path& path) {
  const auto reader = open_data(path);
  const std::size_t target = find_column(*reader, path.string(), kTarget);
  std::vector<std::size_t> numbers(reader->columns() - 1);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});  // the target is the last column
  std::vector<std::string> features = reader->names();
  features.pop_back();
  reader->select({numbers, {target}});
  DataChunk chunk = read_all(*reader);
  return {std::move(features), std::move(chunk.numbers), sorted_classes(chunk.text[0])};
}

/// A fifth of the rows is held out.
void write_split(const std::filesystem::path& training, const std::filesystem::path& held_out) {
  std::vector<std::size_t> order(static_cast<std::size_t>(std::ranges::count(demo_data(), '\n')) -
                                 1);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(kSeed).shuffle(std::span(order));
  const auto middle = std::span(order).size() / 5;
  write_table(held_out, std::span(order).first(middle));
  write_table(training, std::span(order).subspan(middle));
}

/// Means of the columns as text.
std::vector<std::string> averages(const Matrix& rows) {
  std::vector<std::string> texts;
  for (std::size_t d = 0; d < rows.cols(); ++d) {
    double sum = 0.0;
    for (std::size_t r = 0; r < rows.rows(); ++r) sum += rows(r, d);
    texts.push_back(short_number(sum / static_cast<double>(rows.rows())));
  }
  return texts;
}

struct InterestingRow {
  const char* what;
  std::size_t row;
};

/// The clearest row of each class, the closest call, and the worst mistake if there is one.
std::vector<InterestingRow> interesting_rows(const Explanation& explanation,
                                             const std::vector<bool>& is_correct) {
  std::vector<std::size_t> order(explanation.output.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto output = [&](std::size_t r) { return explanation.output[r]; };
  const auto certainty = [&](std::size_t r) { return std::abs(explanation.output[r]); };
  std::vector<InterestingRow> rows{
      {"The clearest case", *std::ranges::max_element(order, {}, output)},
      {"The clearest case of the other class", *std::ranges::min_element(order, {}, output)},
      {"The closest call", *std::ranges::min_element(order, {}, certainty)}};
  std::erase_if(order, [&](std::size_t r) { return is_correct[r]; });
  if (!order.empty())
    rows.push_back({"The worst mistake", *std::ranges::max_element(order, {}, certainty)});
  return rows;
}

TextRow text_row(const DemoTable& table, const Explanation& explanation,
                 const std::vector<std::string>& labels, const InterestingRow& shown) {
  const std::size_t r = shown.row;
  const auto relevance = explanation.relevance.row(r);
  TextRow row{
      fmt::format("\n{}: row {}, predicted {}, actual {}", shown.what, r + 1,
                  labels[explanation.prediction[r]], table.target.labels[table.target.classes[r]]),
      {},
      {relevance.begin(), relevance.end()},
      explanation.base[r],
      explanation.remainder[r],
      explanation.output[r],
      labels[explanation.positive[r]],
      labels[explanation.negative[r]]};
  for (const double value : table.rows.row(r)) row.values.push_back(short_number(value));
  return row;
}

TrainResult train_demo(const DemoTable& table) {
  TrainOptions options;
  options.feature_names = table.features;
  options.tune = TuneOptions{.seed = kSeed};
  return train(SvmLearner{}, table.rows.view(), table.target, options);
}

/// Writes the report page if this build has pages.
void write_report(const DemoArguments& arguments, std::ostream& out) {
  if (tools::page_parts().page.empty()) return;
  ReportArguments report;
  report.input.model = arguments.folder / "model.npz";
  report.input.data = arguments.folder / "held_out.csv";
  report.output = arguments.folder / "report.html";
  report.input.target = kTarget;
  report.title = "Breast cancer, Wisconsin: malignant or benign?";
  report.evaluate = true;
  report_command(report, out);
  fmt::print(out, "\nThe report, to open in a browser: {}\n",
             std::filesystem::absolute(report.output).lexically_normal().string());
}

TrainResult train_and_write(const DemoArguments& arguments, const DemoTable& training) {
  TrainResult trained = train_demo(training);
  trained.model = with_training_data(trained.model, training.rows);
  tools::OutputFile model_file(arguments.folder / "model.npz");
  write_bundle(model_file.stream(), trained.model,
               {std::nullopt, training_record(trained, arguments.folder / "training.csv",
                                              training.rows.rows(), TuneOptions{}.folds)});
  model_file.commit();
  return trained;
}

/// Explains the new patients and shows the most interesting ones.
void show_patients(const Explainer& explainer, const Model& model, const DemoTable& training,
                   const DemoTable& held_out, std::ostream& out) {
  const Explanation explanation = explainer(held_out.rows.view());
  const std::vector<std::string> labels = model.labels();
  std::vector<bool> is_correct;
  for (std::size_t r = 0; r < held_out.rows.rows(); ++r)
    is_correct.push_back(labels[explanation.prediction[r]] ==
                         held_out.target.labels[held_out.target.classes[r]]);
  const ExplainSettings& settings = explainer.settings();
  fmt::print(out,
             "The model is correct for {} of {} new patients. Why? Positive contributions push\n"
             "toward {}, negative ones toward {}. The average output and all\n"
             "contributions add up to the result; the model predicts {} above 0.\n",
             std::ranges::count(is_correct, true), is_correct.size(), settings.positive,
             settings.negative, settings.positive);
  const TextTable table{held_out.features, averages(training.rows),
                        unit_of(model, settings.unit).output, kDemoFeatures, wants_color()};
  for (const InterestingRow& row : interesting_rows(explanation, is_correct))
    write_row_text(out, table, text_row(held_out, explanation, labels, row));
}

void write_relevance(const DemoArguments& arguments, std::ostream& out, std::ostream& notes) {
  ExplainArguments command;
  command.input.model = arguments.folder / "model.npz";
  command.input.data = arguments.folder / "held_out.csv";
  command.output = arguments.folder / "relevance.csv";
  explain_command(command, out, notes);
}

void demo_command(const DemoArguments& arguments, std::ostream& out, std::ostream& notes) {
  const std::filesystem::path& folder = arguments.folder;
  tools::make_folder(folder);
  write_split(folder / "training.csv", folder / "held_out.csv");
  const DemoTable training = read_table(folder / "training.csv");
  fmt::print(out,
             "Breast cancer, Wisconsin: {} measurements of cell nuclei, malignant or benign?\n"
             "Training a Gaussian SVM on {} patients (5-fold cross-validation) ...\n",
             training.rows.cols(), training.rows.rows());
  out.flush();
  const TrainResult trained = train_and_write(arguments, training);
  const Explainer explainer(trained.model, Auto{}, ExplainOptions{});
  show_patients(explainer, trained.model, training, read_table(folder / "held_out.csv"), out);
  write_relevance(arguments, out, notes);
  const auto& svm = std::get<SvmLearner>(trained.learner);
  const ExplainSettings& settings = explainer.settings();
  const std::string how = fmt::format("The model: gamma {}, cost {}. The method: {}, {}.",
                                      svm.gamma, svm.cost, settings.method, settings.reason);
  fmt::print(out, "\n{}\n", wrapped(how, 0));
  fmt::print(out,
             "\nWritten to {0}: training.csv, held_out.csv, model.npz and relevance.csv. Try\n"
             "  bisector explain {0}/model.npz {0}/held_out.csv --row 5\n",
             folder.string());
  write_report(arguments, out);
}

}  // namespace

void add_demo(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "demo",
      "Trains an SVM on built-in data, explains new patients and shows the most interesting "
      "ones.");
  const auto arguments = std::make_shared<DemoArguments>();
  add_output(verb, "-o,--output", arguments->folder, "DIR",
             "Where data, model, relevance and report are written (default: bisector-demo)");
  verb.footer("Example:\n  bisector demo -o demo");
  set_action(verb, action, arguments, demo_command);
}

}  // namespace bisector::cli
