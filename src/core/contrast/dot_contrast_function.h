// The contrast of two classes of a machine with a kernel of the dot product, as a function of input
// rows. Such a kernel is no distance, so that there are no pools and no g of its own: g is f.
#pragma once

#include <memory>
#include <span>

#include "bisector/matrix.h"
#include "bisector/model.h"
#include "core/linalg/dot_pass.h"

namespace bisector::detail {

class DotContrastFunction {
 public:
  DotContrastFunction(const Model& model, Model::ClassPair pair, double level, unsigned threads);

  void f(MatrixView<const double> rows, std::span<double> values) const;
  void f_gradient(MatrixView<const double> rows, MatrixView<double> gradients) const;
  /// So many Gauss nodes on a straight line make its integral of the gradient exact; none do for
  /// the sigmoid, whose line gets kSigmoidNodes.
  std::size_t exact_nodes() const;

 private:
  static constexpr std::size_t kSigmoidNodes = 32;

  Model model_;
  unsigned threads_;
  double intercept_;
  std::unique_ptr<const linalg::DotPass> pass_;
  KernelTerm term_;
};

}  // namespace bisector::detail
