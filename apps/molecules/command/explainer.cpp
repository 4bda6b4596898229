#include "apps/molecules/command/explainer.h"

#include <fmt/format.h>

#include "bisector/error.h"
#include "bisector/io/model_file.h"
#include "tools/output_file.h"
#include "tools/progress.h"

namespace bisector::molecules {

using namespace cli;

namespace {

constexpr std::size_t kChunk = 512;  // molecules in memory at a time

ExplainOptions options_of(const ExplainArguments& arguments) {
  ExplainOptions options = arguments.rule.options;
  options.threads = thread_count(arguments.threads);
  return options;
}

}  // namespace

Representation representation_of(const Model& model, const std::filesystem::path& file) {
  if (!model.is_regressor())
    throw InvalidInput(fmt::format("{}: a classifier, expected a model of bisector-molecules train",
                                   file.string()));
  try {
    return Representation::from_feature_names(model.feature_names());
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", file.string(), error.what()));
  }
}

std::vector<Molecule> next_molecules(MoleculeReader& reader) {
  std::vector<Molecule> chunk;
  while (chunk.size() < kChunk) {
    auto molecule = reader.next();
    if (!molecule) break;
    chunk.push_back(std::move(*molecule));
  }
  return chunk;
}

MoleculeExplainer::MoleculeExplainer(const ExplainArguments& arguments)
    : MoleculeExplainer(read_model(arguments.model, arguments.limits), arguments) {}

MoleculeExplainer::MoleculeExplainer(const Model& model, const ExplainArguments& arguments)
    : property_(model.target() ? model.target()->column : ""),
      representation_(representation_of(model, arguments.model)),
      explainer_(model, method_of(arguments.rule), options_of(arguments)) {}

void MoleculeExplainer::operator()(std::span<const Molecule> molecules, std::size_t first_frame,
                                   const Take& take) const {
  const Explanation why = explainer_(representation_.rows(molecules).view());
  for (std::size_t m = 0; m < molecules.size(); ++m)
    take({first_frame + m, molecules[m], why.value[m], why.output[m], why.base[m], why.remainder[m],
          atom_relevance(representation_(molecules[m]), molecules[m].atoms.size(),
                         why.relevance.row(m))});
}

Molecule one_molecule(const ExplainArguments& arguments) {
  MoleculeReader reader = arguments.reader();
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

void explain_file(const ExplainArguments& arguments, const MoleculeExplainer& explain,
                  const MoleculeExplainer::Take& take, const std::function<void()>& after_chunk) {
  if (arguments.frame) {
    const Molecule molecule = one_molecule(arguments);
    explain(std::span(&molecule, 1), *arguments.frame, take);
    return;
  }
  tools::Progress progress =
      tools::Progress::on_terminal("explaining", tools::is_standard_output(arguments.output));
  MoleculeReader reader = arguments.reader();
  std::size_t first_frame = 1;
  for (auto chunk = next_molecules(reader); !chunk.empty(); chunk = next_molecules(reader)) {
    explain(chunk, first_frame, take);
    first_frame += chunk.size();
    progress.update(first_frame - 1, std::nullopt);
    after_chunk();
  }
}

}  // namespace bisector::molecules
