// The evaluation protocol of the paper for one dataset, model and seed: split, train, explain by
// every method, flip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bisector/evaluate.h"
#include "bisector/train/tune.h"
#include "common/dataset.h"

namespace bisector::paper {

enum class ModelKind { svm, knn };
std::string name(ModelKind kind);   // "svm"
std::string title(ModelKind kind);  // "SVM"

struct Split {
  Matrix train_rows, test_rows;
  ClassTarget train_target, test_target;
};
/// Shuffles with the seed, takes at most `max_rows` rows and splits them 80/20.
Split split(const Dataset& dataset, std::uint64_t seed, std::size_t max_rows = 5000);

struct Fitted {
  Model model;
  Learner learner;
  double accuracy;  // on the held-out rows
};
/// What is tuned, and by which score; the paper tunes C by the accuracy.
struct Selection {
  bool tune_all = false;     // gamma and k too, instead of the paper's values
  bool is_balanced = false;  // by the balanced accuracy
};
Fitted fit_model(const Split& data, const DatasetInfo& info, ModelKind kind,
                 const Selection& selection, std::uint64_t seed);

/// The fraction of rows whose class is predicted correctly.
double accuracy(const Model& model, const Matrix& rows, const ClassTarget& target);

/// "gamma=0.3 C=1", "k=9".
std::string describe(const Learner& learner);

struct FlipOptions {
  Donors donors = Donors::same;
  Precision precision = Precision::float64;
  std::size_t rows = 300;  // held-out rows, from the first
};

/// Explains held-out rows by every method and flips their features, with the same donor rows for
/// all methods. The seed also sets the draws of the methods.
Evaluation flip_methods(const Split& data, const Model& model, std::vector<Candidate> methods,
                        std::uint64_t seed, const FlipOptions& options = {});

/// The AUFC of every row.
struct Score {
  std::string method;
  Donors donors;
  std::vector<double> aufc;
};
std::vector<Score> score_methods(const Split& data, const Model& model,
                                 const std::vector<Candidate>& methods, std::uint64_t seed,
                                 const FlipOptions& options = {});

}  // namespace bisector::paper
