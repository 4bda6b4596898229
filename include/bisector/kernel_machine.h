// Kernel machines over points that machines may share: one machine, and the classifiers,
// regressors and one-class models made of them. Each is valid by construction.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bisector/export.h"
#include "bisector/kernel.h"
#include "bisector/matrix.h"

namespace bisector {

/// f(x) = sum_k c_k phi(s(x, u_k)) + intercept: the Gaussian kernel exp(-gamma |x - u_k|^2), or any
/// other of a distance.
class BISECTOR_EXPORT KernelMachine {
 public:
  /// Throws InvalidModel unless there is at least one point, one finite coefficient per point,
  /// and every coordinate is finite.
  KernelMachine(SharedMatrix points, std::vector<double> coefficients, Kernel kernel,
                double intercept);

  std::size_t features() const { return points_->cols(); }
  const Matrix& points() const { return *points_; }  // S x D
  /// The same for who keeps them.
  const SharedMatrix& shared_points() const { return points_; }
  const std::vector<double>& coefficients() const { return coefficients_; }  // S, signed
  const Kernel& kernel() const { return kernel_; }
  /// Of the kernel's first term.
  double gamma() const { return kernel_.terms()[0].gamma; }
  double intercept() const { return intercept_; }

  bool operator==(const KernelMachine&) const = default;

 private:
  SharedMatrix points_;
  std::vector<double> coefficients_;
  Kernel kernel_;
  double intercept_;
};

/// An SVM classifier: two classes, or many by one-vs-one voting, in LIBSVM's arrangement. The
/// points are grouped by class; machine (a, b), a < b, uses row b-1 of the coefficients for the
/// points of a and row a for those of b, and speaks for a where it is positive. Votes are counted
/// in label order and the first of equals wins, or of equals the one whose decision values add up
/// to most. Or one machine per class, the largest of which wins: their differences are the machines
/// of pairs.
class BISECTOR_EXPORT KernelClassifier {
 public:
  enum class Arrangement { one_vs_one, one_vs_rest, one_vs_one_by_confidence };

  /// `coefficients` is (C-1) x S, `intercepts` has C(C-1)/2 entries in the order (0,1), (0,2), ...,
  /// (1,2), ...; throws InvalidModel when the shapes disagree or a label stands twice.
  KernelClassifier(SharedMatrix points, std::vector<std::size_t> points_per_class,
                   Matrix coefficients, std::vector<double> intercepts, Kernel kernel,
                   std::vector<std::string> labels);

  /// One machine for each class: `coefficients` is C x S, `intercepts` has C entries.
  static KernelClassifier one_vs_rest(SharedMatrix points, Matrix coefficients,
                                      std::vector<double> intercepts, Kernel kernel,
                                      std::vector<std::string> labels);

  /// The same machines of pairs with ties broken as scikit-learn does with break_ties=True. Throws
  /// InvalidModel for two classes and for one machine per class, which have no ties to break.
  KernelClassifier with_broken_ties() const;

  /// Two classes from one machine: `positive` where f > 0. Points are reordered by sign.
  static KernelClassifier two_class(const KernelMachine& machine, std::string positive,
                                    std::string negative);

  Arrangement arrangement() const { return arrangement_; }
  bool has_machine_per_class() const { return arrangement_ == Arrangement::one_vs_rest; }
  std::size_t features() const { return points_->cols(); }
  std::size_t classes() const { return labels_.size(); }
  const std::vector<std::string>& labels() const { return labels_; }
  const Matrix& points() const { return *points_; }
  const SharedMatrix& shared_points() const { return points_; }
  const std::vector<std::size_t>& points_per_class() const { return points_per_class_; }
  const Matrix& coefficients() const { return coefficients_; }
  const std::vector<double>& intercepts() const { return intercepts_; }
  const Kernel& kernel() const { return kernel_; }
  /// Of the kernel's first term.
  double gamma() const { return kernel_.terms()[0].gamma; }

  /// Where machine (a, b), a < b, stands among the intercepts and decision values of one-vs-one.
  std::size_t pair_index(std::size_t a, std::size_t b) const;
  double pair_intercept(std::size_t a, std::size_t b) const;
  /// The signed coefficients of machine (a, b), a < b, over all points.
  std::vector<double> pair_coefficients(std::size_t a, std::size_t b) const;

  bool operator==(const KernelClassifier&) const = default;

 private:
  KernelClassifier(Arrangement arrangement, SharedMatrix points,
                   std::vector<std::size_t> points_per_class, Matrix coefficients,
                   std::vector<double> intercepts, Kernel kernel, std::vector<std::string> labels);

  Arrangement arrangement_;
  SharedMatrix points_;                        // S x D
  std::vector<std::size_t> points_per_class_;  // C
  Matrix coefficients_;                        // (C-1) x S, or C x S
  std::vector<double> intercepts_;             // C(C-1)/2, or C
  Kernel kernel_;
  std::vector<std::string> labels_;  // C
};

/// Support vector regression, kernel ridge regression, a Gaussian process mean.
struct KernelRegressor {
  KernelMachine machine;
  /// The mean of the training target, where the maker of the model knew it: the default level.
  std::optional<double> target_mean;

  std::size_t features() const { return machine.features(); }
  bool operator==(const KernelRegressor&) const = default;
};

/// A one-class SVM: inside where f > 0. LIBSVM's labels: 1 inside, -1 outside.
struct OneClassMachine {
  KernelMachine machine;

  std::size_t features() const { return machine.features(); }
  bool operator==(const OneClassMachine&) const = default;
};

}  // namespace bisector
