#include <fmt/format.h>

#include <functional>

#include "bisector/error.h"
#include "bisector/model_file.h"
#include "bisector/molecule_file.h"
#include "bisector/molecule_picture.h"
#include "cli/molecule.h"
#include "cli/molecule_writer.h"
#include "cli/output_file.h"
#include "cli/progress.h"
#include "cli/rule_options.h"
#include "cli/verb.h"

namespace bisector::cli {
namespace {

constexpr std::size_t kChunk = 512;  // molecules in memory at a time

/// A model of molecules, ready to explain them.
class MoleculeExplainer {
 public:
  explicit MoleculeExplainer(const MoleculeExplainArguments& arguments)
      : MoleculeExplainer(read_model(arguments.model, arguments.limits), arguments) {}

  const ExplainSettings& settings() const { return explainer_.settings(); }

  void operator()(std::span<const Molecule> molecules, std::size_t first_frame,
                  const std::function<void(const ExplainedMolecule&)>& take) const {
    const Explanation why = explainer_(representation_.rows(molecules).view());
    for (std::size_t m = 0; m < molecules.size(); ++m)
      take({first_frame + m, molecules[m], why.value[m], why.g[m],
            atom_relevance(representation_(molecules[m]), molecules[m].atoms.size(),
                           why.relevance.row(m))});
  }

 private:
  MoleculeExplainer(const Model& model, const MoleculeExplainArguments& arguments)
      : representation_(representation_of(model, arguments)),
        explainer_(model, options_of(arguments)) {}

  static Representation representation_of(const Model& model,
                                          const MoleculeExplainArguments& arguments) {
    if (!model.is_regressor())
      throw InvalidInput(fmt::format("{}: a classifier, expected a model of molecule train",
                                     arguments.model.string()));
    try {
      return Representation::from_feature_names(model.feature_names());
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("{}: {}", arguments.model.string(), error.what()));
    }
  }
  static ExplainOptions options_of(const MoleculeExplainArguments& arguments) {
    ExplainOptions options;
    options.level = arguments.level;
    options.eta = arguments.eta;
    options.threads = thread_count(arguments.threads);
    return options;
  }

  Representation representation_;
  Explainer explainer_;
};

/// Frame `wanted`, or the only one.
Molecule one_molecule(const MoleculeExplainArguments& arguments) {
  MoleculeReader reader(arguments.molecules, arguments.limits);
  const std::size_t wanted = arguments.frame.value_or(1);
  std::optional<Molecule> molecule;
  for (std::size_t frame = 1; frame <= wanted; ++frame) {
    molecule = reader.next();
    if (!molecule)
      throw InvalidInput(fmt::format("{} has {} molecules, expected at least {}",
                                     arguments.molecules.string(), frame - 1, wanted));
  }
  return *molecule;
}

void draw_one(const MoleculeExplainArguments& arguments, std::ostream& out) {
  const Molecule molecule = one_molecule(arguments);
  if (!arguments.frame) {
    MoleculeReader reader(arguments.molecules, arguments.limits);
    reader.next();
    if (reader.next())
      throw UsageError(fmt::format("{} has several molecules, expected --frame for a picture",
                                   arguments.molecules.string()));
  }
  const MoleculeExplainer explain(arguments);
  Output output(arguments.output, out);
  explain(std::span(&molecule, 1), arguments.frame.value_or(1), [&](const ExplainedMolecule& e) {
    const std::string name = molecule.name.empty() ? formula(molecule) : molecule.name;
    output.stream() << molecule_svg(
        molecule, e.relevance,
        fmt::format("{}: predicted {:.4g}, level {:.4g}", name, e.prediction,
                    explain.settings().level.value_or(0.0)));
  });
  output.commit();
}

void write_table(const MoleculeExplainArguments& arguments, std::ostream& out) {
  const TableFormat format = table_format(arguments.output, {TableFormat::csv, TableFormat::json});
  const MoleculeExplainer explain(arguments);
  Output output(arguments.output, out);
  MoleculeWriter writer(output.stream(), format, arguments.part.value_or(MoleculePart::pair),
                        explain.settings());
  const auto write = [&](const ExplainedMolecule& explained) { writer.write(explained); };
  if (arguments.frame) {
    const Molecule molecule = one_molecule(arguments);
    explain(std::span(&molecule, 1), *arguments.frame, write);
  } else {
    Progress progress = Progress::on_terminal("explaining", arguments.output.empty());
    MoleculeReader reader(arguments.molecules, arguments.limits);
    std::size_t first_frame = 1;
    for (bool has_more = true; has_more; progress.update(first_frame - 1, std::nullopt)) {
      std::vector<Molecule> chunk;
      while (chunk.size() < kChunk && has_more) {
        auto molecule = reader.next();
        has_more = molecule.has_value();
        if (molecule) chunk.push_back(std::move(*molecule));
      }
      if (!chunk.empty()) explain(chunk, first_frame, write);
      first_frame += chunk.size();
      output.check();
    }
  }
  writer.finish();
  output.commit();
}

}  // namespace

void molecule_explain_command(const MoleculeExplainArguments& arguments, std::ostream& out) {
  const bool is_picture = arguments.output.extension() == ".svg";
  if (arguments.part && (is_picture || arguments.output.extension() == ".json"))
    throw UsageError(fmt::format("--per was given, expected CSV: {} holds pairs and atoms",
                                 arguments.output.string()));
  if (is_picture)
    draw_one(arguments, out);
  else
    write_table(arguments, out);
}

}  // namespace bisector::cli
