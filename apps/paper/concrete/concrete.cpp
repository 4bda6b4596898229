#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "bisector/explain.h"
#include "bisector/report/chart.h"
#include "bisector/train/targets.h"
#include "bisector/train/train.h"
#include "bisector/version.h"
#include "common/dataset.h"
#include "common/markdown.h"
#include "common/statistics.h"
#include "studies.h"
#include "tools/output_file.h"

namespace bisector::paper {
namespace {

using namespace chart;

constexpr std::size_t kFolds = 5;
constexpr std::uint64_t kSeed = 0;
constexpr double kYoung = 7.0, kMonth = 28.0, kForever = 1e9;  // days
constexpr std::size_t kEnough = 10;  // ages with fewer samples have no mean in the figure

/// The relevance of the age in MPa, and the remainder as a fraction of the output.
struct Explained {
  double relevance, remainder;
};
struct Concrete {
  double age, strength, predicted;
  std::array<Explained, 2> by;  // the paper's rule, the default
};

struct Study {
  std::vector<Concrete> concretes;
  std::array<std::string, 2> rules;
  double mean_error = 0.0;  // of the strength, MPa

  /// A value of every concrete with an age above `from` and up to `to`.
  template <class Value>
  std::vector<double> between(double from, double to, const Value& value) const {
    std::vector<double> values;
    for (const Concrete& one : concretes) {
      if (one.age > from && one.age <= to) values.push_back(value(one));
    }
    return values;
  }
};

Model fit_fold(const Dataset& data, const std::vector<std::size_t>& rows) {
  std::vector<double> strength;
  for (const std::size_t r : rows) strength.push_back(data.numbers[r]);
  TrainOptions options{.tune = TuneOptions{.seed = kSeed}, .seed = kSeed};
  options.tune->grid.gamma = {data.info.gamma};
  const Matrix train_rows = gather_rows(data.rows, rows);
  return train(RidgeLearner{}, train_rows.view(), strength, options).model;
}

/// Explains the concretes of one fold by a model that was trained without them.
void explain_fold(const Dataset& data, const std::vector<std::size_t>& folds, std::size_t fold,
                  Study& study) {
  std::vector<std::size_t> seen, held_out;
  for (std::size_t r = 0; r < folds.size(); ++r) (folds[r] == fold ? held_out : seen).push_back(r);
  const Model model = fit_fold(data, seen);
  const Matrix rows = gather_rows(data.rows, held_out);
  const std::size_t age = rows.cols() - 1, first = study.concretes.size();
  for (const std::size_t r : held_out)
    study.concretes.push_back({data.rows(r, age), data.numbers[r], 0.0, {}});
  const std::array<Method, 2> methods{EtaRule{}, Auto{}};
  ExplainOptions options;
  options.unit = Unit::decision;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    const Explainer explainer(model, methods[m], options);
    study.rules[m] = explainer.settings().method;
    const Explanation explanation = explainer(rows.view());
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      Concrete& one = study.concretes[first + r];
      one.predicted = explanation.value[r];
      one.by[m] = {explanation.relevance(r, age),
                   std::abs(explanation.remainder[r] / explanation.decision[r])};
    }
  }
}

Study run_study(const Dataset& data) {
  Study study;
  const std::vector<std::size_t> one_class(data.rows.rows());
  const auto folds = stratified_folds(one_class, 1, kFolds, kSeed);
  for (std::size_t fold = 0; fold < kFolds; ++fold) explain_fold(data, folds, fold, study);
  for (const Concrete& one : study.concretes)
    study.mean_error += std::abs(one.predicted - one.strength);
  study.mean_error /= static_cast<double>(study.concretes.size());
  return study;
}

/// Every concrete as a dot, and the mean of every age as a line.
Panel panel(const Study& study, std::size_t m, double most) {
  Panel panel{m == 0 ? "before: " + study.rules[m] : "now: auto, here " + study.rules[m],
              {"age (days, logarithmic)", 0.9, 400, {}, true},
              {"relevance of age (MPa)", -most, most},
              {},
              {}};
  for (const int age : {1, 3, 7, 14, 28, 90, 180, 365})
    panel.x.ticks.push_back({static_cast<double>(age), fmt::format("{}", age)});
  for (const int relevance : {-40, -20, 0, 20, 40})
    panel.y.ticks.push_back({static_cast<double>(relevance), fmt::format("{}", relevance)});
  Points dots{{}, {}, {against_color()}, 1.8};
  std::map<double, std::vector<double>> by_age;
  for (const Concrete& one : study.concretes) {
    by_age[one.age].push_back(one.by[m].relevance);
    if (std::abs(one.by[m].relevance) > most) continue;
    dots.x.push_back(one.age);
    dots.y.push_back(one.by[m].relevance);
  }
  Line means{{}, {}};
  for (const auto& [age, values] : by_age) {
    if (values.size() < kEnough) continue;
    means.x.push_back(age);
    means.y.push_back(std::clamp(mean(values), -most, most));
  }
  panel.marks = {dots, Line{{0.9, 400}, {0, 0}, "#888888", 1.0, "4 3"}, means};
  return panel;
}

