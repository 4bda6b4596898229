// f of a whole model: the decision values and classes that predict prints. One contrast evaluates a
// model with a single output; models of many classes have the outputs of all classes or machines in
// one pass over their shared points.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/model.h"
#include "bisector/predict.h"
#include "core/contrast/contrast.h"
#include "core/models/rows.h"

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
std::unique_ptr<const Evaluator> contrast_evaluator(std::unique_ptr<const Contrast> contrast,
                                                    bool is_regressor);
/// Kernel machines of three and more classes: the sums of all machines over their shared points.
std::unique_ptr<const Evaluator> machine_sums(const KernelClassifier& model, Precision precision);
/// Neighbors of three and more classes: the votes, or the shares of weighted votes, of each class.
std::unique_ptr<const Evaluator> class_votes(const Model& model, bool has_shares);
/// The negative squared distance to each centroid. The largest wins; of equal ones, the first.
std::unique_ptr<const Evaluator> centroid_distances(const CentroidModel& model);

/// The evaluator of a model. `threads`: 0 takes all processors.
std::unique_ptr<const Evaluator> make_evaluator(const Model& model, Precision precision,
                                                unsigned threads);

}  // namespace bisector::detail
