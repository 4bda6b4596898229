// Kernel machines: one machine, and the classifiers, regressors and one-class models made of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bisector/enum_names.h"
#include "bisector/export.h"
#include "bisector/kernel.h"
#include "bisector/matrix.h"
#include "bisector/model_fields.h"

namespace bisector {

/// f(x) = sum_k c_k phi(s(x, u_k)) + intercept, with any kernel phi.
class BISECTOR_EXPORT KernelMachine {
 public:
  struct Data {
    SharedMatrix points = Matrix();    // S x D
    std::vector<double> coefficients;  // S, signed
    double intercept = 0.0;
    Kernel kernel = Kernel(1.0);
    bool operator==(const Data&) const = default;

    template <class Visit>
    static void fields(Visit&& visit) {
      visit(Field{.name = "support_vectors", .keyword = "points"}, &Data::points);
      visit(Field{.name = "coefficients", .layout = Field::Layout::one_row}, &Data::coefficients);
      visit(Field{.name = "intercept", .layout = Field::Layout::list_of_one}, &Data::intercept);
      visit(Field{.name = "kernel"}, &Data::kernel);
    }
  };

  /// Throws InvalidModel unless there is at least one point and one finite coefficient per point,
  /// and every coordinate is finite.
  explicit KernelMachine(Data data);
  KernelMachine(SharedMatrix points, std::vector<double> coefficients, Kernel kernel,
                double intercept)
      : KernelMachine(Data{points, std::move(coefficients), intercept, std::move(kernel)}) {}

  const Data& data() const { return data_; }
  std::size_t features() const { return data_.points->cols(); }
  const Matrix& points() const { return *data_.points; }
  const SharedMatrix& shared_points() const { return data_.points; }
  const std::vector<double>& coefficients() const { return data_.coefficients; }
  const Kernel& kernel() const { return data_.kernel; }
  /// The gamma of the kernel's first term.
  double gamma() const { return data_.kernel.terms()[0].gamma; }
  double intercept() const { return data_.intercept; }

  bool operator==(const KernelMachine&) const = default;

 private:
  Data data_;
};

/// A kernel classifier.
///
/// One-vs-one, in LIBSVM's arrangement: the points are grouped by class; machine (a, b), a < b,
/// uses row b-1 of the coefficients for the points of a and row a for the points of b, and is
/// positive for class a. Votes are counted in label order. Of classes with equal votes the first
/// wins, or, by confidence, the one with the largest sum of decision values.
///
/// One-vs-rest: one machine per class, the largest wins.
class BISECTOR_EXPORT KernelClassifier {
 public:
  enum class Arrangement { one_vs_one, one_vs_rest, one_vs_one_by_confidence };
  static constexpr std::string_view kKind = "kernel_classifier";
  static constexpr Task kTask = Task::classification;
  /// f of two classes is positive for the first.
  static constexpr std::size_t kPositive = 0;

  struct Data {
    SharedMatrix points = Matrix();  // S x D
    Matrix coefficients;             // (C-1) x S; one-vs-rest: C x S
    std::vector<double> intercepts;  // C(C-1)/2 in the order (0,1), (0,2), ..., (1,2), ...; or C
    Kernel kernel = Kernel(1.0);
    Arrangement arrangement = Arrangement::one_vs_one;
    std::vector<std::size_t> points_per_class;  // C; one-vs-rest has no use for it
    std::vector<std::string> labels;            // C
    bool operator==(const Data&) const = default;

    template <class Visit>
    static void fields(Visit&& visit) {
      visit(Field{.name = "support_vectors", .keyword = "points"}, &Data::points);
      visit(Field{.name = "coefficients"}, &Data::coefficients);
      visit(Field{.name = "intercept", .keyword = "intercepts"}, &Data::intercepts);
      visit(Field{.name = "kernel"}, &Data::kernel);
      visit(Field{.name = "arrangement", .is_optional = true}, &Data::arrangement);
      visit(Field{.name = "n_support", .keyword = "points_per_class", .is_optional = true},
            &Data::points_per_class);
      visit(Field{.name = "labels"}, &Data::labels);
    }
  };

  /// Throws InvalidModel if the shapes disagree, a label occurs twice, or fewer than three classes
  /// have one machine each or ties broken by confidence.
  explicit KernelClassifier(Data data);
  /// One-vs-one.
  KernelClassifier(SharedMatrix points, std::vector<std::size_t> points_per_class,
                   Matrix coefficients, std::vector<double> intercepts, Kernel kernel,
                   std::vector<std::string> labels);
  static KernelClassifier one_vs_rest(SharedMatrix points, Matrix coefficients,
                                      std::vector<double> intercepts, Kernel kernel,
                                      std::vector<std::string> labels);
  /// The same one-vs-one machines with ties broken as scikit-learn does with break_ties=True.
  KernelClassifier with_broken_ties() const;
  /// Two classes from one machine: `positive` if f > 0. Points are reordered by sign.
  static KernelClassifier two_class(const KernelMachine& machine, std::string positive,
                                    std::string negative);

