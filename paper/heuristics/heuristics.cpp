#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "bisector/explain.h"
#include "bisector/train/train.h"
#include "bisector/version.h"
#include "common/markdown.h"
#include "common/protocol.h"
#include "common/synthetic.h"
#include "studies.h"

namespace bisector::paper {
namespace {

const std::vector<double> kEtas = {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0};
const std::vector<double> kBetaRatios = {0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0};  // beta / gamma

/// One rule parameter that is varied while the others keep their defaults.
struct Sweep {
  std::string name;  // "eta", "beta", "kappa", "path eta"
  std::vector<std::pair<double, Candidate>> settings;
};

/// `rule` returns the method for a value.
template <class Rule>
Sweep sweep(const std::string& name, const std::vector<double>& values, const Rule& rule) {
  Sweep result{name, {}};
  for (const double value : values)
    result.settings.emplace_back(value, Candidate{fmt::format("{} {}", name, value), rule(value)});
  return result;
}

std::vector<Sweep> sweeps(const Learner& learner) {
  std::vector<Sweep> all{
      sweep("eta", kEtas, [](double value) { return EtaRule{.eta = value}; }),
      sweep("path eta", kEtas, [](double value) { return PathRule{.eta = value}; })};
  if (const auto* svm = std::get_if<SvmLearner>(&learner)) {
    const double gamma = svm->gamma;
    all.push_back(sweep("beta", kBetaRatios, [gamma](double ratio) {
      return EtaRule{.responsibilities = {.beta = ratio * gamma}};
    }));
  } else {
    const std::size_t k = std::get<NeighborLearner>(learner).k;
    std::vector<double> kappas;
    const double most = static_cast<double>(k - 1) / 2.0;
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0})
      kappas.push_back(std::floor(share * most));
    kappas.erase(std::unique(kappas.begin(), kappas.end()), kappas.end());
    all.push_back(sweep("kappa", kappas, [](double value) {
      return EtaRule{.responsibilities = {.kappa = static_cast<std::size_t>(value)}};
    }));
  }
  return all;
}

/// A small model with this parameter; the heuristics depend on nothing else.
Model example(ModelKind kind, double parameter) {
  if (kind == ModelKind::svm) {
    const KernelMachine machine(Matrix(2, 1, {0.0, 1.0}), {1.0, -1.0}, Kernel(parameter), 0.0);
    return Model(KernelClassifier::two_class(machine, "a", "b"), {}, {}, 1.0);
  }
  const auto k = static_cast<std::size_t>(parameter);
  Matrix points(2 * k, 1);
  std::vector<std::size_t> classes(2 * k);
  for (std::size_t n = 0; n < 2 * k; ++n) {
    points(n, 0) = static_cast<double>(n);
    classes[n] = n % 2;
  }
  return Model(NeighborModel(points, classes, {"a", "b"}, k));
}

/// The library's default for "eta", "path eta", "beta" (in units of gamma) or "kappa", for a model
/// of data with a median distance of 1.
double default_parameter(const std::string& sweep, ModelKind kind, double model_parameter) {
  const Model model = example(kind, model_parameter);
  const ExplainSettings settings =
      Explainer(model, sweep == "path eta" ? Method(PathRule{}) : Method(EtaRule{})).settings();
  if (sweep == "beta") return *settings.beta / *settings.gamma;
  if (sweep == "kappa") return static_cast<double>(*settings.kappa);
  return *settings.eta;
}

double parameter(const Learner& learner) {
  if (const auto* svm = std::get_if<SvmLearner>(&learner)) return svm->gamma;
  return static_cast<double>(std::get<NeighborLearner>(learner).k);
}

/// The tuned parameters for the journal: "gamma cost" or "k".
std::string pack(const Learner& learner) {
  if (const auto* svm = std::get_if<SvmLearner>(&learner))
    return fmt::format("{} {}", svm->gamma, svm->cost);
  return fmt::format("{}", std::get<NeighborLearner>(learner).k);
}

