#include "cli/writers/evaluation_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cli/writers/json_text.h"
#include "cli/writers/number.h"
#include "cli/writers/table_format.h"

namespace bisector::cli {
namespace {

bool is_the_data(const EvaluationReport& report) {
  return report.background_file == report.data_file;
}

std::string rows_text(const EvaluationReport& report) {
  if (report.rows().size() == report.data_rows) return fmt::format("all {} rows", report.data_rows);
  return fmt::format("{} of {} rows, drawn with seed {}", report.rows().size(), report.data_rows,
                     report.seed);
}

std::string background_text(const EvaluationReport& report) {
  const Evaluation& evaluation = report.evaluation;
  std::string text = fmt::format("{}{}, {} rows, bandwidth {:.4g}", report.background_file,
                                 is_the_data(report) ? " itself" : "", evaluation.background,
                                 evaluation.bandwidth);
  if (evaluation.at_lowest_bandwidth)
    text += "\n            the lowest bandwidth: every row has a twin among these";
  if (is_the_data(report))
    text += "\n            a row can be completed by itself: --background takes the training rows";
  return text;
}

Json method_json(const EvaluationReport& report, std::size_t method, bool is_best) {
  const PixelFlippingResult& result = report.evaluation.results[method];
  return {{"method", report.evaluation.names[method]},
          {"aufc", result.mean},
          {"standard_error", number_json(result.standard_error)},
          {"best", is_best},
          {"aufc_of_rows", result.aufc},
          {"mean_curve", result.mean_curve}};
}

}  // namespace

std::vector<std::size_t> EvaluationReport::ranking() const {
  std::vector<std::size_t> order(evaluation.names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return evaluation.results[a].mean < evaluation.results[b].mean;
  });
  return order;
}

void write_evaluation_text(std::ostream& out, const EvaluationReport& report) {
  out << fmt::format(
      "model       {}\ndata        {}, {}; {} samples for each measurement\nbackground  {}\n\n",
      report.model_file, report.data_file, rows_text(report), report.samples,
      background_text(report));
  std::size_t width = std::string_view("method").size();
  for (const auto& method : report.evaluation.names) width = std::max(width, method.size());
  out << fmt::format("{:<{}}  {:>8}  {:>8}\n", "method", width, "AUFC", "± s.e.");
  const auto order = report.ranking();
  for (const std::size_t m : order) {
    const PixelFlippingResult& result = report.evaluation.results[m];
    out << fmt::format("{:<{}}  {:8.4f}  {:8.4f}{}\n", report.evaluation.names[m], width,
                       result.mean, result.standard_error, m == order.front() ? "  best" : "");
  }
  out << "\nAUFC: the area under the flipping curve, from -1 to 1. Lower is more faithful.\n";
}

void write_evaluation_csv(std::ostream& out, const EvaluationReport& report) {
  std::string text = "method,aufc,standard_error,rows,bandwidth\n";
  for (const std::size_t m : report.ranking()) {
    const PixelFlippingResult& result = report.evaluation.results[m];
    text += csv_cell(report.evaluation.names[m]) + ',';
    append_number(text, result.mean);
    text += ',';
    append_number(text, result.standard_error);
    text += ',';
    append_number(text, result.rows.size());
    text += ',';
    append_number(text, report.evaluation.bandwidth);
    text += '\n';
  }
  out << text;
}

void write_evaluation_json(std::ostream& out, const EvaluationReport& report) {
  const Evaluation& evaluation = report.evaluation;
  Json rows = Json::array(), methods = Json::array();
  for (const std::size_t row : report.rows()) rows.push_back(row + 1);
  const auto order = report.ranking();
  for (const std::size_t m : order) methods.push_back(method_json(report, m, m == order.front()));
  const Json background = {{"file", report.background_file},
                           {"is_data", is_the_data(report)},
                           {"rows", evaluation.background},
                           {"bandwidth", evaluation.bandwidth},
                           {"at_lowest_bandwidth", evaluation.at_lowest_bandwidth}};
  const Json json = {{"model", model_json(report.model)},
                     {"data", {{"file", report.data_file}, {"rows", report.data_rows}}},
                     {"background", background},
                     {"samples", report.samples},
                     {"seed", report.seed},
                     {"rows", rows},
                     {"removed", evaluation.results.front().curve_x},
                     {"methods", methods}};
  out << json_text(json) << '\n';
}

void write_curves_csv(std::ostream& out, const EvaluationReport& report) {
  std::string text = "method,removed,mean\n";
  for (const std::size_t m : report.ranking()) {
    const PixelFlippingResult& result = report.evaluation.results[m];
    for (std::size_t i = 0; i < result.curve_x.size(); ++i) {
      text += csv_cell(report.evaluation.names[m]) + ',';
      append_number(text, result.curve_x[i]);
      text += ',';
      append_number(text, result.mean_curve[i]);
      text += '\n';
    }
  }
  out << text;
}

}  // namespace bisector::cli