  const Data& data() const { return data_; }
  Arrangement arrangement() const { return data_.arrangement; }
  bool has_machine_per_class() const { return data_.arrangement == Arrangement::one_vs_rest; }
  std::size_t features() const { return data_.points->cols(); }
  std::size_t neighbors() const { return 0; }
  std::size_t classes() const { return data_.labels.size(); }
  const std::vector<std::string>& labels() const { return data_.labels; }
  const Matrix& points() const { return *data_.points; }
  const SharedMatrix& shared_points() const { return data_.points; }
  const std::vector<std::size_t>& points_per_class() const { return data_.points_per_class; }
  const Matrix& coefficients() const { return data_.coefficients; }
  const std::vector<double>& intercepts() const { return data_.intercepts; }
  const Kernel& kernel() const { return data_.kernel; }
  const Distance& distance() const { return data_.kernel.distance(); }
  /// The gamma of the kernel's first term.
  double gamma() const { return data_.kernel.terms()[0].gamma; }
  ModelSummary summary() const;
  PoolSizes pool_sizes(std::size_t positive, std::size_t negative, double level) const;

  /// The machine of two classes, positive for the first of them. It shares the points.
  KernelMachine pair_machine(std::size_t positive, std::size_t negative, double level) const;
  /// Each class against all others, if each has a machine of its own; else empty.
  std::vector<KernelClassifier> against_rest() const;
  /// The position of machine (a, b), a < b, among the intercepts and decision values of one-vs-one.
  std::size_t pair_index(std::size_t a, std::size_t b) const;
  double pair_intercept(std::size_t a, std::size_t b) const;
  /// The signed coefficients of machine (a, b), a < b, over all points.
  std::vector<double> pair_coefficients(std::size_t a, std::size_t b) const;

  bool operator==(const KernelClassifier&) const = default;

 private:
  Data data_;
};

constexpr std::string_view name(KernelClassifier::Arrangement arrangement) {
  switch (arrangement) {
    case KernelClassifier::Arrangement::one_vs_one:
      return "one_vs_one";
    case KernelClassifier::Arrangement::one_vs_rest:
      return "one_vs_rest";
    case KernelClassifier::Arrangement::one_vs_one_by_confidence:
      return "one_vs_one_by_confidence";
  }
  return {};
}

/// Support vector regression, kernel ridge regression, the mean of a Gaussian process.
struct BISECTOR_EXPORT KernelRegressor {
  static constexpr std::string_view kKind = "kernel_regressor";
  static constexpr Task kTask = Task::regression;

  struct Data : KernelMachine::Data {
    std::optional<double> target_mean = {};

    template <class Visit>
    static void fields(Visit&& visit) {
      KernelMachine::Data::fields(visit);
      visit(Field{.name = "target_mean"}, &Data::target_mean);
    }
  };

  explicit KernelRegressor(KernelMachine own, std::optional<double> mean = std::nullopt)
      : machine(std::move(own)), target_mean(mean) {}
  explicit KernelRegressor(Data data)
      : machine(static_cast<const KernelMachine::Data&>(data)), target_mean(data.target_mean) {}

  KernelMachine machine;
  /// The mean of the training target, if it was recorded.
  std::optional<double> target_mean;

  Data data() const { return {machine.data(), target_mean}; }
  std::size_t features() const { return machine.features(); }
  std::size_t neighbors() const { return 0; }
  const SharedMatrix& shared_points() const { return machine.shared_points(); }
  const Kernel& kernel() const { return machine.kernel(); }
  const Distance& distance() const { return machine.kernel().distance(); }
  std::vector<std::string> labels() const { return {}; }
  /// The default level.
  double default_level() const { return target_mean.value_or(0.0); }
  /// The prediction minus the level.
  KernelMachine pair_machine(std::size_t, std::size_t, double level) const;
  ModelSummary summary() const;
  PoolSizes pool_sizes(std::size_t positive, std::size_t negative, double level) const;
  bool operator==(const KernelRegressor&) const = default;
};

/// A one-class SVM or a kernel density with a level: a row is inside if f > 0. LIBSVM's labels: 1
/// inside, -1 outside.
struct BISECTOR_EXPORT OneClassMachine {
  static constexpr std::string_view kKind = "one_class";
  static constexpr Task kTask = Task::detection;
  static constexpr std::size_t kPositive = 0;
  using Data = KernelMachine::Data;

  explicit OneClassMachine(KernelMachine own) : machine(std::move(own)) {}
  explicit OneClassMachine(Data data) : machine(std::move(data)) {}

  KernelMachine machine;

  const Data& data() const { return machine.data(); }
  std::size_t features() const { return machine.features(); }
  std::size_t neighbors() const { return 0; }
  const SharedMatrix& shared_points() const { return machine.shared_points(); }
  const Kernel& kernel() const { return machine.kernel(); }
  const Distance& distance() const { return machine.kernel().distance(); }
  std::vector<std::string> labels() const { return {"1", "-1"}; }
  KernelMachine pair_machine(std::size_t positive, std::size_t negative, double level) const;
  ModelSummary summary() const;
  PoolSizes pool_sizes(std::size_t positive, std::size_t negative, double level) const;
  bool operator==(const OneClassMachine&) const = default;
};

}  // namespace bisector