Learner unpack(ModelKind kind, const std::string& text) {
  std::istringstream in(text);
  if (kind == ModelKind::knn) {
    NeighborLearner learner;
    in >> learner.k;
    return learner;
  }
  SvmLearner learner;
  in >> learner.gamma >> learner.cost;
  return learner;
}

Learner tune_problem(const Split& data, ModelKind kind, std::uint64_t seed) {
  TrainOptions options;
  options.seed = seed;
  options.tune = TuneOptions{.seed = seed};
  // With noisy labels, costs above 100 take LIBSVM minutes and never win.
  options.tune->grid.cost = {0.01, 0.1, 1, 10, 100};
  const Learner start = kind == ModelKind::svm ? Learner(SvmLearner{}) : Learner(NeighborLearner{});
  return train(start, data.train_rows.view(), data.train_target, options).learner;
}

/// The AUFC of every setting of every sweep, in their order.
std::vector<std::string> measure(const Split& data, const Learner& learner, std::uint64_t seed,
                                 std::size_t rows) {
  const Model model = train(learner, data.train_rows.view(), data.train_target, {}).model;
  std::vector<Candidate> methods;
  for (const Sweep& one : sweeps(learner)) {
    for (const auto& [value, method] : one.settings) methods.push_back(method);
  }
  std::vector<std::string> lines;
  for (const PixelFlippingResult& result :
       flip_methods(data, model, methods, seed, {.rows = rows}).results)
    lines.push_back(fmt::format("{}", result.mean));
  return lines;
}

/// Sums of AUFC by (sweep, rule parameter, model parameter).
struct Cell {
  double sum = 0.0;
  std::size_t count = 0;
  double mean() const { return sum / static_cast<double>(count); }
};
using HeatMap = std::map<double, std::map<double, Cell>>;  // model parameter, rule parameter
using HeatMaps = std::map<std::string, HeatMap>;

void collect(const Learner& learner, const std::vector<std::string>& lines, HeatMaps& maps) {
  std::size_t line = 0;
  for (const Sweep& one : sweeps(learner)) {
    for (const auto& [value, method] : one.settings) {
      Cell& cell = maps[one.name][parameter(learner)][value];
      cell.sum += std::stod(lines.at(line++));
      ++cell.count;
    }
  }
}

std::set<double> rule_values(const HeatMap& map) {
  std::set<double> values;
  for (const auto& [parameter, cells] : map) {
    for (const auto& [value, cell] : cells) values.insert(value);
  }
  return values;
}

std::string heat_map_text(const std::string& name, ModelKind kind, const HeatMap& map) {
  TextTable table{{kind == ModelKind::svm ? "gamma" : "k", "problems"}, {}};
  const std::set<double> values = rule_values(map);
  for (const double value : values) table.header.push_back(fmt::format("{}", value));
  table.header.emplace_back("default");
  for (const auto& [parameter, cells] : map) {
    double best = 2.0;
    for (const auto& [value, cell] : cells) best = std::min(best, cell.mean());
    std::vector<std::string> row{fmt::format("{}", parameter),
                                 fmt::format("{}", cells.begin()->second.count)};
    for (const double value : values) {
      const auto found = cells.find(value);
      if (found == cells.end()) {
        row.emplace_back("");
        continue;
      }
      const std::string number = fmt::format("{:.3f}", found->second.mean());
      row.push_back(found->second.mean() == best ? "**" + number + "**" : number);
    }
    row.push_back(fmt::format("{:.2f}", default_parameter(name, kind, parameter)));
    table.rows.push_back(std::move(row));
  }
  return table.markdown();
}

/// The mean AUFC of the heuristic, interpolated on the grid, and of the best value of each line.
std::pair<double, double> heuristic_and_best(const std::string& name, ModelKind kind,
                                             const HeatMap& map) {
  double followed = 0.0, best = 0.0;
  for (const auto& [parameter, cells] : map) {
    const double at = default_parameter(name, kind, parameter);
    auto above = cells.lower_bound(at - 1e-9);
    if (above == cells.end()) --above;
    const auto below =
        above == cells.begin() || above->first <= at + 1e-9 ? above : std::prev(above);
    const double share = above == below ? 0.0 : (at - below->first) / (above->first - below->first);
    followed += (1.0 - share) * below->second.mean() + share * above->second.mean();
    double lowest = 2.0;
    for (const auto& [value, cell] : cells) lowest = std::min(lowest, cell.mean());
    best += lowest;
  }
  const auto lines = static_cast<double>(map.size());
  return {followed / lines, best / lines};
}

