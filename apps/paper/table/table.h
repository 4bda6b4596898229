// The paper's Table 2 and its ablation, compared with the published numbers.
#pragma once

#include <ostream>

#include "common/study.h"

namespace bisector::paper {

/// The columns of the table. Disjoint donor rows have fewer columns than the paper's donor rows.
std::vector<Candidate> table_methods(ModelKind kind, const DatasetInfo& info, Donors donors);

/// Writes table.csv, table.html, table_disjoint.csv and table.md to the study's folder.
void run_table(const StudyOptions& options, std::ostream& log);

/// GI on f, GI on g, LRP, per dataset: ablation.csv and ablation.md.
void run_ablation(const StudyOptions& options, std::ostream& log);

}  // namespace bisector::paper
