#include "wine/wine.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "bisector/version.h"
#include "common/markdown.h"
#include "wine/wine_figure.h"
#include "wine/wine_statements.h"

namespace bisector::paper {
namespace {

std::string words(const Interval& interval) {
  return fmt::format("{:.3g} ({:.3g} to {:.3g})", interval.value, interval.low, interval.high);
}

std::string verdict(const WineStatement& statement) {
  return fmt::format("{}{}", statement.is_reproduced ? "reproduced" : "not reproduced",
                     statement.parts.empty() ? "" : " (" + statement.parts + ")");
}

TextTable statement_table(const std::vector<WineStatement>& statements) {
  TextTable table{
      {"the paper says", "asked of the numbers", "number", "value (95 % interval)", "verdict"}, {}};
  for (const WineStatement& statement : statements) {
    bool is_first = true;
    for (const WineNumber& number : statement.numbers) {
      table.rows.push_back({is_first ? statement.words : "", is_first ? statement.test : "",
                            number.what, words(number.interval),
                            !is_first                 ? ""
                            : statement.is_reproduced ? "**reproduced**"
                                                      : "**not reproduced**"});
      is_first = false;
    }
  }
  return table;
}

TextTable correlation_table(const std::vector<WineCorrelation>& correlations) {
  TextTable table{{"feature", "correlation", "correlation, rows normalised", "share of relevance"},
                  {}};
  for (const WineCorrelation& c : correlations)
    table.rows.push_back(
        {c.feature, words(c.plain), words(c.normalized), fmt::format("{:.1f} %", 100.0 * c.share)});
  return table;
}

/// Whether the statements depend on the choice of C.
TextTable cost_table(const WineStudy& study) {
  TextTable table{
      {"C", "right", "moderate sugar is best", "sugar by chlorides", "acidity by sugar"}, {}};
  std::vector<const WineModel*> models{&study.detailed};
  for (const WineModel& model : study.others) models.push_back(&model);
  for (const WineModel* model : models) {
    std::vector<std::string> cells{
        fmt::format("{}{}", model->cost, model == &study.detailed ? " (tuned)" : ""),
        fmt::format("{:.1f} %", 100.0 * model->accuracy)};
    for (const WineStatement& statement : detailed_statements(study, *model)) {
      std::string cell = verdict(statement) + ":";
      for (const WineNumber& number : statement.numbers)
        cell += fmt::format(" {:.2g}", number.interval.value);
      cells.push_back(cell);
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

TextTable machine_readable(const std::vector<WineCorrelation>& correlations,
                           const std::vector<WineStatement>& statements) {
  TextTable table{{"model", "number", "value", "low", "high"}, {}};
  const auto add = [&](const std::string& model, std::string what, const Interval& interval) {
    std::erase(what, ',');
    table.rows.push_back({model, what, fmt::format("{}", interval.value),
                          fmt::format("{}", interval.low), fmt::format("{}", interval.high)});
  };
  for (const WineCorrelation& c : correlations) {
    add("1e-4", "correlation " + c.feature, c.plain);
    add("1e-4", "correlation of normalised relevance " + c.feature, c.normalized);
  }
  for (const WineStatement& statement : statements) {
    for (const WineNumber& number : statement.numbers)
      add(&statement == &statements.front() ? "1e-4" : "0.2", number.what, number.interval);
  }
  return table;
}

std::string page(const WineStudy& study, const std::vector<WineCorrelation>& correlations,
                 const std::vector<WineStatement>& statements) {
  std::string text = fmt::format(
      "# What makes a white wine good (the paper's first use case)\n\nMade by `bisector-paper "
      "wine` "
      "{}. {} white wines, quality above 5 against the rest, standardised and scaled to a median "
      "distance of one. Every wine is explained by a model that did not see it (five folds).\n\n",
      kVersion, study.wines.rows());
  for (const WineModel* model : {&study.smooth, &study.detailed})
    text += fmt::format(
        "- gamma = {}: C = {} by cross-validated accuracy, {:.1f} % right on wines "
        "that the model did not see\n",
        model->gamma, model->cost, 100.0 * model->accuracy);
  text += "\n![value against relevance](wine.svg)\n\n## The paper's statements\n\n" +
          statement_table(statements).markdown();
  text +=
      "\nSlopes and curvatures are per standard deviation of the value, of relevance whose rows "
      "are "
      "normalised to a sum of one; low and high are the wines up to the median and above it. "
      "Intervals are the middle 95 % of 1,000 samples of the wines; the models stay the same.\n"
      "\n## The same with other C\n\nNumbers in the order of the table above.\n\n" +
      cost_table(study).markdown() +
      "\n## The low-gamma model: correlation of value and relevance\n\n" +
      correlation_table(correlations).markdown();
  return text;
}

}  // namespace

void run_wine(const WineOptions& options, std::ostream& log) {
  const WineStudy study = run_wine_models(options, log);
  const std::vector<WineCorrelation> correlations = wine_correlations(study);
  std::vector<WineStatement> statements = detailed_statements(study, study.detailed);
  statements.insert(statements.begin(), smooth_statement(correlations));
  write_file(options.out / "wine.svg", wine_figure(study));
  write_file(options.out / "wine.csv", machine_readable(correlations, statements).csv());
  write_file(options.out / "wine.md", page(study, correlations, statements));
  for (const WineStatement& statement : statements) {
    fmt::print(log, "{}: {}\n", verdict(statement), statement.words);
    for (const WineNumber& number : statement.numbers)
      fmt::print(log, "  {}: {}\n", number.what, words(number.interval));
  }
  fmt::print(log, "wrote {}\n", (options.out / "wine.md").string());
}

}  // namespace bisector::paper
