// The molecules of the paper's Figure 4.
#include <fmt/format.h>

#include <map>

#include "bisector/method.h"
#include "dipole/dipole.h"
#include "molecules/xyz.h"

namespace bisector::paper {

using namespace molecules;

std::vector<DipoleExample> dipole_examples(const DipoleOptions& options,
                                           const std::vector<DipoleResult>& results) {
  std::vector<DipoleExample> examples;
  std::map<const IsomerSet*, std::vector<Molecule>> files;
  for (const DipoleResult& result : results) {
    auto& file = files[result.set];
    if (file.empty()) file = read_molecules(options.data / result.set->file);
    const std::vector<double>& example = result.facts.at("example");
    const Molecule& molecule = file.at(static_cast<std::size_t>(example.at(0)));
    const Representation representation = Representation::fit(result.kind, file);
    const auto by_atoms = [&](const std::string& fact) {
      return atom_relevance(representation(molecule), molecule.atoms.size(), result.facts.at(fact));
    };
    examples.push_back({&result, molecule, example.at(1), example.at(2), by_atoms("example by lrp"),
                        by_atoms("example by shapley-exact")});
  }
  return examples;
}

TextTable element_table(const std::vector<DipoleExample>& examples) {
  TextTable table{{"sum over pairs, Debye"}, {}};
  std::map<std::string, std::vector<double>> sums;
  const auto add_column = [&](const std::string& title, const Molecule& molecule,
                              const AtomRelevance& relevance) {
    table.header.push_back(title);
    const auto add = [&](const std::string& name, double value) {
      sums[name].resize(table.header.size() - 1);
      sums[name].back() += value;
    };
    for (const PairRelevance& pair : relevance.pairs) {
      const Atom &a = molecule.atoms[pair.first], &b = molecule.atoms[pair.second];
      add(pair.first == pair.second ? "single atoms" : pair_name(a.number, b.number),
          pair.relevance);
    }
    add("~padding", relevance.padding);
  };
  for (const DipoleExample& example : examples) {
    const std::string name =
        fmt::format("{}, {}", example.molecule.name, title_of(example.result->kind));
    add_column(name + ", shapley-exact", example.molecule, example.by_shapley);
    add_column(name + ", lrp", example.molecule, example.by_lrp);
  }
  for (auto& [name, values] : sums) {
    values.resize(table.header.size() - 1);
    table.rows.push_back({name == "~padding" ? "padding" : name});
    for (const double value : values) table.rows.back().push_back(fmt::format("{:+.2f}", value));
  }
  return table;
}

TextTable atom_table(const std::vector<DipoleExample>& examples) {
  TextTable table{{"molecules", "representation", "name", "truth", "prediction", "level", "atom",
                   "element", "x", "y", "z"},
                  {}};
  for (const DipoleExample& example : examples) {
    for (std::size_t n = 0; n < example.molecule.atoms.size(); ++n) {
      const Atom& atom = example.molecule.atoms[n];
      table.rows.push_back(
          {std::string(example.result->set->id), title_of(example.result->kind),
           example.molecule.name, fmt::format("{}", example.truth),
           fmt::format("{}", example.prediction), fmt::format("{}", example.result->fact("level")),
           fmt::format("{}", n), std::string(element_symbol(atom.number)),
           fmt::format("{}", atom.position[0]), fmt::format("{}", atom.position[1]),
           fmt::format("{}", atom.position[2])});
    }
  }
  return table;
}

TextTable pair_table(const std::vector<DipoleExample>& examples) {
  TextTable table{{"molecules", "representation", "method", "first", "second", "relevance"}, {}};
  for (const DipoleExample& example : examples) {
    for (const auto& [method, relevance] : {std::pair(EtaRule::kName, &example.by_lrp),
                                            std::pair(ExactShapley::kName, &example.by_shapley)}) {
      for (const PairRelevance& pair : relevance->pairs)
        table.rows.push_back({std::string(example.result->set->id), title_of(example.result->kind),
                              std::string(method), fmt::format("{}", pair.first),
                              fmt::format("{}", pair.second), fmt::format("{}", pair.relevance)});
    }
  }
  return table;
}

}  // namespace bisector::paper
