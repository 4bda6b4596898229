#include "cli/verbs/demo.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "bisector/explain.h"
#include "bisector/io/data_reader.h"
#include "bisector/io/model_file.h"
#include "bisector/random.h"
#include "bisector/report/report.h"
#include "bisector/train/train.h"
#include "cli/options/option_values.h"
#include "cli/verbs.h"
#include "cli/verbs/demo_data.h"
#include "cli/verbs/demo_rows.h"
#include "cli/verbs/explain.h"
#include "cli/verbs/report.h"
#include "tools/output_file.h"
#include "tools/page_parts.h"
#include "tools/platform/terminal.h"

namespace bisector::cli {
namespace {

constexpr const char* kTarget = "diagnosis";
constexpr std::uint64_t kSeed = 7;

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

std::vector<double> column_means(const Matrix& rows) {
  std::vector<double> means(rows.cols(), 0.0);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < rows.cols(); ++d)
      means[d] += rows(r, d) / static_cast<double>(rows.rows());
  }
  return means;
}

/// The clearest row of either class, the closest call, and the worst mistake where there is one.
std::vector<ShownRow> telling_rows(const Explanation& explanation, const DemoTable& table,
                                   const std::vector<std::string>& labels) {
  std::vector<std::size_t> order(explanation.g.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto g = [&](std::size_t r) { return explanation.g[r]; };
  const auto truth = [&](std::size_t r) { return table.target.labels[table.target.classes[r]]; };
  const auto said = [&](std::size_t r) { return labels[explanation.prediction[r]]; };
  const auto title = [&](const char* what, std::size_t r) {
    return ShownRow{fmt::format("{}: row {}, predicted {}, in truth {}, decision value {:+.3f}",
                                what, r + 1, said(r), truth(r), explanation.decision[r]),
                    r};
  };
  const auto least_sure = [&](std::size_t r) { return std::abs(g(r)); };
  std::vector<ShownRow> rows{
      title("The clearest case", *std::ranges::max_element(order, {}, g)),
      title("The clearest on the other side", *std::ranges::min_element(order, {}, g)),
      title("The closest call", *std::ranges::min_element(order, {}, least_sure))};
  std::erase_if(order, [&](std::size_t r) { return said(r) == truth(r); });
  if (!order.empty())
    rows.push_back(title("The surest mistake", *std::ranges::max_element(order, {}, least_sure)));
  return rows;
}

bool wants_color() { return tools::is_output_a_terminal() && std::getenv("NO_COLOR") == nullptr; }

TrainResult train_demo(const DemoTable& table) {
  TrainOptions options;
  options.feature_names = table.features;
  options.tune = TuneOptions{.seed = kSeed};
  return train(SvmLearner{}, table.rows.view(), table.target, options);
}

/// The page to look at, where the command has one.
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

}  // namespace

void demo_command(const DemoArguments& arguments, std::ostream& out, std::ostream& notes) {
  const auto in_folder = [&](const char* name) { return arguments.folder / name; };
  tools::make_folder(arguments.folder);
  write_split(in_folder("training.csv"), in_folder("held_out.csv"));
  const DemoTable training = read_table(in_folder("training.csv"));
  const DemoTable held_out = read_table(in_folder("held_out.csv"));
  fmt::print(out,
             "Breast cancer, Wisconsin: {} measurements of cell nuclei, malignant or benign?\n"
             "Training a Gaussian SVM on {} patients (5-fold cross-validation) ...\n",
             training.rows.cols(), training.rows.rows());
  out.flush();
  const TrainResult trained = train_demo(training);
  tools::OutputFile model_file(in_folder("model.npz"));
  write_bundle(model_file.stream(), trained.model);
  model_file.commit();

  ExplainOptions options;
  options.unit = Unit::decision;
  const Explainer explainer(trained.model, Auto{}, options);
  const Explanation explanation = explainer(held_out.rows.view());
  const std::vector<std::string> labels = trained.model.labels();
  std::size_t right = 0;
  for (std::size_t r = 0; r < held_out.rows.rows(); ++r)
    right +=
        labels[explanation.prediction[r]] == held_out.target.labels[held_out.target.classes[r]];
  const auto& svm = std::get<SvmLearner>(trained.learner);
  fmt::print(out, "gamma = {}, C = {}: right for {} of {} patients it has not seen. Why?\n\n",
             svm.gamma, svm.cost, right, held_out.rows.rows());

  const ExplainSettings& settings = explainer.settings();
  fmt::print(out, "Relevance by {} ({}), in {}:\n\n", settings.method, settings.reason,
             unit_of(trained.model, settings.unit).name);
  show_rows(out,
            {held_out.features, held_out.rows, column_means(training.rows), explanation.relevance,
             settings.positive, settings.negative},
            telling_rows(explanation, held_out, labels), 5, wants_color());

  ExplainArguments command;
  command.input.model = in_folder("model.npz");
  command.input.data = in_folder("held_out.csv");
  command.output = in_folder("relevance.csv");
  explain_command(command, out, notes);
  fmt::print(out,
             "\nWritten to {0}: training.csv, held_out.csv, model.npz and relevance.csv. The last "
             "by\n  bisector explain {0}/model.npz {0}/held_out.csv -o {0}/relevance.csv\n",
             arguments.folder.string());
  write_report(arguments, out);
}

void add_demo(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "demo",
      "Trains an SVM on data that the command carries, explains patients it has not seen and shows "
      "the most telling ones.");
  const auto arguments = std::make_shared<DemoArguments>();
  add_path(verb, "-o,--output", arguments->folder, "DIR",
           "Where data, model, relevance and report are written (default: bisector-demo)");
  verb.footer("Example:\n  bisector demo -o demo");
  verb.callback([arguments, &action] {
    action = [arguments](std::ostream& out, std::ostream& notes) {
      demo_command(*arguments, out, notes);
    };
  });
}

}  // namespace bisector::cli
