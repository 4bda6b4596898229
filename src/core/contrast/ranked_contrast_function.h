// A neighbor model's contrast of two classes as a function of input rows. It has steps, so there
// are no gradients.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "bisector/matrix.h"
#include "bisector/model.h"
#include "core/contrast/ranked_pools.h"

namespace bisector::detail {

class RankedContrastFunction {
 public:
  /// Of pools that the explainer made ready.
  RankedContrastFunction(const Model& model, std::shared_ptr<const RankedPools> pools,
                         unsigned threads);

  /// The class outcome: +1 where the model predicts `pair.positive`, else -1; of regressors, how
  /// far the prediction is above the level.
  void f(Model::ClassPair pair, MatrixView<const double> rows, std::span<double> values) const;
  /// How many more of the k neighbors are of class `pair.positive` than of `pair.negative`.
  void votes(Model::ClassPair pair, MatrixView<const double> rows, std::span<double> values) const;
  /// The difference of the pools' ranked scores; votes and rank are each row's own. Throws
  /// InvalidInput where it is infinite because a class has fewer points than the rank.
  void g(Model::ClassPair pair, MatrixView<const double> rows, std::span<double> values) const;

 private:
  std::string group_name(std::size_t group) const;
  template <class Use>  // use(row, RankedPools::Decision)
  void for_each_row(Model::ClassPair pair, MatrixView<const double> rows, const Use& use) const;

  Model model_;
  unsigned threads_;
  std::shared_ptr<const RankedPools> pools_;
};

}  // namespace bisector::detail
