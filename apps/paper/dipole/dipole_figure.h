// The paper's Figure 4: molecules with the relevance of their pairs, and histograms of distances.
#pragma once

#include <string>
#include <vector>

#include "apps/molecules/pictures/molecule_page.h"
#include "common/markdown.h"
#include "dipole/dipole.h"

namespace bisector::paper {

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
