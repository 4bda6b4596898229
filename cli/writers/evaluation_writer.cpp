#include "cli/writers/evaluation_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>

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

std::string samples_text(const EvaluationReport& report) {
  if (report.imputer == Imputer::mean) return "imputed by the mean";
  return fmt::format("{} {}samples for each measurement", report.samples,
                     report.imputer == Imputer::marginal ? "marginal " : "");
}

std::string background_text(const EvaluationReport& report) {
  const Evaluation& evaluation = report.evaluation;
  std::string text = report.background_file + (is_the_data(report) ? " itself" : "");
  const bool has_bandwidth = report.imputer == Imputer::conditional;
  if (has_bandwidth) text += fmt::format(", bandwidth {:.4g}", evaluation.bandwidth);
  if (has_bandwidth && evaluation.at_lowest_bandwidth)
    text += "\n            the lowest bandwidth: every row has an equal among these";
  if (is_the_data(report))
    text +=
        "\n            rows can be imputed from themselves; use --background with the training "
        "rows";
  return text;
}

std::string donors_text(const Evaluation& evaluation) {
  if (evaluation.donors == Donors::disjoint)
    return fmt::format("disjoint: the methods see {} rows, {} other rows impute",
                       evaluation.rule_background, evaluation.background);
  return fmt::format("same: {} rows impute, and the methods may know them", evaluation.background);
}

Json method_json(const EvaluationReport& report, std::size_t method) {
  const Evaluation& evaluation = report.evaluation;
  const PixelFlippingResult& result = evaluation.results[method];
  const PairedDifference& to_best = evaluation.comparison.to_best[method];
  return {{"method", evaluation.names[method]},
          {"aufc", result.mean},
          {"standard_error", number_json(result.standard_error)},
          {"best", method == evaluation.comparison.best},
          {"to_best",
           {{"mean", to_best.mean}, {"standard_error", number_json(to_best.standard_error)}}},
          {"aufc_of_rows", result.aufc},
          {"mean_curve", result.mean_curve}};
}

Json row_numbers(std::span<const std::size_t> rows) {
  Json numbers = Json::array();
  for (const std::size_t row : rows) numbers.push_back(row + 1);
  return numbers;
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
  const Evaluation& evaluation = report.evaluation;
  out << fmt::format("model       {}\ndata        {}, {}; {}\nbackground  {}\ndonors      {}\n\n",
                     report.model_file, report.data_file, rows_text(report), samples_text(report),
                     background_text(report), donors_text(evaluation));
  std::size_t width = std::string_view("method").size();
  for (const auto& method : evaluation.names) width = std::max(width, method.size());
  out << fmt::format("{:<{}}  {:>8}  {:>8}  {:>8}  {:>8}\n", "method", width, "AUFC", "± s.e.",
                     "to best", "± s.e.");
  for (const std::size_t m : report.ranking()) {
    const PixelFlippingResult& result = evaluation.results[m];
    out << fmt::format("{:<{}}  {:8.4f}  {:8.4f}", evaluation.names[m], width, result.mean,
                       result.standard_error);
    const PairedDifference& to_best = evaluation.comparison.to_best[m];
    if (m == evaluation.comparison.best)
      out << fmt::format("  {:>8}", "best");
    else
      out << fmt::format("  {:8.4f}  {:8.4f}", to_best.mean, to_best.standard_error);
    out << '\n';
  }
  out << "\nAUFC: the area under the flipping curve, from -1 to 1. Lower is more faithful.\n";
}

void write_evaluation_csv(std::ostream& out, const EvaluationReport& report) {
  const Evaluation& evaluation = report.evaluation;
  std::string text =
      "method,aufc,standard_error,rows,bandwidth,to_best,to_best_standard_error,donors,imputer\n";
  const auto add = [&text](auto number) {
    text += ',';
    append_number(text, number);
  };
  for (const std::size_t m : report.ranking()) {
    const PixelFlippingResult& result = evaluation.results[m];
    text += csv_cell(evaluation.names[m]);
    add(result.mean);
    add(result.standard_error);
    add(result.rows.size());
    add(evaluation.bandwidth);
    add(evaluation.comparison.to_best[m].mean);
    add(evaluation.comparison.to_best[m].standard_error);
    text += fmt::format(",{},{}\n", name(evaluation.donors), name(report.imputer));
  }
  out << text;
}

void write_evaluation_json(std::ostream& out, const EvaluationReport& report) {
  const Evaluation& evaluation = report.evaluation;
  Json methods = Json::array();
  for (const std::size_t m : report.ranking()) methods.push_back(method_json(report, m));
  const Json background = {
      {"file", report.background_file},    {"is_data", is_the_data(report)},
      {"rows", evaluation.background},     {"rows_of_rules", evaluation.rule_background},
      {"bandwidth", evaluation.bandwidth}, {"at_lowest_bandwidth", evaluation.at_lowest_bandwidth}};
  const Json json = {{"model", model_json(report.model)},
                     {"data", {{"file", report.data_file}, {"rows", report.data_rows}}},
                     {"background", background},
                     {"donors", name(evaluation.donors)},
                     {"imputer", name(report.imputer)},
                     {"samples", report.samples},
                     {"seed", report.seed},
                     {"rows", row_numbers(report.rows())},
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
