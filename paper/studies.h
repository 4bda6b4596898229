// The studies: what each one measures, its options, and the function that runs it. The use cases
// with data of their own are in wine/wine.h and dipole/dipole.h.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "common/study.h"

namespace bisector::paper {

// The paper's Table 2 and its ablation, compared with the published numbers.

/// The columns of the table. Disjoint donor rows have fewer columns than the paper's donor rows.
std::vector<Candidate> table_methods(ModelKind kind, const DatasetInfo& info, Donors donors);

/// Writes table.csv, table.md, table_disjoint.csv and table_disjoint.md to the study's folder.
void run_table(const StudyOptions& options, std::ostream& log);

/// GI on f, GI on g, LRP, per dataset: ablation.csv and ablation.md.
void run_ablation(const StudyOptions& options, std::ostream& log);

// The study of the rules' parameters (the paper's Note G) on generated problems: AUFC over model
// parameter x rule parameter, for the eta rule and the path rule.

struct HeuristicsOptions : StudyFolders {
  std::size_t problems = 130;  // generated; their models are tuned
  std::size_t per_value = 5;   // measured problems for each tuned gamma or k
  std::size_t rows = 100;      // explained rows per problem
};

/// Writes heuristics.csv (every cell) and heuristics.md (tables of the heat maps).
void run_heuristics(const HeuristicsOptions& options, std::ostream& log);

// The paper's Figure 1: a two-dimensional SVM and a KNN, their f and g, and the most influential
// units of the network for one point.

/// Writes overview_rows.csv, overview_fields.csv and overview_units.csv, which figures.py draws.
void run_overview(const StudyFolders& options, std::ostream& log);

}  // namespace bisector::paper
