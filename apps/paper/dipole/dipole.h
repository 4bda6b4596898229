// The paper's second use case: what makes a molecule polar.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "apps/molecules/pictures/molecule_page.h"
#include "apps/molecules/representation/representation.h"
#include "bisector/matrix.h"
#include "common/markdown.h"
#include "common/study_run.h"
#include "dipole/dipole_findings.h"

namespace bisector::paper {

struct DipoleOptions : StudyFolders {
  std::optional<double> level;  // in Debye; default: mean of the training molecules
};

/// A file of isomers, and the errors in Debye that the paper reports.
struct IsomerSet {
  std::string_view id, title, file;
  std::optional<double> published_bags, published_coulomb;
};
inline constexpr std::array<IsomerSet, 3> kIsomerSets = {
    {{"C7H10O2", "C7H10O2, QM9", "qm9/qm9_C7H10O2.xyz.gz", 0.465, 0.513},
     {"C7H11NO", "C7H11NO, QM9", "qm9/qm9_C7H11NO.xyz.gz", 0.403, 0.477},
     // Not in the paper: other conformers of the first set, from QM9's authors.
     {"C7H10O2-isomers", "C7H10O2, the 6,095 isomers", "qm9/dsC7O2H10nsd.xyz.tar.bz2", {}, {}}}};

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
  std::optional<double> published() const;
  DipoleResult by_expected() const;  // the findings of `lrp-expected` only
};

std::string title_of(molecules::RepresentationKind kind);

/// Trains, tests and explains.
Facts run_dipole_model(const IsomerSet& set, molecules::RepresentationKind kind,
                       const DipoleOptions& options);

/// Writes dipole.md, dipole.csv, dipole.svg and dipole.html (the molecules of
/// the figure, which can be rotated) to the folder. Continues dipole.journal.
void run_dipole(const DipoleOptions& options, std::ostream& log);

// The paper's Figure 4: molecules with the relevance of their pairs, and histograms of distances.

/// The test molecule with the largest dipole moment.
struct DipoleExample {
  const DipoleResult* result;
  molecules::PageMolecule shown;    // exact Shapley values, in Debye
  molecules::AtomRelevance by_lrp;  // in Debye
};

/// One for each model of the paper.
std::vector<DipoleExample> dipole_examples(const DipoleOptions& options,
                                           const std::vector<DipoleResult>& results);

/// A row for each representation and method, a column for each set of the paper.
std::string dipole_figure(const std::vector<DipoleExample>& examples);

/// Sums of the relevance over pairs of elements, in Debye, by both methods.
TextTable element_table(const std::vector<DipoleExample>& examples);

/// The same molecules as a page; empty if the program was built without pages.
std::string dipole_page(const std::vector<DipoleExample>& examples);

}  // namespace bisector::paper
