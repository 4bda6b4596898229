#include "common/study.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <set>

namespace bisector::paper {
namespace {

/// Parameters and accuracy, then a line per method: its name, the donors, and every row's AUFC.
std::vector<std::string> lines_of(const UnitResult& result) {
  std::vector<std::string> lines{fmt::format("{},{}", result.parameters, result.accuracy)};
  for (const Score& s : result.scores)
    lines.push_back(fmt::format("{},{},{}", s.method, name(s.donors), fmt::join(s.aufc, ",")));
  return lines;
}

UnitResult parse(const std::vector<std::string>& lines) {
  const std::vector<std::string> head = cells_of(lines.front());
  UnitResult result{head.at(0), std::stod(head.at(1)), {}};
  for (std::size_t n = 1; n < lines.size(); ++n) {
    const std::vector<std::string> cells = cells_of(lines[n]);
    result.scores.push_back({cells.at(0),
                             enum_from_name<Donors>(cells.at(1)).value_or(Donors::disjoint),
                             numbers_of(lines[n], 2)});
  }
  return result;
}

StudyRow summarize(const StudyCase& one, const std::vector<UnitResult>& units, Donors donors) {
  StudyRow row{one.info, one.kind, donors, "", 0.0, {}, {}};
  std::set<std::string> parameters;
  for (const UnitResult& unit : units) {
    parameters.insert(unit.parameters);
    row.accuracy += unit.accuracy / static_cast<double>(units.size());
  }
  row.parameters = fmt::format("{}", fmt::join(parameters, "; "));
  for (std::size_t m = 0; m < units.front().scores.size(); ++m) {
    if (units.front().scores[m].donors != donors) continue;
    std::vector<Estimate> seeds;
    row.aufc.emplace_back();
    for (const UnitResult& unit : units) {
      row.aufc.back().push_back(unit.scores.at(m).aufc);
      seeds.push_back(estimate(row.aufc.back().back()));
    }
    row.methods.emplace_back(units.front().scores[m].method, combine(seeds));
  }
  return row;
}

UnitResult run_unit(const Dataset& dataset, ModelKind kind, const StudyOptions& options,
                    const MethodsFor& methods, std::uint64_t seed) {
  const Split data = split(dataset, seed);
  const Fitted fitted = fit_model(data, dataset.info, kind, options.selection, seed);
  UnitResult result{describe(fitted.learner), fitted.accuracy, {}};
  for (const Donors donors : options.donors) {
    // Images need millions of imputed rows; single precision suffices for a predicted class.
    const FlipOptions flip{donors, dataset.info.is_image ? Precision::float32 : Precision::float64};
    for (Score& score :
         score_methods(data, fitted.model, methods(kind, dataset.info, donors), seed, flip))
      result.scores.push_back(std::move(score));
  }
  return result;
}

}  // namespace

Estimate combine(const std::vector<Estimate>& seeds) {
  const auto count = static_cast<double>(seeds.size());
  double mean = 0.0, within = 0.0, between = 0.0;
  for (const Estimate& s : seeds) {
    mean += s.mean / count;
    within += s.standard_error * s.standard_error / count;
  }
  for (const Estimate& s : seeds)
    between += (s.mean - mean) * (s.mean - mean) / std::max(count - 1.0, 1.0);
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

std::optional<Estimate> StudyRow::difference(const std::string& method,
                                             const std::string& other) const {
  const auto place = [&](const std::string& wanted) {
    return static_cast<std::size_t>(
        std::ranges::find(methods, wanted, &std::pair<std::string, Estimate>::first) -
        methods.begin());
  };
  const std::size_t a = place(method), b = place(other);
  if (a == methods.size() || b == methods.size()) return std::nullopt;
  std::vector<Estimate> seeds;
  for (std::size_t seed = 0; seed < aufc[a].size(); ++seed) {
    std::vector<double> differences(aufc[a][seed].size());
    std::ranges::transform(aufc[a][seed], aufc[b].at(seed), differences.begin(), std::minus());
    seeds.push_back(estimate(differences));
  }
  return combine(seeds);
}

std::vector<StudyRow> run_cases(StudyRun& study, const std::vector<StudyCase>& cases) {
  std::vector<StudyRow> rows;
  for (const StudyCase& one : cases) {
    std::vector<UnitResult> units;
    for (std::size_t seed = 0; seed < one.seeds; ++seed)
      units.push_back(parse(study.lines(fmt::format("{} {} {}", one.info.id, one.kind, seed),
                                        [&] { return lines_of(one.run(seed)); })));
    for (const Donors donors : {Donors::same, Donors::disjoint}) {
      StudyRow row = summarize(one, units, donors);
      if (!row.methods.empty()) rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::vector<StudyRow> run_cases(StudyRun& study, const StudyOptions& options,
                                const MethodsFor& methods, std::ostream& log) {
  std::vector<StudyCase> cases;
  for (const DatasetInfo& info : chosen_datasets(options.datasets)) {
    if (!is_there(info, options.data, log)) continue;
    const auto dataset = lazy_dataset(info, options.data);
    for (const ModelKind kind : options.models)
      cases.push_back({info, paper::name(kind), info.is_image ? 1 : options.seeds,
                       [=, &options, &methods](std::uint64_t seed) {
                         return run_unit(dataset(), kind, options, methods, seed);
                       }});
  }
  return run_cases(study, cases);
}

std::function<const Dataset&()> lazy_dataset(const DatasetInfo& info,
                                             const std::filesystem::path& folder) {
  return [=, kept = std::make_shared<std::optional<Dataset>>()]() -> const Dataset& {
    if (!*kept) *kept = load(info, folder);
    return **kept;
  };
}

}  // namespace bisector::paper
