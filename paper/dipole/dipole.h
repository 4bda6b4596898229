// The paper's second use case: what makes a molecule polar.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/matrix.h"
#include "common/markdown.h"
#include "common/study_run.h"
#include "dipole/dipole_findings.h"
#include "molecules/representation.h"

namespace bisector::paper {

struct DipoleOptions : StudyFolders {
  std::optional<double> level;  // in Debye; default: mean of the training molecules
};

/// A file of isomers, and the errors in Debye that the paper reports.
struct IsomerSet {
  std::string_view id, title, file;
  double published_bags, published_coulomb;
};
inline constexpr std::array<IsomerSet, 2> kIsomerSets = {
    {{"C7H10O2", "C7H10O2, QM9", "qm9/qm9_C7H10O2.xyz.gz", 0.465, 0.513},
     {"C7H11NO", "C7H11NO, QM9", "qm9/qm9_C7H11NO.xyz.gz", 0.403, 0.477}}};

/// The prefix of the names of facts by `lrp-expected`; the others are by `lrp`.
inline constexpr std::string_view kByExpected = "lrp-expected ";
/// The number of reference molecules of exact Shapley values.
inline constexpr std::size_t kReferences = 40;

/// The test error of one model, and statistics of its relevance.
struct DipoleResult {
  const IsomerSet* set;
  molecules::RepresentationKind kind;
  Facts facts;

  std::string unit() const;  // its name in the journal
  double fact(const std::string& name) const { return facts.at(name).at(0); }
  double published() const;
  DipoleResult by_expected() const;  // the findings of `lrp-expected` only
};

std::string title_of(molecules::RepresentationKind kind);

/// Trains, tests and explains.
Facts run_dipole_model(const IsomerSet& set, molecules::RepresentationKind kind,
                       const DipoleOptions& options);

/// Writes dipole.md and dipole.csv to the folder, and dipole_atoms.csv and dipole_pairs.csv, which
/// figures.py draws. Continues dipole.journal.
void run_dipole(const DipoleOptions& options, std::ostream& log);

/// The test molecule with the largest dipole moment.
struct DipoleExample {
  const DipoleResult* result;
  molecules::Molecule molecule;
  double truth, prediction;                     // in Debye
  molecules::AtomRelevance by_lrp, by_shapley;  // in Debye
};

/// One for each model.
std::vector<DipoleExample> dipole_examples(const DipoleOptions& options,
                                           const std::vector<DipoleResult>& results);

/// Sums of the relevance over pairs of elements, in Debye, by both methods.
TextTable element_table(const std::vector<DipoleExample>& examples);

/// The atoms of the examples, and the relevance of their pairs by both methods.
TextTable atom_table(const std::vector<DipoleExample>& examples);
TextTable pair_table(const std::vector<DipoleExample>& examples);

}  // namespace bisector::paper
