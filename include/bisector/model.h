// Model: any of the models we explain, with the preprocessing and the names that belong to it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bisector/affine_map.h"
#include "bisector/export.h"
#include "bisector/kernel_machine.h"
#include "bisector/limits.h"
#include "bisector/neighbor_model.h"
#include "bisector/table_encoding.h"

namespace bisector {

using Predictor =
    std::variant<KernelClassifier, KernelRegressor, OneClassMachine, NeighborModel, CentroidModel>;

/// Never changes, but by assignment: safe to share between threads.
class BISECTOR_EXPORT Model {
 public:
  /// Throws InvalidModel when the preprocessing or the names do not fit the predictor's features.
  /// `feature_names` may be empty: then data are matched by position. An `encoding` has to make the
  /// model's features; where it is given, the names are its own.
  explicit Model(Predictor predictor, AffineMap input = {},
                 std::vector<std::string> feature_names = {},
                 std::optional<double> median_distance = std::nullopt,
                 std::optional<TableEncoding> encoding = std::nullopt);

  /// The number of columns that a row of data has, before the preprocessing.
  std::size_t features() const { return features_; }
  /// The number of features of the points, after the preprocessing.
  std::size_t model_features() const;

  const Predictor& predictor() const { return predictor_; }
  const AffineMap& input() const { return input_; }
  const std::vector<std::string>& feature_names() const { return feature_names_; }
  /// The name of a column, "x1" and so on where the model has no names.
  std::string feature_name(std::size_t feature) const;
  /// The median distance between the training samples in the model's space, where its maker knew
  /// it.
  std::optional<double> median_distance() const { return median_distance_; }
  /// How the columns of a table become the model's features, for a model that was trained on a
  /// table with text or missing values.
  const std::optional<TableEncoding>& encoding() const { return encoding_; }

  /// Class labels in the model's order; "1", "-1" for one-class models, none for regressors.
  std::vector<std::string> labels() const;
  bool is_regressor() const { return std::holds_alternative<KernelRegressor>(predictor_); }
  /// The classes of the pools P and N, into labels(), where they are the same for every row:
  /// LIBSVM's first label, and the second of two sorted labels for neighbours and centroids.
  struct ClassPair {
    std::size_t positive, negative;
  };
  std::optional<ClassPair> fixed_pair() const;
  /// All points of the model (support vectors, training points, centroids).
  const Matrix& points() const;

  bool operator==(const Model&) const = default;

 private:
  Predictor predictor_;
  AffineMap input_;
  std::vector<std::string> feature_names_;
  std::optional<double> median_distance_;
  std::optional<TableEncoding> encoding_;
  std::size_t features_ = 0;
};

/// The model with zero columns added behind its own, up to `features` of them: what LIBSVM makes of
/// sparse rows with more features than the model has, whose distances count these too. Throws
/// InvalidInput for a model with preprocessing or feature names, which say how many there are, and
/// where `features` is less than the model's, or more than the limits let a file ask for.
BISECTOR_EXPORT Model widened(const Model& model, std::size_t features, const Limits& limits = {});

}  // namespace bisector
