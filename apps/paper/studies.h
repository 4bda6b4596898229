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

/// Writes table.csv, table.html, table_disjoint.csv and table.md to the study's folder.
void run_table(const StudyOptions& options, std::ostream& log);

/// GI on f, GI on g, LRP, per dataset: ablation.csv and ablation.md.
void run_ablation(const StudyOptions& options, std::ostream& log);

// The table for kinds of models that are not in the paper: regressors and one-class machines,
// compared with exact interventional Shapley values.

struct OtherModelsOptions : StudyFolders {
  std::size_t seeds = 5;
  std::size_t rows = 100;       // explained rows per problem
  std::size_t max_rows = 2000;  // of a dataset, before the split
};

/// Kernel ridge, SVR and neighbors: writes regressors.csv and regressors.md. Continues
/// regressors.journal.
void run_regressors(const OtherModelsOptions& options, std::ostream& log);

/// One-class SVMs, trained on the most frequent class: writes one-class.csv and one-class.md.
void run_one_class(const OtherModelsOptions& options, std::ostream& log);

// The study of the rules' parameters (the paper's Note G) on generated problems: AUFC over model
// parameter x rule parameter, for the eta rule and the path rule.

struct HeuristicsOptions : StudyFolders {
  std::size_t problems = 130;  // generated; their models are tuned
  std::size_t per_value = 5;   // measured problems for each tuned gamma or k
  std::size_t rows = 100;      // explained rows per problem
};

/// Writes heuristics.csv (every cell) and heuristics.md (tables of the heat maps).
void run_heuristics(const HeuristicsOptions& options, std::ostream& log);

// Compares explanations with known effects: generated problems, several kinds of models, every
// method.

struct TruthOptions : StudyFolders {
  std::size_t seeds = 10;
  std::size_t rows = 200;                            // explained in each problem
  std::size_t points = 800, neighbor_points = 1500;  // training rows
};

/// Writes truth.csv and truth.md. Continues truth.journal.
void run_truth(const TruthOptions& options, std::ostream& log);

// The study that chose the default rules: AUFC with disjoint donor rows, on generated problems and
// on datasets outside the paper's table, for every kind of model.

struct ChoiceOptions : StudyFolders {
  std::size_t seeds = 2;
  std::size_t problems = 4;                 // generated problems of each kind
  std::size_t rows = 100, image_rows = 50;  // explained rows per problem
  std::size_t points = 1000;                // rows of a generated problem before the split
  std::vector<std::string> parts;           // names; empty: all
};

/// "classes", "svm", "regressors", "one-class", "categories", "many-features".
std::vector<std::string> choice_parts();

/// Writes choice.csv and choice.md for "classes", choice_svm.csv and so on for the other parts.
/// Continues the journals of the same names.
void run_choice(const ChoiceOptions& options, std::ostream& log);

// Explanations of young concrete by the paper's rule and by the default.

/// Writes young_concrete.md, young_concrete.csv and young_concrete.svg to the folder.
void run_concrete(const StudyFolders& options, std::ostream& log);

// Charts of an SVM for each dataset of the table.

struct ChartsOptions : StudyFolders {
  std::vector<std::string> datasets;  // ids; empty: all
};

/// Writes figures.md, and into charts/ for each dataset the relevance of every row (images: of
/// the most certain one) and the flipping curves. Continues charts.journal.
void run_charts(const ChartsOptions& options, std::ostream& log);

// The paper's Figure 1: a two-dimensional SVM and a KNN, their f and g, and the
// most influential units of the network for one point.

/// Writes overview.svg.
void run_overview(const StudyFolders& options, std::ostream& log);

}  // namespace bisector::paper
