#include "wine/wine.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include "bisector/version.h"
#include "common/markdown.h"
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
  TextTable table{{"the paper says", "criterion", "number", "value (95 % interval)", "result"}, {}};
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
  TextTable table{{"feature", "correlation", "correlation, rows normalized", "share of relevance"},
                  {}};
  for (const WineCorrelation& c : correlations)
    table.rows.push_back(
        {c.feature, words(c.plain), words(c.normalized), fmt::format("{:.1f} %", 100.0 * c.share)});
  return table;
}

/// The statements for other values of C.
TextTable cost_table(const WineStudy& study) {
  TextTable table{
      {"C", "accuracy", "moderate sugar is best", "sugar by chlorides", "acidity by sugar"}, {}};
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

/// A study with its statistics.
struct WineFindings {
  const WineStudy& study;
  std::vector<WineCorrelation> correlations;
  std::vector<WineStatement> statements;  // of the smooth model, then of the detailed one
};

WineFindings findings_of(const WineStudy& study) {
  WineFindings found{study, wine_correlations(study), detailed_statements(study, study.detailed)};
  found.statements.insert(found.statements.begin(), smooth_statement(found.correlations));
  return found;
}

TextTable machine_readable(const std::vector<WineFindings>& all) {
  TextTable table{{"settings", "model", "number", "value", "low", "high"}, {}};
  for (const WineFindings& found : all) {
    const auto add = [&](const std::string& model, std::string what, const Interval& interval) {
      std::erase(what, ',');
      table.rows.push_back({found.study.settings.id, model, what, fmt::format("{}", interval.value),
                            fmt::format("{}", interval.low), fmt::format("{}", interval.high)});
    };
    for (const WineCorrelation& c : found.correlations) {
      add("1e-4", "correlation " + c.feature, c.plain);
      add("1e-4", "correlation of normalized relevance " + c.feature, c.normalized);
    }
    for (const WineStatement& statement : found.statements) {
      for (const WineNumber& number : statement.numbers)
        add(&statement == &found.statements.front() ? "1e-4" : "0.2", number.what, number.interval);
    }
  }
  return table;
}

/// A row per wine: its values, and its normalized relevance in both models. For the figure.
TextTable relevance_table(const WineStudy& study) {
  TextTable table{study.features, {}};
  std::vector<Matrix> parts{study.wines};
  for (const WineModel* model : {&study.smooth, &study.detailed}) {
    parts.push_back(model->normalized());
    for (const std::string& feature : study.features)
      table.header.push_back(fmt::format("{} at gamma {}", feature, model->gamma));
  }
  for (std::size_t r = 0; r < study.wines.rows(); ++r) {
    auto& cells = table.rows.emplace_back();
    for (const Matrix& part : parts) {
      for (const double value : part.row(r)) cells.push_back(fmt::format("{:.6g}", value));
    }
  }
  return table;
}

TextTable verdict_table(const std::vector<WineFindings>& all) {
  TextTable table{{"the paper says"}, {}};
  for (const WineFindings& found : all) table.header.push_back(found.study.settings.title);
  for (std::size_t n = 0; n < all.front().statements.size(); ++n) {
    table.rows.push_back({all.front().statements[n].words});
    for (const WineFindings& found : all) table.rows.back().push_back(verdict(found.statements[n]));
  }
  return table;
}

std::string words(const WineSettings& settings) {
  std::string text =
      fmt::format("C from {} by {} accuracy, class weights {}; ", fmt::join(settings.costs, ", "),
                  settings.tunes_on_training_rows ? "training" : "cross-validated",
                  settings.class_weights.empty()
                      ? std::string("balanced")
                      : fmt::format("{} (at most 5) and {} (above 5)", settings.class_weights[0],
                                    settings.class_weights[1]));
  if (settings.cuts.empty()) return text + "high means above the median; all wines are used";
  for (const auto& [feature, cut] : settings.cuts)
    text += fmt::format("high {} is above {:.2g} g/l, ", feature, cut);
  return text + fmt::format("only wines with up to {} g/l sugar are used", settings.most_sugar);
}

std::string section(const WineFindings& found) {
  const WineStudy& study = found.study;
  std::string text =
      fmt::format("\n## With {}\n\n{}.\n\n", study.settings.title, words(study.settings));
  for (const WineModel* model : {&study.smooth, &study.detailed})
    text += fmt::format("- gamma = {}: C = {}, {:.1f} % of held-out wines correct\n", model->gamma,
                        model->cost, 100.0 * model->accuracy);
  return text + "\n" + statement_table(found.statements).markdown() +
         "\nThe model with gamma = 0.2 and other C. The numbers are in the order of the table "
         "above:\n\n" +
         cost_table(study).markdown() +
         "\nThe model with gamma = 0.0001: correlation of value and relevance (all wines):\n\n" +
         correlation_table(found.correlations).markdown();
}

std::string page(const std::vector<WineFindings>& all) {
  std::string text = fmt::format(
      "# What makes a white wine good? (the paper's first use "
      "case)\n\n[use_cases.md](use_cases.md) "
      "discusses the result. Made by `bisector-paper wine` {}. {} white wines, quality above 5 "
      "against the rest, standardized and scaled to a median distance of one. Every wine is "
      "explained by a model that was trained without it (five folds). \"The paper's settings\" are "
      "those of the authors' analysis, which the paper does not state. \"Our settings\" were "
      "chosen "
      "before we knew them.\n\n",
      kVersion, all.front().study.wines.rows());
  text += verdict_table(all).markdown() +
          "\n![value against relevance, the paper's settings](wine.svg)\n"
          "\nSlopes and curvatures are per standard deviation of the value. The relevance of each "
          "row is normalized to a sum of one. Intervals are the middle 95 % of 1,000 bootstrap "
          "samples of the wines; the models are not trained again.\n";
  for (const WineFindings& found : all) text += section(found);
  return text;
}

}  // namespace

void run_wine(const StudyFolders& options, std::ostream& log) {
  const std::vector<WineStudy> studies = run_wine_models(options, log);
  std::vector<WineFindings> all;
  for (const WineStudy& study : studies) all.push_back(findings_of(study));
  write_file(options.out / "wine_relevance.csv", relevance_table(studies.front()).csv());
  write_file(options.out / "wine.csv", machine_readable(all).csv());
  for (const WineFindings& found : all) {
    fmt::print(log, "with {}\n", found.study.settings.title);
    for (const WineStatement& statement : found.statements) {
      fmt::print(log, "{}: {}\n", verdict(statement), statement.words);
      for (const WineNumber& number : statement.numbers)
        fmt::print(log, "  {}: {}\n", number.what, words(number.interval));
    }
  }
  write_result(options.out / "wine.md", page(all), log);
}

}  // namespace bisector::paper
