#include "common/study.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>

#include "bisector/version.h"
#include "common/journal.h"
#include "common/stopwatch.h"
#include "tools/output_file.h"

namespace bisector::paper {
namespace {

/// What a unit leaves in the journal: parameters and accuracy, then a line per method.
struct UnitResult {
  std::string parameters;
  double accuracy;
  std::vector<Score> scores;

  std::vector<std::string> lines() const {
    std::vector<std::string> lines{fmt::format("{},{}", parameters, accuracy)};
    for (const Score& s : scores)
      lines.push_back(fmt::format("{},{},{},{}", s.method, s.rows, s.aufc, s.standard_error));
    return lines;
  }

  static UnitResult parse(const std::vector<std::string>& lines) {
    UnitResult result;
    for (std::size_t n = 0; n < lines.size(); ++n) {
      std::vector<std::string> cells;
      std::istringstream in(lines[n]);
      for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
      if (n == 0) {
        result.parameters = cells.at(0);
        result.accuracy = std::stod(cells.at(1));
      } else {
        result.scores.push_back(
            {cells.at(0), std::stoul(cells.at(1)), std::stod(cells.at(2)), std::stod(cells.at(3))});
      }
    }
    return result;
  }
};

UnitResult run_unit(const Dataset& dataset, ModelKind kind, const StudyOptions& options,
                    const std::vector<Candidate>& methods, std::uint64_t seed) {
  const Split data = split(dataset, seed);
  const Fitted fitted = fit_model(data, dataset.info, kind, options.tune_all, seed);
  // Images ask for millions of completed rows: single precision is plenty for a class.
  const Precision precision = dataset.info.is_image ? Precision::float32 : Precision::float64;
  return {describe(fitted.learner), fitted.accuracy,
          score_methods(data, fitted.model, methods, seed, precision)};
}

StudyRow summarize(const DatasetInfo& info, ModelKind kind, const std::vector<UnitResult>& units) {
  StudyRow row{info, kind, "", 0.0, {}};
  std::set<std::string> parameters;
  for (const UnitResult& unit : units) {
    parameters.insert(unit.parameters);
    row.accuracy += unit.accuracy / static_cast<double>(units.size());
  }
  for (const std::string& text : parameters)
    row.parameters += (row.parameters.empty() ? "" : "; ") + text;
  for (std::size_t m = 0; m < units.front().scores.size(); ++m) {
    std::vector<Score> seeds;
    for (const UnitResult& unit : units) seeds.push_back(unit.scores.at(m));
    row.methods.emplace_back(seeds.front().method, combine(seeds));
  }
  return row;
}

}  // namespace

Estimate combine(const std::vector<Score>& seeds) {
  const auto count = static_cast<double>(seeds.size());
  double mean = 0.0, within = 0.0, between = 0.0;
  for (const Score& s : seeds) {
    mean += s.aufc / count;
    within += s.standard_error * s.standard_error / count;
  }
  for (const Score& s : seeds)
    between += (s.aufc - mean) * (s.aufc - mean) / std::max(count - 1.0, 1.0);
  return {mean, std::sqrt(std::max(within, between) / count)};
}

const Estimate* StudyRow::find(const std::string& method) const {
  for (const auto& [name, estimate] : methods) {
    if (name == method) return &estimate;
  }
  return nullptr;
}

std::size_t StudyRow::rank(const std::string& method) const {
  const double own = find(method)->mean;
  return 1 + static_cast<std::size_t>(std::ranges::count_if(
                 methods, [&](const auto& other) { return other.second.mean < own; }));
}

std::vector<StudyRow> run_study(const std::string& name, const StudyOptions& options,
                                const MethodsFor& methods, std::ostream& log) {
  const std::vector<DatasetInfo> infos = chosen_datasets(options.datasets);
  tools::make_folder(options.out);
  Journal journal(options.out / (name + ".journal"),
                  fmt::format("bisector-paper {} {} seeds={} tune={}", name, kVersion,
                              options.seeds, options.tune_all));
  std::vector<StudyRow> rows;
  double tabular = 0.0, images = 0.0;
  for (const DatasetInfo& info : infos) {
    if (!is_there(info, options.data, log)) continue;
    std::optional<Dataset> dataset;
    for (const ModelKind kind : options.models) {
      std::vector<UnitResult> units;
      for (std::size_t seed = 0; seed < (info.is_image ? 1 : options.seeds); ++seed) {
        const std::string unit = fmt::format("{} {} {}", info.id, paper::name(kind), seed);
        if (!journal.contains(unit)) {
          const Stopwatch watch;
          if (!dataset) dataset = load(info, options.data);
          journal.add(unit, run_unit(*dataset, kind, options, methods(kind, info), seed).lines());
          const double taken = watch.seconds();
          (info.is_image ? images : tabular) += taken;
          fmt::print(log, "{} {}, seed {}: {:.1f} s\n", info.name, paper::name(kind), seed, taken);
          log.flush();
        }
        units.push_back(UnitResult::parse(journal.lines(unit)));
      }
      rows.push_back(summarize(info, kind, units));
    }
  }
  fmt::print(log, "tabular datasets: {:.0f} s, image datasets: {:.0f} s (this run)\n", tabular,
             images);
  return rows;
}

}  // namespace bisector::paper
