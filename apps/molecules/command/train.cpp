#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/molecules/command/command.h"
#include "apps/molecules/files/molecule_file.h"
#include "bisector/io/model_file.h"
#include "bisector/train/train.h"
#include "cli/options/rule_options.h"
#include "cli/verb.h"
#include "cli/writers/fit_notes.h"
#include "tools/output_file.h"
#include "tools/progress.h"

namespace bisector::molecules {

using namespace cli;

namespace {

// The paper's parameters for dipole moments, with features scaled to a median distance of 1.
constexpr double kGamma = 3.0, kLambda = 0.1;
constexpr std::size_t kFolds = 5;

void require_consistent(const TrainArguments& a) {
  if (a.tune && (a.gamma || a.lambda))
    throw UsageError(fmt::format("{} and --tune exclude each other; use one of them",
                                 a.gamma ? "--gamma" : "--lambda"));
  if (a.output.extension() != ".npz")
    throw UsageError(
        fmt::format("the output {} has no known extension, expected .npz", a.output.string()));
}

/// A single pair of parameters is cross-validated too: that gives the error on new molecules.
TuneOptions tune_options(const TrainArguments& arguments, std::size_t molecules,
                         tools::Progress& progress) {
  TuneOptions options;
  if (!arguments.tune) {
    options.grid.gamma = {arguments.gamma.value_or(kGamma)};
    options.grid.lambda = {arguments.lambda.value_or(kLambda)};
  }
  options.folds = std::min(kFolds, molecules);
  options.seed = arguments.seed.value_or(0);
  options.threads = thread_count(arguments.threads);
  options.progress = [&progress](double fraction) { progress.update(fraction); };
  return options;
}

std::string summary(const TrainArguments& arguments, const Representation& representation,
                    std::size_t molecules, const TrainResult& training) {
  const auto& learner = std::get<RidgeLearner>(training.learner);
  const Trial& best = training.tuning->trials[training.tuning->best];
  return fmt::format(
      "{}: kernel ridge of \"{}\"\n"
      "  molecules        {}\n"
      "  features         {} of a {}\n"
      "  parameters       gamma {:g}, lambda {:g}\n"
      "  error            {:.4g} on average for unseen molecules "
      "({}-fold cross-validation)\n",
      arguments.output.string(), arguments.property, molecules, representation.features(),
      representation.kind() == RepresentationKind::bag_of_bonds ? "bag of bonds" : "Coulomb matrix",
      learner.gamma, learner.lambda, std::abs(best.mean), std::min(kFolds, molecules));
}

}  // namespace

void train_command(const TrainArguments& arguments, std::ostream& out, std::ostream& notes) {
  require_consistent(arguments);
  const std::vector<Molecule> molecules =
      read_molecules(arguments.molecules, arguments.limits, arguments.atom_limit());
  std::vector<double> target;
  for (const Molecule& molecule : molecules)
    target.push_back(property(molecule, arguments.property));
  const Representation representation = Representation::fit(arguments.representation, molecules);
  tools::OutputFile output(arguments.output);
  TrainResult training = [&] {
    tools::Progress progress = tools::Progress::on_terminal("training", false);
    TrainOptions options;
    options.scaling = Scaling::median;
    options.tune = tune_options(arguments, molecules.size(), progress);
    options.threads = thread_count(arguments.threads);
    options.feature_names = representation.feature_names();
    const Learner learner = RidgeLearner{};
    const Target targets = target;
    options.before = [&](MatrixView<const double> scaled) {
      announce_fit({learner, scaled, targets, options.tune, 0, options.threads}, notes);
    };
    return train(learner, representation.rows(molecules), targets, options);
  }();
  training.model = training.model.with_target({arguments.property, {}, {}});
  write_bundle(output.stream(), training.model);
  output.commit();
  tools::Output standard({}, out);
  out << summary(arguments, representation, molecules.size(), training);
  standard.commit();
}

}  // namespace bisector::molecules
