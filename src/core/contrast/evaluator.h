// f of a whole model: the decision values and classes that predict prints. One contrast evaluates a
// model with a single output; models of many classes have the outputs of all classes or machines in
// one pass over their shared points.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/model.h"
#include "bisector/predict.h"
#include "core/contrast/contrast.h"
#include "core/linalg/dot_pass.h"
#include "core/linalg/kernel_pass.h"
#include "core/linalg/mixed_softmax.h"
#include "core/models/tiles.h"
#include "core/models/weighted_votes.h"

namespace bisector::detail {

/// The outcome of a tile's rows, besides the decision values.
struct TileOutcome {
  std::vector<std::size_t> classes = {};            // empty for regressors
  std::vector<std::size_t> without_neighbors = {};  // rows of the tile
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  /// Writes the decision values of the tile's rows.
  virtual TileOutcome evaluate(const RowTile& tile, MatrixView<double> decisions) const = 0;
  /// The names of the decision values of a model with these labels.
  virtual std::vector<std::string> names(const std::vector<std::string>& labels) const;
};

/// A model with one output, by the contrast of its only pair: a pass without columns of moments.
class ContrastEvaluator final : public Evaluator {
 public:
  ContrastEvaluator(std::unique_ptr<const Contrast> contrast, bool is_regressor)
      : contrast_(std::move(contrast)), is_regressor_(is_regressor) {}
  TileOutcome evaluate(const RowTile& tile, MatrixView<double> decisions) const override;
  std::vector<std::string> names(const std::vector<std::string>&) const override {
    return {"decision"};
  }

 private:
  std::unique_ptr<const Contrast> contrast_;
  bool is_regressor_;
};

/// Kernel machines of three and more classes: the sums of all machines over their shared points.
class MachineSums final : public Evaluator {
 public:
  MachineSums(const KernelClassifier& model, Precision precision);
  TileOutcome evaluate(const RowTile& tile, MatrixView<double> decisions) const override;
  std::vector<std::string> names(const std::vector<std::string>& labels) const override;

 private:
  void sum(const RowTile& tile, MatrixView<double> decisions) const;

  KernelClassifier::Arrangement arrangement_;
  std::size_t classes_;
  std::vector<double> intercepts_, center_;
  std::optional<linalg::MixedSoftmax> gaussian_;
  std::optional<linalg::KernelPass> kernel_;  // other kernels of a distance
  std::optional<linalg::DotPass> products_;   // kernels of the dot product
};

/// Neighbors of three and more classes: the votes, or the shares of weighted votes, of each class.
class ClassVotes final : public Evaluator {
 public:
  ClassVotes(const Model& model, bool has_shares) : votes_(model), has_shares_(has_shares) {}
  TileOutcome evaluate(const RowTile& tile, MatrixView<double> decisions) const override;

 private:
  WeightedVotes votes_;
  bool has_shares_;
};

/// The negative squared distance to each centroid. The largest wins; of equal ones, the first.
class CentroidDistances final : public Evaluator {
 public:
  explicit CentroidDistances(const CentroidModel& model)
      : centroids_(model.shared_points()), distance_(model.distance()) {}
  TileOutcome evaluate(const RowTile& tile, MatrixView<double> decisions) const override;

 private:
  SharedMatrix centroids_;
  Distance distance_;
};

/// The evaluator of a model. `threads`: 0 takes all processors.
std::unique_ptr<const Evaluator> make_evaluator(const Model& model, Precision precision,
                                                unsigned threads);

}  // namespace bisector::detail