std::string figure(const Study& study) {
  std::vector<double> sizes;
  for (const Concrete& one : study.concretes) {
    for (const Explained& by : one.by) sizes.push_back(std::abs(by.relevance));
  }
  const double most = percentile(sizes, 99.0);
  return svg({"Young concrete",
              "Relevance of a concrete's age for its strength against the age, by the paper's rule "
              "and by the default; the line is the mean of each age.",
              {panel(study, 0, most), panel(study, 1, most)},
              2,
              430,
              300});
}

std::string share_above_zero(const std::vector<double>& values) {
  const auto above = std::ranges::count_if(values, [](double value) { return value > 0.0; });
  return fmt::format("{} of {} ({:.0f} %)", above, values.size(),
                     100.0 * static_cast<double>(above) / static_cast<double>(values.size()));
}

TextTable summary(const Study& study) {
  TextTable table{
      {"", "before: `" + study.rules[0] + "`", "now: `auto`, here `" + study.rules[1] + "`"},
      {{"at most 7 days: age is said to raise the strength"},
       {"mean relevance of age, at most 7 days"},
       {"mean relevance of age, 8 to 28 days"},
       {"mean relevance of age, older"},
       {"remainder: median share of the output"}}};
  for (std::size_t m = 0; m < study.rules.size(); ++m) {
    const auto relevance = [&](double from, double to) {
      return study.between(from, to, [&](const Concrete& one) { return one.by[m].relevance; });
    };
    const auto remainder =
        study.between(0.0, kForever, [&](const Concrete& one) { return one.by[m].remainder; });
    table.rows[0].push_back(share_above_zero(relevance(0.0, kYoung)));
    table.rows[1].push_back(fmt::format("{:+.1f} MPa", mean(relevance(0.0, kYoung))));
    table.rows[2].push_back(fmt::format("{:+.1f} MPa", mean(relevance(kYoung, kMonth))));
    table.rows[3].push_back(fmt::format("{:+.1f} MPa", mean(relevance(kMonth, kForever))));
    const double median = percentile(remainder, 50.0);
    table.rows[4].push_back(median < 1e-9 ? "only rounding"
                                          : fmt::format("{:.0f} %", 100.0 * median));
  }
  return table;
}

TextTable machine_readable(const Study& study) {
  TextTable table{{"age", "strength", "predicted"}, {}};
  for (const std::string& rule : study.rules) {
    table.header.push_back("age_relevance_" + rule);
    table.header.push_back("left_over_" + rule);
  }
  for (const Concrete& one : study.concretes) {
    table.rows.push_back({fmt::format("{}", one.age), fmt::format("{:.2f}", one.strength),
                          fmt::format("{:.2f}", one.predicted)});
    for (const Explained& by : one.by) {
      table.rows.back().push_back(fmt::format("{:.4g}", by.relevance));
      table.rows.back().push_back(fmt::format("{:.3g}", by.remainder));
    }
  }
  return table;
}

std::string page(const Study& study, const Dataset& data) {
  const auto young = study.between(0.0, kYoung, [](const Concrete& one) { return one.strength; });
  return fmt::format(
      "# Does low age make concrete strong?\n\nNo, concrete hardens for weeks: the {} concretes of "
      "at most {} days have a strength of {:.1f} MPa on average, all {} of {:.1f} MPa. A method "
      "that says otherwise is wrong.\n\nMade by `bisector-paper concrete` {}. Kernel ridge "
      "regression (gamma s² = {}, lambda tuned) learns the strength. Every concrete is explained "
      "by a model that was trained without it ({} folds, mean absolute error {:.1f} MPa), relative "
      "to the mean prediction.\n\n{}\n"
      "![relevance of age against age](young_concrete.svg)\n\nDots are concretes. The line is the "
      "mean of each age with at least {} of them. The outermost 1 % lie outside the "
      "figure.\n\n**Why `lrp` fails here.** The coefficients of a kernel regressor have the signs "
      "of residuals, not of classes. Its two pools hardly differ, so it says nothing about "
      "strength which of them is nearer along the age. The default compares the prediction with "
      "that of other concretes, and its base value and relevance add up to the output.\n",
      young.size(), kYoung, mean(young), study.concretes.size(), mean(data.numbers), kVersion,
      data.info.gamma, kFolds, study.mean_error, summary(study).markdown(), kEnough);
}

}  // namespace

void run_concrete(const StudyFolders& options, std::ostream& log) {
  const Dataset data = load(chosen_datasets({"concrete"}).front(), options.data);
  tools::make_folder(options.out);
  const Study study = run_study(data);
  write_file(options.out / "young_concrete.svg", figure(study));
  write_file(options.out / "young_concrete.csv", machine_readable(study).csv());
  log << summary(study).markdown();
  write_result(options.out / "young_concrete.md", page(study, data), log);
}

}  // namespace bisector::paper
