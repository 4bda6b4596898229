// What baselines ask of a model: the contrast of two of its classes as a function of input rows,
// whatever kind of model it is.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "bisector/baselines.h"
#include "bisector/kernel_machine.h"
#include "bisector/method.h"
#include "bisector/model.h"
#include "core/contrast/dot_contrast_function.h"
#include "core/contrast/pair_cache.h"
#include "core/contrast/ranked_contrast_function.h"
#include "core/contrast/soft_contrast_function.h"
#include "core/models/voters.h"

namespace bisector::detail {

/// True for machines whose kernel is no distance.
bool has_dot_product(const Model& model);

class ContrastFunctions {
 public:
  /// The pools of a pair of classes of a kernel machine, of stiffness gamma and with the intercept.
  using PairPools = std::function<std::shared_ptr<const SoftPools>(Model::ClassPair)>;

  /// The pools are those of the explainer: `ranked` of neighbors and centroids, `soft` of kernel
  /// machines. A regressor's contrast is with `level`.
  ContrastFunctions(const Model& model, double level, unsigned threads,
                    std::shared_ptr<const RankedPools> ranked, PairPools soft);

  /// Throw InvalidInput for what the kind of model does not have; `method` is for the message.
  void require_output(ExplainedOutput output) const;
  void require_gradient(std::string_view method) const;

  /// Good for the life of this object.
  BatchFunction value(Model::ClassPair pair, ExplainedOutput output) const;
  /// Kernel machines.
  BatchGradient gradient(Model::ClassPair pair, ExplainedOutput output) const;

  /// Of a kernel of the dot product: Gauss nodes that make an integral along a line exact.
  std::optional<std::size_t> exact_nodes(Model::ClassPair pair) const;

  const Model& model() const { return model_; }
  /// The word for a model without a kernel: "KNN" or "nearest centroids".
  std::string_view kind() const;
  double level() const { return level_; }
  unsigned threads() const { return threads_; }

 private:
  const SoftContrastFunction& soft_function(Model::ClassPair pair) const;
  const DotContrastFunction& dot_function(Model::ClassPair pair) const;

  Model model_;
  double level_;
  unsigned threads_;
  std::optional<RankedContrastFunction> ranked_;  // neighbors and centroids
  PairPools pools_;                               // kernel machines
  PairCache<SoftContrastFunction> soft_;
  bool is_dot_;
  PairCache<DotContrastFunction> dot_;
};

}  // namespace bisector::detail
