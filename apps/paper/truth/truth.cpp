#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "common/markdown.h"
#include "common/statistics.h"
#include "studies.h"
#include "truth/truth_problems.h"

namespace bisector::paper {
namespace {

constexpr std::array kNumbers = {&TruthScore::sign, &TruthScore::unused, &TruthScore::correlation};

std::vector<std::string> run_unit(const TruthKind& kind, double correlation,
                                  const TruthOptions& options, std::uint64_t seed) {
  const TruthProblem problem = kind.problem(options, correlation, seed);
  std::vector<std::string> lines;
  for (const TruthMethod& method : truth_methods(kind)) {
    const TruthScore score = compare_with_truth(method.relevance(problem), problem.effects);
    lines.push_back(
        fmt::format("{},{},{},{}", method.name, score.sign, score.unused, score.correlation));
  }
  return lines;
}

/// The scores of the seeds, by method, in the order of the methods.
using Cell = std::vector<std::pair<std::string, std::vector<TruthScore>>>;

void collect(const std::vector<std::string>& lines, Cell& cell) {
  if (cell.empty()) cell.resize(lines.size());
  for (std::size_t m = 0; m < lines.size(); ++m) {
    const std::vector<double> numbers = numbers_of(lines[m], 1);
    cell[m].first = cells_of(lines[m]).at(0);
    cell[m].second.push_back({numbers.at(0), numbers.at(1), numbers.at(2)});
  }
}

/// Mean and standard error over the seeds.
Estimate over_seeds(const std::vector<TruthScore>& scores, double TruthScore::*number) {
  std::vector<double> values;
  for (const TruthScore& score : scores) values.push_back(score.*number);
  return estimate(values);
}

std::string title(const TruthKind& kind, double correlation) {
  return correlation == 0.0 ? fmt::format("{}, independent features", kind.title)
                            : fmt::format("{}, all correlations {}", kind.title, correlation);
}

void write_results(const StudyRun& study, const TruthOptions& options,
                   const std::vector<std::pair<std::string, Cell>>& cells) {
  TextTable csv{{"problem", "method", "seeds", "sign", "sign_error", "unused", "unused_error",
                 "correlation", "correlation_error"},
                {}};
  std::string text =
      fmt::format("# Do explanations agree with known effects?\n\n{}", truth_words(options));
  for (const auto& [name, cell] : cells) {
    TextTable table{{"method", "sign correct", "on unused features", "correlation"}, {}};
    for (const auto& [method, scores] : cell) {
      table.rows.push_back({method});
      csv.rows.push_back({name, method, fmt::format("{}", scores.size())});
      std::erase(csv.rows.back().front(), ',');
      for (const auto number : kNumbers) {
        const Estimate mean = over_seeds(scores, number);
        table.rows.back().push_back(fmt::format("{:.3f} ± {:.3f}", mean.mean, mean.standard_error));
        csv.rows.back().push_back(fmt::format("{}", mean.mean));
        csv.rows.back().push_back(fmt::format("{}", mean.standard_error));
      }
    }
    text += fmt::format("\n## {}\n\n{}", name, table.markdown());
  }
  study.write(csv.csv(), text);
}

}  // namespace

TruthScore compare_with_truth(const Matrix& relevance, const Matrix& effects) {
  constexpr double kLarge = 0.5;
  double large = 0.0, right = 0.0;
  TruthScore score{};
  const auto count = static_cast<double>(effects.rows());
  for (std::size_t r = 0; r < effects.rows(); ++r) {
    double all = 0.0, unused = 0.0;
    for (std::size_t d = 0; d < effects.cols(); ++d) {
      all += std::abs(relevance(r, d));
      if (effects(r, d) == 0.0) unused += std::abs(relevance(r, d));
      if (std::abs(effects(r, d)) <= kLarge) continue;
      ++large;
      right += relevance(r, d) * effects(r, d) > 0.0;
    }
    if (all > 0.0) score.unused += unused / all / count;
    score.correlation += correlation(relevance.row(r), effects.row(r)) / count;
  }
  score.sign = right / large;
  return score;
}

void run_truth(const TruthOptions& options, std::ostream& log) {
  StudyRun study(options.out, "truth",
                 fmt::format("rows={} points={}", options.rows, options.points), log);
  std::vector<std::pair<std::string, Cell>> cells;
  for (const TruthKind& kind : truth_kinds()) {
    for (const double correlation : {0.0, 0.5}) {
      cells.emplace_back(title(kind, correlation), Cell());
      for (std::size_t seed = 0; seed < options.seeds; ++seed)
        collect(study.lines(fmt::format("{} {} {}", kind.id, correlation, seed),
                            [&] { return run_unit(kind, correlation, options, seed); }),
                cells.back().second);
    }
  }
  write_results(study, options, cells);
}

}  // namespace bisector::paper