/// The value with the lowest mean over all problems.
std::pair<double, double> best_overall(const HeatMap& map) {
  std::map<double, Cell> totals;
  for (const auto& [parameter, cells] : map) {
    for (const auto& [value, cell] : cells) {
      totals[value].sum += cell.sum;
      totals[value].count += cell.count;
    }
  }
  std::pair<double, double> best{0.0, 2.0};
  for (const auto& [value, cell] : totals) {
    if (cell.mean() < best.second) best = {value, cell.mean()};
  }
  return best;
}

void write_results(const StudyRun& study, const HeuristicsOptions& options,
                   const std::vector<std::pair<ModelKind, HeatMaps>>& all) {
  TextTable table{
      {"model", "rule_parameter", "model_parameter", "heuristic", "value", "problems", "aufc"}, {}};
  std::string text = fmt::format(
      "# Which parameters of the rules are best? (the paper's Note G)\n\nThe conclusion is in "
      "[README.md](README.md). Made by `bisector-paper heuristics` {}: {} generated problems of "
      "1,000 rows and 20 features with tuned models. For every value of gamma or k there are up to "
      "{} problems for which tuning chose it; {} rows of each are explained.\n\nCells are mean "
      "AUFC (lower is more faithful); the best of a line is bold. beta is in units of gamma. The "
      "last column is the library's default.\n\n",
      kVersion, options.problems, options.per_value, options.rows);
  for (const auto& [kind, maps] : all) {
    for (const auto& [name, map] : maps) {
      text += fmt::format("## {}: {}\n\n{}\n", title(kind), name, heat_map_text(name, kind, map));
      if (name != "kappa") {  // values of kappa depend on k
        const auto [value, mean] = best_overall(map);
        text += fmt::format("Best single value for all lines: {} = {} (AUFC {:.3f}). ", name, value,
                            mean);
      }
      const auto [followed, best] = heuristic_and_best(name, kind, map);
      text += fmt::format(
          "Mean over the lines: {:.3f} with the default, {:.3f} with the best value of each "
          "line.\n\n",
          followed, best);
      for (const auto& [parameter, cells] : map) {
        for (const auto& [rule_value, cell] : cells)
          table.rows.push_back({paper::name(kind), name, fmt::format("{}", parameter),
                                fmt::format("{}", default_parameter(name, kind, parameter)),
                                fmt::format("{}", rule_value), fmt::format("{}", cell.count),
                                fmt::format("{}", cell.mean())});
      }
    }
  }
  study.write(table.csv(), text);
}

}  // namespace

void run_heuristics(const HeuristicsOptions& options, std::ostream& log) {
  StudyRun study(options.out, "heuristics",
                 fmt::format("per_value={} rows={}", options.per_value, options.rows), log);
  std::vector<std::pair<ModelKind, HeatMaps>> all;
  for (const ModelKind kind : {ModelKind::svm, ModelKind::knn}) {
    HeatMaps maps;
    std::map<double, std::size_t> taken;  // problems by the tuned parameter
    for (std::size_t problem = 0; problem < options.problems; ++problem) {
      const std::string unit = fmt::format("{} {}", paper::name(kind), problem);
      const Split data = split(make_classification(study_problem(problem)), problem);
      const auto& tuned = study.lines(
          "tune " + unit, [&] { return StudyRun::Lines{pack(tune_problem(data, kind, problem))}; });
      const Learner learner = unpack(kind, tuned.at(0));
      if (taken[parameter(learner)]++ >= options.per_value) continue;
      collect(learner,
              study.lines("measure " + unit,
                          [&] { return measure(data, learner, problem, options.rows); }),
              maps);
    }
    all.emplace_back(kind, std::move(maps));
  }
  write_results(study, options, all);
}

}  // namespace bisector::paper
