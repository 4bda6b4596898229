// The paper's second use case: what makes a molecule polar.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "apps/molecules/representation/representation.h"
#include "bisector/matrix.h"
#include "dipole/dipole_findings.h"

namespace bisector::paper {

struct DipoleOptions {
  std::filesystem::path data;  // the folder of the datasets
  std::filesystem::path out = "results";
  std::optional<double> level;  // Debye; the mean of the training molecules where it is not given
};

/// A file of isomers, and the errors that the paper reports for them, in Debye.
struct IsomerSet {
  std::string_view id, title, file;
  std::optional<double> published_bags, published_coulomb;
};
inline constexpr std::array<IsomerSet, 3> kIsomerSets = {
    {{"C7H10O2", "C7H10O2, QM9", "qm9/qm9_C7H10O2.xyz.gz", 0.465, 0.513},
     {"C7H11NO", "C7H11NO, QM9", "qm9/qm9_C7H11NO.xyz.gz", 0.403, 0.477},
     // Not in the paper: other conformers of the first set, from QM9's authors.
     {"C7H10O2-isomers", "C7H10O2, the 6,095 isomers", "qm9/dsC7O2H10nsd.xyz.tar.bz2", {}, {}}}};

/// What the names of facts by `auto`, rather than `lrp`, begin with.
inline constexpr std::string_view kByAuto = "auto ";

/// One model: its error on molecules that it did not see, and what its relevance says of them.
struct DipoleResult {
  const IsomerSet* set;
  molecules::RepresentationKind kind;
  Facts facts;

  std::string unit() const;  // its name in the journal
  double fact(const std::string& name) const { return facts.at(name).at(0); }
  std::optional<double> published() const;
  DipoleResult by_auto() const;  // its findings alone
};

std::string title_of(molecules::RepresentationKind kind);

/// Trains, tests and explains.
Facts run_dipole_model(const IsomerSet& set, molecules::RepresentationKind kind,
                       const DipoleOptions& options);

/// Writes dipole.md, dipole.csv, dipole.svg and dipole.html (the figure's molecules, to be turned)
/// to the folder; goes on where dipole.journal ends.
void run_dipole(const DipoleOptions& options, std::ostream& log);

}  // namespace bisector::paper
