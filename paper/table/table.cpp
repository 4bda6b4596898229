#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bisector/version.h"
#include "common/comparison.h"
#include "common/dataset.h"
#include "common/markdown.h"
#include "studies.h"

namespace bisector::paper {
namespace {

/// The paper does not say what the baselines explain for neighbors. The default here is the class
/// outcome; columns with this suffix explain the votes.
const std::string kOnVotes = " on votes";

/// The paper's value of the method, with or without the suffix.
std::optional<double> published(const StudyRow& row, std::string method) {
  if (method.ends_with(kOnVotes)) method.resize(method.size() - kOnVotes.size());
  return published_aufc(row.info, row.kind, method);
}

/// All methods of a kind of model, in the order of the columns.
std::vector<std::string> column_names(const std::vector<StudyRow>& rows, const std::string& kind) {
  std::vector<std::string> names;
  for (const StudyRow& row : rows) {
    if (row.kind != kind || row.methods.size() < names.size()) continue;
    names.clear();
    for (const auto& [method, estimate] : row.methods) names.push_back(method);
  }
  return names;
}

/// True if the difference to the published value is above three standard errors and above 0.05.
bool deviates(const StudyRow& row, const std::string& method, const Estimate& ours) {
  const auto theirs = published(row, method);
  return theirs && std::abs(ours.mean - *theirs) > std::max(3.0 * ours.standard_error, 0.05);
}

std::string cell(const StudyRow& row, const std::string& method) {
  const Estimate* ours = row.find(method);
  if (ours == nullptr) return "";
  const std::size_t rank = row.rank(method);
  const std::string number = fmt::format("{:.3f}", ours->mean);
  std::string text = rank == 1 ? "**" + number + "**" : rank == 2 ? "_" + number + "_" : number;
  text += fmt::format(" ± {:.3f}", ours->standard_error);
  if (const auto theirs = published(row, method))
    text += fmt::format(" ({:.3f}){}", *theirs, deviates(row, method, *ours) ? " !" : "");
  return text;
}

TextTable readable(const std::vector<StudyRow>& rows, const std::string& kind) {
  const std::vector<std::string> methods = column_names(rows, kind);
  TextTable table{{"dataset", "model", "accuracy"}, {}};
  table.header.insert(table.header.end(), methods.begin(), methods.end());
  for (const StudyRow& row : rows) {
    if (row.kind != kind) continue;
    std::vector<std::string> cells{row.info.name, row.parameters,
                                   fmt::format("{:.3f}", row.accuracy)};
    for (const std::string& method : methods) cells.push_back(cell(row, method));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

TextTable machine_readable(const std::vector<StudyRow>& rows) {
  TextTable table{{"dataset", "model", "parameters", "accuracy", "method", "aufc", "standard_error",
                   "published", "rank"},
                  {}};
  for (const StudyRow& row : rows) {
    for (const auto& [method, ours] : row.methods) {
      const auto theirs = published(row, method);
      table.rows.push_back(
          {row.info.id, row.kind, row.parameters, fmt::format("{}", row.accuracy), method,
           fmt::format("{}", ours.mean), fmt::format("{}", ours.standard_error),
           theirs ? fmt::format("{}", *theirs) : "", fmt::format("{}", row.rank(method))});
    }
  }
  return table;
}

/// The rank of LRP among the methods of the paper, or among their variants if the row has them.
std::size_t rank_as_published(const StudyRow& row, const std::string& variant) {
  std::size_t rank = 1;
  for (const auto& [method, estimate] : row.methods) {
    if (!published_aufc(row.info, row.kind, method)) continue;
    const Estimate* varied = row.find(method + variant);
    if ((varied != nullptr ? *varied : estimate).mean < row.find("lrp")->mean) ++rank;
  }
  return rank;
}

std::string claim(const std::vector<StudyRow>& rows, const std::string& kind, std::size_t best_rank,
                  std::size_t needed, const std::string& words, const std::string& variant = "") {
  std::size_t holds = 0, all = 0;
  for (const StudyRow& row : rows) {
    if (row.kind != kind || row.info.is_extra) continue;
    ++all;
    if (rank_as_published(row, variant) <= best_rank) ++holds;
  }
  const char* verdict = holds >= needed             ? "holds"
                        : holds + 11 - all < needed ? "does not hold"
                                                    : "open until the other datasets are there";
  return fmt::format("- {} in {} of {} datasets (the paper: at least {} of 11): {}\n", words, holds,
                     all, needed, verdict);
}

std::string mean_ranks(const std::vector<StudyRow>& rows, const std::string& kind) {
  TextTable table{{"method", "mean rank", "mean AUFC", "best in"}, {}};
  for (const std::string& method : column_names(rows, kind)) {
    double ranks = 0.0, aufc = 0.0, count = 0.0;
    std::size_t best = 0;
    for (const StudyRow& row : rows) {
      if (row.kind != kind || row.info.is_extra || row.find(method) == nullptr) continue;
      ranks += static_cast<double>(row.rank(method));
      aufc += row.find(method)->mean;
      best += row.rank(method) == 1;
      ++count;
    }
    table.rows.push_back({method, fmt::format("{:.2f}", ranks / count),
                          fmt::format("{:.3f}", aufc / count),
                          fmt::format("{} of {}", best, count)});
  }
  return table.markdown();
}

std::string deviations(const std::vector<StudyRow>& rows) {
  TextTable table{{"dataset", "model", "method", "ours", "published", "difference"}, {}};
  for (const StudyRow& row : rows) {
    for (const auto& [method, ours] : row.methods) {
      if (!deviates(row, method, ours)) continue;
      const double theirs = *published(row, method);
      table.rows.push_back({row.info.name, row.kind, method,
                            fmt::format("{:.3f} ± {:.3f}", ours.mean, ours.standard_error),
                            fmt::format("{:.3f}", theirs),
                            fmt::format("{:+.3f}", ours.mean - theirs)});
    }
  }
  return table.rows.empty() ? "None.\n" : table.markdown();
}

std::string notes(const std::vector<StudyRow>& rows) {
  std::string text;
  for (const StudyRow& row : rows) {
    const std::string line = fmt::format("- {}: {}\n", row.info.name, row.info.note);
    if (!row.info.note.empty() && text.find(line) == std::string::npos) text += line;
  }
  return text;
}

std::string settings(const StudyOptions& options) {
  return fmt::format("seeds={} tune={}{}", options.seeds, options.selection.tune_all,
                     options.selection.is_balanced ? " balanced" : "");
}

std::string made_by(const std::string& study, const StudyOptions& options) {
  return fmt::format(
      "Made by `bisector-paper {}` {}: {} seed(s) of split and sampling (1 for images), {}{}.",
      study, kVersion, options.seeds,
      options.selection.tune_all ? "all parameters tuned" : "the paper's gamma and k, C tuned",
      options.selection.is_balanced ? " by the balanced accuracy" : "");
}

/// The page for rules and donor rows from different halves of the training rows.
std::string disjoint_page(std::vector<StudyRow> rows, const StudyOptions& options) {
  std::string text = fmt::format(
      "# Is the default faithful, with disjoint donor rows?\n\n[README.md](README.md) "
      "has the answer. {}\n\nThe models are those of [table.md](table.md). The "
      "methods use one half of the training rows, for their references and the background of exact "
      "Shapley values. The other half imputes removed features. AUFC has no unit; lower is more "
      "faithful. Cells are means ± standard errors over samples and seeds; the lowest of a line "
      "is bold. Differences are paired: means over the datasets of the paper's table.\n\n{}\n",
      made_by("table", options), per_dataset(rows).markdown());
  std::erase_if(rows, [](const StudyRow& row) { return row.info.is_extra; });
  for (const ModelKind kind : options.models) {
    const std::vector<StudyRow> own = rows_of(rows, name(kind), Donors::disjoint);
    text += fmt::format("{}:\n\n{}\n", title(kind),
                        compared(own, std::string(PathRule::kName)).markdown());
  }
  for (const std::string& method : {kAuto, kDataView}) {
    for (const std::string_view other : {EtaRule::kName, PathRule::kName})
      text += verdict(rows, method, std::string(other));
  }
  return text;
}

std::string heading(const std::string& title, const std::string& study,
                    const StudyOptions& options) {
  return fmt::format(
      "# {}\n\n{}\n\nCells are AUFC (lower is more faithful): mean ± standard error over samples "
      "and seeds, and the paper's value in brackets. Bold is the best of a line, italics the "
      "second. `!` marks a difference from the paper of more than three standard errors and more "
      "than 0.05.\n\n",
      title, made_by(study, options));
}

std::vector<Candidate> ablation_methods(ModelKind, const DatasetInfo&, Donors) {
  return {{"gi on f", GradientTimesInput{}},
          {"gi on g", GradientTimesInput{ExplainedOutput::g}},
          {"lrp", EtaRule{}}};
}

}  // namespace

std::vector<Candidate> table_methods(ModelKind kind, const DatasetInfo& info, Donors donors) {
  const bool is_paper = donors == Donors::same;
  std::vector<Method> methods{EtaRule{}, PathRule{}, ExpectedPathRule{}, Auto{}};
  if (kind == ModelKind::svm && is_paper)
    methods.insert(methods.end(), {GradientTimesInput{}, IntegratedGradients{}, Sensitivity{}});
  // The paper's baselines for neighbors explain the predicted class, not the votes.
  const ExplainedOutput output =
      kind == ModelKind::knn ? ExplainedOutput::outcome : ExplainedOutput::f;
  if (is_paper) methods.push_back(Occlusion{output});
  methods.push_back(SampledShapley{.output = output});
  if (kind == ModelKind::svm && !info.is_image) methods.push_back(ExactShapley{});
  std::vector<Candidate> named;
  for (const Method& method : methods) named.push_back({std::string(name(method)), method});
  named.push_back({kDataView, Auto{View::data}});
  if (!is_paper) return named;
  if (kind == ModelKind::knn && !info.is_image) {
    SampledShapley shapley;
    shapley.output = ExplainedOutput::votes;
    named.push_back({std::string(Occlusion::kName) + kOnVotes, Occlusion{ExplainedOutput::votes}});
    named.push_back({std::string(SampledShapley::kName) + kOnVotes, shapley});
  }
  return named;
}

void run_table(const StudyOptions& options, std::ostream& log) {
  StudyOptions both = options;
  both.donors = {Donors::same, Donors::disjoint};
  StudyRun study(options.out, "table", settings(options), log);
  const std::vector<StudyRow> all = run_cases(study, both, table_methods, log);
  const std::vector<StudyRow> rows = rows_of(all, "", Donors::same);
  std::string text =
      heading("Is the paper's Table 2 reproduced?", "table", options) +
      "[deviations.md](deviations.md) explains the marked cells. "
      "[table_disjoint.md](table_disjoint.md) has the same models with disjoint donor rows.\n\n";
  for (const ModelKind kind : options.models) {
    text +=
        fmt::format("## {}\n\n", kind == ModelKind::svm ? "Gaussian SVM" : "k nearest neighbors");
    text += readable(rows, name(kind)).markdown() + "\n";
  }
  text += "## The paper's claims\n\nAmong the methods that the paper compares:\n";
  text += claim(rows, "svm", 2, 8, "LRP-SVM best or second");
  text += claim(rows, "knn", 1, 9, "LRP-KNN best");
  text +=
      claim(rows, "knn", 1, 9,
            "LRP-KNN best, with occlusion and Shapley values of the votes instead of the outcome,",
            kOnVotes);
  text += "\n## Mean ranks\n\nOver the datasets of the paper's table, among all columns.\n\n";
  for (const ModelKind kind : options.models)
    text += fmt::format("{}:\n\n{}\n", title(kind), mean_ranks(rows, name(kind)));
  text += "## Differences from the paper\n\n" + deviations(rows);
  text += "\n## About the data\n\n" + notes(rows);
  study.write(machine_readable(rows).csv(), text);
  const std::vector<StudyRow> disjoint = rows_of(all, "", Donors::disjoint);
  write_file(options.out / "table_disjoint.csv",
             study_csv(disjoint, std::string(PathRule::kName)).csv());
  write_file(options.out / "table_disjoint.md", wrapped(disjoint_page(disjoint, options)));
}

void run_ablation(const StudyOptions& options, std::ostream& log) {
  StudyOptions svm_only = options;
  svm_only.models = {ModelKind::svm};
  StudyRun study(options.out, "ablation", settings(options), log);
  const std::vector<StudyRow> rows = run_cases(study, svm_only, ablation_methods, log);
  std::size_t ordered = 0, all = 0;
  for (const StudyRow& row : rows) {
    if (row.info.is_extra) continue;
    ++all;
    ordered += row.find("gi on g")->mean <= row.find("gi on f")->mean &&
               row.find("lrp")->mean <= row.find("gi on g")->mean;
  }
  std::string text = heading("Which step makes explanations more faithful?", "ablation", options) +
                     "Three steps: gradient × input on the model's output f (`gi on f`), on the "
                     "network's output g "
                     "(`gi on g`), and the paper's rule (`lrp`).\n\n";
  text += readable(rows, "svm").markdown();
  text += fmt::format("\nEach step lowers the AUFC in {} of {} datasets.\n", ordered, all);
  study.write(machine_readable(rows).csv(), text);
}

}  // namespace bisector::paper
