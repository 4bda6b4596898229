// The evaluation protocol of the paper for one dataset, model and seed: split, train, explain by
// every method, flip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bisector/evaluate.h"
#include "bisector/train/learner.h"
#include "common/dataset.h"

namespace bisector::paper {

enum class ModelKind { svm, knn };
std::string name(ModelKind kind);

struct Split {
  Matrix train_rows, test_rows;
  ClassTarget train_target, test_target;
};
/// Shuffled with the seed, at most 5,000 rows, 80/20.
Split split(const Dataset& dataset, std::uint64_t seed);

/// The paper's parameter with C tuned, or everything tuned.
struct Fitted {
  Model model;
  Learner learner;
  double accuracy;  // on the held-out rows
};
Fitted fit_model(const Split& data, const DatasetInfo& info, ModelKind kind, bool tune_all,
                 std::uint64_t seed);

/// The share of rows that get their own class.
double accuracy(const Model& model, const Matrix& rows, const ClassTarget& target);

/// "gamma=0.3 C=1", "k=9".
std::string describe(const Learner& learner);

struct Score {
  std::string method;
  std::size_t rows;
  double aufc, standard_error;
};

/// Explains the first so many held-out rows by every method and flips them, all on the same noise;
/// the seed sets the draws of sampled Shapley values, too. Images take single precision, which is
/// plenty for a class: they ask for millions of rows.
Evaluation flip_methods(const Split& data, const Model& model, std::vector<Candidate> methods,
                        std::uint64_t seed, Precision precision = Precision::float64,
                        std::size_t rows = 300);

/// The same as numbers.
std::vector<Score> score_methods(const Split& data, const Model& model,
                                 const std::vector<Candidate>& methods, std::uint64_t seed,
                                 Precision precision = Precision::float64, std::size_t rows = 300);

}  // namespace bisector::paper
