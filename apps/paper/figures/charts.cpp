#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bisector/report/report.h"
#include "bisector/version.h"
#include "common/dataset.h"
#include "common/markdown.h"
#include "common/protocol.h"
#include "studies.h"
#include "tools/output_file.h"

namespace bisector::paper {
namespace {

constexpr std::uint64_t kSeed = 0;
constexpr std::size_t kFlipped = 300, kFlippedImages = 60;  // rows
constexpr std::size_t kDrawn = 100;  // rows in a chart, which limits the file size

PixelFlippingReport curves(const Split& data, const Model& model, const DatasetInfo& info) {
  const Evaluation evaluation =
      flip_methods(data, model, table_methods(ModelKind::svm, info, Donors::same), kSeed,
                   {.precision = info.is_image ? Precision::float32 : Precision::float64,
                    .rows = info.is_image ? kFlippedImages : kFlipped});
  PixelFlippingReport flipping{
      evaluation.results.front().rows.size(), PixelFlippingOptions{}.samples, {}};
  for (std::size_t m = 0; m < evaluation.results.size(); ++m) {
    const PixelFlippingResult& result = evaluation.results[m];
    flipping.curves.push_back({evaluation.names[m], result.mean, result.standard_error,
                               result.curve_x, result.mean_curve});
  }
  return flipping;
}

Report report_on(const Dataset& dataset, const Split& data, const Model& model) {
  ReportOptions options;
  options.words.title = dataset.info.name;
  options.feature_names = dataset.feature_names;
  options.most_rows = kDrawn;
  options.evidence = 0;
  options.has_model = false;
  if (dataset.info.is_image) {
    const auto side =
        static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(dataset.rows.cols()))));
    options.image = ImageShape{side, side};
  }
  ReportBuilder builder(model, EtaRule{}, {}, options);
  builder.add(data.test_rows.view());
  Report report = builder.finish();
  report.pixel_flipping = curves(data, model, dataset.info);
  return report;
}

/// The most important features, as far as they have names.
std::string importance_words(const Report& report) {
  double sum = 0.0;
  for (const ColumnSummary& column : report.summary) sum += column.mean_absolute;
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, report.by_importance.size()); ++i) {
    const std::size_t column = report.by_importance[i];
    text += fmt::format("{}{} ({:.0f} %)", i == 0 ? "" : ", ", report.columns[column].name,
                        100.0 * report.summary[column].mean_absolute / sum);
  }
  return text;
}

std::string sentence(const DatasetInfo& info, const Fitted& fitted, const Report& report) {
  const std::vector<MethodCurve>& curves = report.pixel_flipping->curves;
  const auto best = std::ranges::min_element(curves, {}, &MethodCurve::aufc);
  std::string text =
      fmt::format("SVM with {}, {:.1f} % of {} held-out rows correct. ", describe(fitted.learner),
                  100.0 * fitted.accuracy, report.total_rows);
  if (!info.is_image) text += fmt::format("Most relevant: {}. ", importance_words(report));
  text += fmt::format("Over {} rows LRP has an AUFC of {:.3f}, ", report.pixel_flipping->rows,
                      curves.front().aufc);
  return text + (best == curves.begin()
                     ? std::string("the lowest.")
                     : fmt::format("{} the lowest with {:.3f}.", best->method, best->aufc));
}

/// The chart of relevance, and the flipping curves.
std::vector<NamedChart> telling_charts(const DatasetInfo& info, const Report& report) {
  std::vector<NamedChart> result;
  const std::string wanted = info.is_image ? "picture" : "beeswarm";
  for (NamedChart& chart : report_charts(report)) {
    const bool is_relevance = chart.name.starts_with(wanted) && result.empty();
    if (!is_relevance && chart.name != "pixel_flipping") continue;
    chart.chart.title = fmt::format("{}: {}", info.name, chart.chart.title);
    result.push_back({fmt::format("{}-{}", info.id, is_relevance ? "relevance" : "flipping"),
                      std::move(chart.chart)});
  }
  return result;
}

/// The sentence, then the names of the charts.
std::vector<std::string> draw_dataset(const DatasetInfo& info, const ChartsOptions& options) {
  const Dataset dataset = load(info, options.data);
  const Split data = split(dataset, kSeed);
  const Fitted fitted = fit_model(data, info, ModelKind::svm, {}, kSeed);
  const Report report = report_on(dataset, data, fitted.model);
  std::vector<std::string> lines{sentence(info, fitted, report)};
  for (const NamedChart& chart : telling_charts(info, report)) {
    write_file(options.out / "charts" / (chart.name + ".svg"), svg(chart.chart));
    lines.push_back(chart.name);
  }
  return lines;
}

std::string figures_page(const std::vector<DatasetInfo>& infos, const Journal& journal) {
  std::string text = fmt::format(
      "# Charts of the table's datasets\n\nMade by `bisector-paper charts` {}. Each dataset has "
      "two charts of its Gaussian SVM from the [table](table.md) with seed {}: the relevance of {} "
      "held-out rows, and the flipping curves. A flipping curve shows how soon predictions change "
      "if features are removed in the order of a method (legend: AUFC; lower is more faithful). "
      "The most extreme 1 % of the rows on either side are drawn at the edge.\n",
      kVersion, kSeed, kDrawn);
  for (const DatasetInfo& info : infos) {
    if (!journal.contains(info.id)) continue;
    const std::vector<std::string>& lines = journal.lines(info.id);
    text += fmt::format("\n## {}\n\n{}\n\n", info.name, lines.front());
    for (std::size_t i = 1; i < lines.size(); ++i)
      text +=
          fmt::format("![{}, {}](charts/{}.svg)\n", info.name,
                      lines[i].ends_with("flipping") ? "flipping curves" : "relevance", lines[i]);
  }
  return text;
}

}  // namespace

void run_charts(const ChartsOptions& options, std::ostream& log) {
  tools::make_folder(options.out / "charts");
  StudyRun study(options.out, "charts", "", log);
  for (const DatasetInfo& info : chosen_datasets(options.datasets)) {
    if (study.journal().contains(info.id) || is_there(info, options.data, log))
      study.lines(info.id, [&] { return draw_dataset(info, options); });
  }
  write_result(options.out / "figures.md", figures_page(dataset_infos(), study.journal()), log);
}

}  // namespace bisector::paper
