#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bisector/error.h"
#include "bisector/explain.h"
#include "bisector/random.h"
#include "bisector/train/targets.h"
#include "bisector/train/train.h"
#include "common/statistics.h"
#include "dipole/dipole.h"
#include "molecules/xyz.h"

namespace bisector::paper {

using namespace molecules;

namespace {

constexpr double kGamma = 3.0, kLambda = 0.1;  // the paper's gamma, and 1 / C of its C = 10
constexpr std::uint64_t kSeed = 0;

struct MoleculeSplit {
  std::vector<Molecule> train, test;
  std::vector<std::size_t> test_numbers;  // in the file, from 0
};

/// 80/20, the same for both representations.
MoleculeSplit split(std::vector<Molecule> molecules) {
  std::vector<std::size_t> order(molecules.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(kSeed).shuffle(std::span(order));
  MoleculeSplit parts;
  for (std::size_t n = 0; n < order.size(); ++n) {
    const bool is_test = n < order.size() / 5;
    if (is_test) parts.test_numbers.push_back(order[n]);
    (is_test ? parts.test : parts.train).push_back(std::move(molecules[order[n]]));
  }
  return parts;
}

std::vector<double> dipoles(const std::vector<Molecule>& molecules) {
  std::vector<double> values;
  for (const Molecule& molecule : molecules) values.push_back(property(molecule, "mu"));
  return values;
}

/// The mean absolute error and its standard error.
std::vector<double> error_of(const std::vector<double>& predicted,
                             const std::vector<double>& actual) {
  double sum = 0.0, squares = 0.0;
  for (std::size_t n = 0; n < actual.size(); ++n) {
    const double error = std::abs(predicted[n] - actual[n]);
    sum += error;
    squares += error * error;
  }
  const auto count = static_cast<double>(actual.size());
  const double average = sum / count;
  return {average, std::sqrt((squares / count - average * average) / count)};
}

/// The findings of all molecules; names with "polar" refer to the tenth with the largest dipoles.
Facts findings(const Representation& representation, const std::vector<Molecule>& molecules,
               const std::vector<double>& dipoles, const Matrix& relevance) {
  const double polar = percentile(dipoles, 90);
  FindingSums all, most_polar;
  for (std::size_t m = 0; m < molecules.size(); ++m) {
    const AtomRelevance by_atoms =
        atom_relevance(representation(molecules[m]), molecules[m].atoms.size(), relevance.row(m));
    all.add(molecules[m], by_atoms);
    if (dipoles[m] > polar) most_polar.add(molecules[m], by_atoms);
  }
  Facts facts = all.facts();
  const Facts extremes = most_polar.facts();
  for (const char* name : {"peripheral oxygen", "inner oxygen", "other"})
    facts[fmt::format("polar {}", name)] = extremes.at(name);
  return facts;
}

}  // namespace

Facts run_dipole_model(const IsomerSet& set, RepresentationKind kind,
                       const DipoleOptions& options) {
  const auto path = options.data / set.file;
  if (!std::filesystem::exists(path))
    throw FileError(
        fmt::format("{} is not there; QM9 is at "
                    "https://doi.org/10.6084/m9.figshare.c.978904.v5",
                    path.string()));
  std::vector<Molecule> molecules = read_molecules(path);
  const Representation representation = Representation::fit(kind, molecules);
  const MoleculeSplit data = split(std::move(molecules));
  const std::vector<double> train_dipoles = dipoles(data.train), truth = dipoles(data.test);
  const TrainResult training =
      train(RidgeLearner{kGamma, kLambda}, representation.rows(data.train), train_dipoles,
            {.scaling = Scaling::median, .feature_names = representation.feature_names()});
  ExplainOptions explain_options;
  explain_options.unit = Unit::g;
  explain_options.level = options.level;
  const Explainer explainer(training.model, EtaRule{}, explain_options);
  const Matrix rows = representation.rows(data.test);
  const Explanation why = explainer(rows.view());

  Facts facts = findings(representation, data.test, truth, why.relevance);
  const Matrix by_expected =
      explain(training.model, rows.view(), ExpectedPathRule{}, explain_options).relevance;
  for (auto& [name, values] : findings(representation, data.test, truth, by_expected))
    facts[fmt::format("{}{}", kByExpected, name)] = values;
  const double average = mean(train_dipoles);
  facts["error"] = error_of(why.value, truth);
  facts["error of the mean"] = error_of(std::vector<double>(truth.size(), average), truth);
  facts["level"] = {explainer.settings().level.value_or(average)};
  facts["eta"] = {*explainer.settings().eta};
  facts["molecules"] = {static_cast<double>(data.train.size()),
                        static_cast<double>(data.test.size())};
  const auto largest = static_cast<std::size_t>(std::ranges::max_element(truth) - truth.begin());
  explain_options.unit = Unit::decision;
  for (const Method& method :
       {Method(EtaRule{}), Method(ExactShapley{.references = kReferences})}) {
    const Explanation one =
        explain(training.model, rows.view().rows(largest, 1), method, explain_options);
    facts[fmt::format("example by {}", name(method))] = one.relevance.values();
    facts["example"] = {static_cast<double>(data.test_numbers[largest]), truth[largest],
                        one.value[0], one.base[0], one.remainder[0]};
  }
  return facts;
}

}  // namespace bisector::paper
