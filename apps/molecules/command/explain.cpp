#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "apps/molecules/command/command.h"
#include "apps/molecules/command/explainer.h"
#include "apps/molecules/command/writer.h"
#include "apps/molecules/files/molecule_file.h"
#include "apps/molecules/pictures/molecule_page.h"
#include "apps/molecules/pictures/molecule_picture.h"
#include "cli/verb.h"
#include "tools/output_file.h"
#include "tools/page_parts.h"

namespace bisector::molecules {

using namespace cli;

namespace {

void draw_one(const ExplainArguments& arguments, std::ostream& out) {
  const Molecule molecule = one_molecule(arguments);
  if (!arguments.frame) {
    MoleculeReader reader = arguments.reader();
    reader.next();
    if (reader.next())
      throw UsageError(fmt::format("{} has several molecules, expected --frame for a picture",
                                   arguments.molecules.string()));
  }
  const MoleculeExplainer explain(arguments);
  tools::Output output(arguments.output, out);
  explain(std::span(&molecule, 1), arguments.frame.value_or(1), [&](const ExplainedMolecule& e) {
    const std::string name = molecule.name.empty() ? formula(molecule) : molecule.name;
    output.stream() << molecule_svg(
        molecule, e.relevance,
        fmt::format("{}: {} predicted {:.4g}{}, level {:.4g}", name, explain.property(),
                    e.prediction, arguments.unit_name.empty() ? "" : " " + arguments.unit_name,
                    explain.settings().level.value_or(0.0)));
  });
  output.commit();
}

/// Keeps the molecules with the largest predictions, the largest first.
class LargestMolecules {
 public:
  LargestMolecules(std::size_t most, std::string property)
      : most_(most), property_(std::move(property)) {}

  void add(const ExplainedMolecule& e) {
    ++seen_;
    const auto known = e.molecule.properties.find(property_);
    const auto truth =
        known == e.molecule.properties.end() ? std::nullopt : std::optional(known->second);
    if (truth) {
      truths_.push_back(*truth);
      error_ += std::abs(e.prediction - *truth);
    }
    kept_.push_back({e.frame,
                     {e.molecule, e.relevance, e.prediction, e.base, e.remainder,
                      fmt::format("molecule {} of the file", e.frame), truth}});
    if (kept_.size() >= 2 * most_ + 1) drop();
  }
  std::size_t seen() const { return seen_; }
  /// Over all molecules, not only those that are kept; nothing if fewer than two have the property.
  std::optional<PageError> error() const {
    const auto count = static_cast<double>(truths_.size());
    if (truths_.size() < 2) return std::nullopt;
    const double mean = std::accumulate(truths_.begin(), truths_.end(), 0.0) / count;
    double apart = 0.0;
    for (const double truth : truths_) apart += std::abs(truth - mean);
    return PageError{truths_.size(), error_ / count, apart / count};
  }
  std::vector<PageMolecule> take() {
    drop();
    std::vector<PageMolecule> result;
    for (Kept& kept : kept_) result.push_back(std::move(kept.shown));
    return result;
  }

 private:
  struct Kept {
    std::size_t frame;
    PageMolecule shown;
  };

  void drop() {
    std::ranges::sort(kept_, [](const Kept& a, const Kept& b) {
      return a.shown.prediction > b.shown.prediction ||
             (a.shown.prediction == b.shown.prediction && a.frame < b.frame);
    });
    if (kept_.size() > most_) kept_.resize(most_);
  }

  std::size_t most_, seen_ = 0;
  double error_ = 0.0;  // sum over all molecules with the property
  std::vector<double> truths_;
  std::string property_;
  std::vector<Kept> kept_;
};

/// "lrp with η = 0.5, unit decision".
std::string method_text(const ExplainSettings& settings) {
  return settings.method + (settings.eta ? fmt::format(" with η = {:.3g}", *settings.eta) : "") +
         fmt::format(", unit {}", name(settings.unit));
}

void write_molecules_page(const ExplainArguments& arguments, std::ostream& out) {
  if (tools::molecule_page().empty())
    throw UsageError(
        "this bisector-molecules was built without npm and has no page, expected .csv, .json or "
        ".svg");
  const MoleculeExplainer explain(arguments);
  tools::Output output(arguments.output, out);
  LargestMolecules largest(arguments.largest.value_or(kMoleculesOnPage), explain.property());
  explain_file(
      arguments, explain, [&](const ExplainedMolecule& e) { largest.add(e); },
      [&] { output.check(); });
  MoleculePage content;
  content.quantity = explain.property();
  content.title =
      "Predicting " + (content.quantity.empty() ? "a property of molecules" : content.quantity);
  content.files = fmt::format("{}, {}", arguments.model.filename().string(),
                              arguments.molecules.filename().string());
  content.unit = arguments.unit_name;
  if (explain.settings().unit == Unit::g) content.level = explain.settings().level;
  content.method = method_text(explain.settings());
  content.error = largest.error();
  content.molecules = largest.take();
  if (content.molecules.size() < largest.seen())
    content.description =
        fmt::format("The {1} of the {0} molecules in the file with the largest predictions.",
                    largest.seen(), content.molecules.size());
  write_molecule_page(output.stream(), content, tools::molecule_page());
  output.commit();
}

void write_table(const ExplainArguments& arguments, std::ostream& out) {
  const TableFormat format =
      table_format(arguments.output, arguments.format,
                   {TableFormat::csv, TableFormat::json, TableFormat::jsonl});
  const MoleculeExplainer explain(arguments);
  tools::Output output(arguments.output, out);
  MoleculeWriter writer(output.stream(), format, arguments.part.value_or(MoleculePart::pair),
                        explain.settings());
  explain_file(
      arguments, explain, [&](const ExplainedMolecule& e) { writer.write(e); },
      [&] { output.check(); });
  writer.finish();
  output.commit();
}

void require_sensible(const ExplainArguments& arguments) {
  const std::filesystem::path extension = arguments.output.extension();
  if (arguments.part && arguments.format && is_json(*arguments.format))
    throw UsageError("--per needs --format csv; JSON has pairs and atoms");
  if (arguments.format && (extension == ".svg" || extension == ".html"))
    throw UsageError(
        fmt::format("--format needs a table, but {} is a picture or page; leave it out",
                    arguments.output.string()));
  if (arguments.part && (extension == ".svg" || extension == ".json" || extension == ".jsonl" ||
                         extension == ".html"))
    throw UsageError(fmt::format("--per needs CSV, but {} has pairs and atoms; leave it out",
                                 arguments.output.string()));
  if (!arguments.unit_name.empty() && extension != ".html" && extension != ".svg")
    throw UsageError("--unit-name needs a page or picture; add -o FILE.html or -o FILE.svg");
  if (arguments.largest && extension != ".html")
    throw UsageError("--largest needs a page; add -o FILE.html");
}

}  // namespace

void explain_command(const ExplainArguments& arguments, std::ostream& out, std::ostream&) {
  require_sensible(arguments);
  const std::filesystem::path extension = arguments.output.extension();
  if (extension == ".svg")
    draw_one(arguments, out);
  else if (extension == ".html")
    write_molecules_page(arguments, out);
  else
    write_table(arguments, out);
}

}  // namespace bisector::molecules
