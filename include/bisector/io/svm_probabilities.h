// Class probabilities of LIBSVM classifiers that were trained with svm-train -b 1.
#pragma once

#include <cstddef>
#include <vector>

#include "bisector/export.h"
#include "bisector/matrix.h"

namespace bisector {

/// One sigmoid per pair of classes (a, b), a < b: the probability of a is 1 / (1 + exp(A f + B))
/// with the pair's decision value f. More than two classes are coupled as LIBSVM does (Wu, Lin and
/// Weng, JMLR 2004). The most probable class can differ from the predicted one, which has most
/// votes.
class BISECTOR_EXPORT SvmProbabilities {
 public:
  /// A and B (probA and probB of the file), one per pair in the order of the decision values.
  /// Throws InvalidModel unless both have C(C-1)/2 elements.
  SvmProbabilities(std::size_t classes, std::vector<double> a, std::vector<double> b);

  std::size_t classes() const { return classes_; }
  const std::vector<double>& a() const { return a_; }
  const std::vector<double>& b() const { return b_; }
  /// `decisions` is Q x C(C-1)/2, as in Predictions. Returns Q x C; every row sums to 1.
  Matrix operator()(MatrixView<const double> decisions) const;

 private:
  std::size_t classes_;
  std::vector<double> a_, b_;
};

}  // namespace bisector
