#include "dipole/dipole.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "apps/molecules/files/molecule_file.h"
#include "apps/molecules/pictures/molecule_picture.h"
#include "bisector/method.h"
#include "bisector/report/drawing.h"
#include "tools/page_parts.h"

namespace bisector::paper {

using namespace chart;
using namespace molecules;

namespace {

constexpr double kPanelWidth = 680, kPanelHeight = 350, kHead = 40;
constexpr double kBin = 0.5, kFarthest = 9.0;  // Angstrom
constexpr std::size_t kBins = 18;

struct Histogram {
  std::array<std::size_t, kBins> counts = {};
  std::array<double, kBins> relevance = {};
};

std::map<std::string, Histogram> histograms(const Molecule& molecule,
                                            const AtomRelevance& relevance) {
  std::map<std::string, Histogram> result;
  for (const PairRelevance& pair : relevance.pairs) {
    if (pair.first == pair.second) continue;
    const Atom &a = molecule.atoms[pair.first], &b = molecule.atoms[pair.second];
    const auto bin = std::min(static_cast<std::size_t>(distance(a, b) / kBin), kBins - 1);
    Histogram& histogram = result[pair_name(a.number, b.number)];
    ++histogram.counts[bin];
    histogram.relevance[bin] += pair.relevance;
  }
  return result;
}

/// A strip for each pair of elements: heights are counts, colors the relevance of a bin.
void draw_histograms(SvgDrawing& drawing, const Box& box,
                     const std::map<std::string, Histogram>& histograms) {
  double largest = 0.0;
  for (const auto& [name, histogram] : histograms) {
    for (const double value : histogram.relevance) largest = std::max(largest, std::abs(value));
  }
  const double strip = box.height / static_cast<double>(histograms.size());
  const double bin_width = box.width / static_cast<double>(kBins);
  double bottom = box.y;
  for (const auto& [name, histogram] : histograms) {
    bottom += strip;
    const auto most = static_cast<double>(*std::ranges::max_element(histogram.counts));
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      const double height = (strip - 8) * static_cast<double>(histogram.counts[bin]) / most;
      const Box bar{box.x + static_cast<double>(bin) * bin_width, bottom - height, bin_width - 1,
                    height};
      drawing.rectangle(bar, "#ececec");
      const double value = histogram.relevance[bin];
      drawing.rectangle(bar, value > 0 ? kColorFor : kColorAgainst,
                        std::min(1.0, std::abs(value) / largest));
    }
    drawing.line({box.x, bottom}, {box.x + box.width, bottom}, {"#444", 0.8});
    drawing.text({box.x - 6, bottom - 2}, name, {11, TextStyle::Anchor::end});
  }
  for (const double tick : {0.0, 3.0, 6.0, 9.0})
    drawing.text({box.x + box.width * tick / kFarthest, bottom + 12}, fmt::format("{}", tick),
                 {9.5, TextStyle::Anchor::middle});
  drawing.text({box.x + box.width / 2, bottom + 25}, "distance, Angstrom",
               {10, TextStyle::Anchor::middle});
}

void draw_panel(SvgDrawing& drawing, double x, double y, const DipoleExample& example,
                std::string_view rule, const AtomRelevance& relevance) {
  const Molecule& molecule = example.shown.molecule;
  drawing.text({x + 12, y + 18},
               fmt::format("{}, {}: {} ({})", title_of(example.result->kind), rule, molecule.name,
                           formula(molecule)),
               {13, TextStyle::Anchor::start, true});
  drawing.text(
      {x + 12, y + 34},
      fmt::format("dipole moment {:.2f} Debye, predicted {:.2f}, level {:.2f}",
                  *example.shown.truth, example.shown.prediction, example.result->fact("level")));
  draw_molecule(drawing, {x + 10, y + kHead, 370, kPanelHeight - kHead - 14}, molecule, relevance);
  draw_histograms(drawing, {x + 430, y + kHead, 230, kPanelHeight - kHead - 46},
                  histograms(molecule, relevance));
}

}  // namespace

std::vector<DipoleExample> dipole_examples(const DipoleOptions& options,
                                           const std::vector<DipoleResult>& results) {
  std::vector<DipoleExample> examples;
  std::map<const IsomerSet*, std::vector<Molecule>> molecules;
  for (const DipoleResult& result : results) {
    if (!result.published()) continue;
    auto& file = molecules[result.set];
    if (file.empty()) file = read_molecules(options.data / result.set->file);
    const std::vector<double>& example = result.facts.at("example");
    const Molecule& molecule = file.at(static_cast<std::size_t>(example.at(0)));
    const Representation representation = Representation::fit(result.kind, file);
    const auto by_atoms = [&](const std::string& fact) {
      return atom_relevance(representation(molecule), molecule.atoms.size(), result.facts.at(fact));
    };
    examples.push_back(
        {&result,
         {molecule, by_atoms("example by shapley-exact"), example.at(2), example.at(3),
          example.at(4),
          fmt::format("{}, level {:.2f}", title_of(result.kind), result.fact("level")),
          example.at(1)},
         by_atoms("example by lrp")});
  }
  return examples;
}

std::string dipole_page(const std::vector<DipoleExample>& examples) {
  if (tools::molecule_page().empty() || examples.empty()) return {};
  MoleculePage content;
  content.title = "What makes a molecule polar";
  content.description =
      "For each set of isomers and each representation, the molecule with the largest dipole "
      "moment among the test molecules.";
  content.quantity = "dipole moment";
  content.unit = "Debye";
  content.method = fmt::format("exact Shapley values over {} molecules, in Debye", kReferences);
  for (const DipoleExample& example : examples) content.molecules.push_back(example.shown);
  std::ostringstream text;
  write_molecule_page(text, content, tools::molecule_page());
  return text.str();
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
        fmt::format("{}, {}", example.shown.molecule.name, title_of(example.result->kind));
    add_column(name + ", shapley-exact", example.shown.molecule, example.shown.relevance);
    add_column(name + ", lrp", example.shown.molecule, example.by_lrp);
  }
  for (auto& [name, values] : sums) {
    values.resize(table.header.size() - 1);
    table.rows.push_back({name == "~padding" ? "padding" : name});
    for (const double value : values) table.rows.back().push_back(fmt::format("{:+.2f}", value));
  }
  return table;
}

std::string dipole_figure(const std::vector<DipoleExample>& examples) {
  SvgDrawing drawing(
      2 * kPanelWidth, 4 * kPanelHeight + 40,
      "Two molecules with a large dipole moment, with the relevance of their pairs "
      "of atoms by lrp and as exact Shapley values for two representations, and histograms of the "
      "distances");
  for (const DipoleExample& example : examples) {
    const double x = example.result->set == &kIsomerSets[0] ? 0 : kPanelWidth;
    const double y =
        example.result->kind == RepresentationKind::bag_of_bonds ? 0 : 2 * kPanelHeight;
    draw_panel(drawing, x, y, example, EtaRule::kName, example.by_lrp);
    draw_panel(drawing, x, y + kPanelHeight, example, ExactShapley::kName, example.shown.relevance);
  }
  const double y = 4 * kPanelHeight + 20;
  drawing.line({12, y}, {42, y}, {kColorFor, 5});
  drawing.text({48, y + 4}, "raises the dipole moment");
  drawing.line({270, y}, {300, y}, {kColorAgainst, 5});
  drawing.text({306, y + 4},
               "lowers it. Carbon black, hydrogen gray; bars: number of pairs, colored by the sum "
               "of their relevance.");
  return drawing.svg();
}

}  // namespace bisector::paper
