// Model: any of the models we explain, with the preprocessing and the names that belong to it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bisector/affine_map.h"
#include "bisector/export.h"
#include "bisector/kernel_machine.h"
#include "bisector/limits.h"
#include "bisector/method.h"
#include "bisector/neighbor_model.h"
#include "bisector/outlier_detector.h"
#include "bisector/table_encoding.h"

namespace bisector {

using Predictor = std::variant<KernelClassifier, KernelRegressor, OneClassMachine, NeighborModel,
                               CentroidModel, NeighborRegressor, OutlierDetector>;

/// The most faithful of a view's methods, as it was measured for a model (bisector/choose.h).
struct MeasuredMethod {
  struct Figure {
    std::string name;
    double aufc, standard_error;  // the area under the flipping curve, lower is better; no unit
    bool operator==(const Figure&) const = default;
  };
  Method method;
  View view = View::model;
  std::size_t rows = 0;         // that were evaluated
  std::vector<Figure> figures;  // of all candidates, this one first, then the best

  bool operator==(const MeasuredMethod&) const = default;
};

/// What a model learned: the column of its table, and how the column's values became its classes.
struct LearnedTarget {
  std::string column = {};                   // its name; empty where it had none
  std::optional<double> above = {};          // "above" this number, and "not above"
  std::optional<std::string> positive = {};  // this label, and all other values
  bool operator==(const LearnedTarget&) const = default;
};

/// The output f of one pair of classes over reference rows. It converts relevance to the unit of
/// the output (docs/guide/units.md).
struct UnitScale {
  std::size_t positive = 0, negative = 1;  // into labels(), ascending; regressors have 0 and 1
  double mean = 0.0;   // mean of f for `positive` against `negative`; regressors: mean prediction
  double scale = 0.0;  // c: units of f per unit of g; 0 if f or g is constant
  double limit = 0.0;  // F: bound of the relevance of each sign
  bool operator==(const UnitScale&) const = default;
};

/// A handle to data that never change and that all copies share: copying it copies no point. Safe
/// to share between threads.
class BISECTOR_EXPORT Model {
 public:
  /// Throws InvalidModel when the preprocessing or the names do not fit the predictor's features.
  /// `feature_names` may be empty: then data are matched by position. An `encoding` has to make the
  /// model's features; where it is given, the names are its own.
  explicit Model(Predictor predictor, AffineMap input = {},
                 std::vector<std::string> feature_names = {},
                 std::optional<double> median_distance = std::nullopt,
                 std::optional<TableEncoding> encoding = std::nullopt);
  // Copies only: what was moved from would refer to nothing.
  Model(const Model&) = default;
  Model& operator=(const Model&) = default;

  /// The number of columns that a row of data has, before the preprocessing.
  std::size_t features() const { return data_->features; }
  /// The number of features of the points, after the preprocessing.
  std::size_t model_features() const;

  const Predictor& predictor() const { return data_->predictor; }
  const AffineMap& input() const { return data_->input; }
  const std::vector<std::string>& feature_names() const { return data_->feature_names; }
  /// The name of a column, "x1" and so on where the model has no names.
  std::string feature_name(std::size_t feature) const;
  /// The median distance between the training samples in the model's space, where its maker knew
  /// it.
  std::optional<double> median_distance() const { return data_->median_distance; }
  /// How the columns of a table become the model's features, for a model that was trained on a
  /// table with text or missing values.
  const std::optional<TableEncoding>& encoding() const { return data_->encoding; }

  /// What Auto stands for where it was measured.
  const std::optional<MeasuredMethod>& measured() const { return data_->measured; }
  /// The same model with it. Throws InvalidModel for a method that is itself automatic.
  Model with_measured(MeasuredMethod measured) const;

  /// Where its maker said so.
  const std::optional<LearnedTarget>& target() const { return data_->target; }
  /// The same model with it. Throws InvalidModel where the model does not have the classes that the
  /// target makes, or the target makes classes in two ways.
  Model with_target(LearnedTarget target) const;

  /// One entry per pair of classes, if the model's maker computed them; else empty.
  const std::vector<UnitScale>& unit_scales() const { return data_->unit_scales; }
  /// The same model with these. Throws InvalidModel for classes that the model does not have, a
  /// pair that occurs twice, and numbers that are not finite or (scale and limit) negative.
  Model with_unit_scales(std::vector<UnitScale> scales) const;

  /// True where a row is inside or outside: labels "1" and "-1".
  bool is_detector() const {
    return std::holds_alternative<OneClassMachine>(predictor()) ||
           std::holds_alternative<OutlierDetector>(predictor());
  }
  /// Class labels in the model's order; "1", "-1" for detectors, none for regressors.
  std::vector<std::string> labels() const;
  bool is_regressor() const {
    return std::holds_alternative<KernelRegressor>(predictor()) ||
           std::holds_alternative<NeighborRegressor>(predictor());
  }
  /// The classes of the pools P and N, into labels(), where they are the same for every row:
  /// LIBSVM's first label, inside for detectors, and the second of two sorted labels for neighbors
  /// and centroids.
  struct ClassPair {
    std::size_t positive, negative;
  };
  std::optional<ClassPair> fixed_pair() const;
  /// True for machines whose kernel is a function of the dot product, not of a distance.
  bool has_dot_product() const { return kernel() != nullptr && !kernel()->is_of_distance(); }
  /// The kernel of a kernel machine; null for models without one.
  const Kernel* kernel() const;
  /// Between a row and a point, both in the model's space.
  const Distance& distance() const;
  /// All points of the model (support vectors, training points, centroids).
  const Matrix& points() const { return *shared_points(); }
  /// The same for who keeps them.
  const SharedMatrix& shared_points() const;

  /// By what the models are, wherever they come from.
  bool operator==(const Model& other) const {
    return data_ == other.data_ || *data_ == *other.data_;
  }

 private:
  struct Data {
    Predictor predictor;
    AffineMap input;
    std::vector<std::string> feature_names;
    std::optional<double> median_distance;
    std::optional<TableEncoding> encoding;
    std::optional<MeasuredMethod> measured = {};
    std::optional<LearnedTarget> target = {};
    std::vector<UnitScale> unit_scales = {};
    std::size_t features = 0;

    bool operator==(const Data&) const = default;
  };
  /// Checked and completed.
  static Data complete(Data data);

  std::shared_ptr<const Data> data_;
};

/// The model with zero columns added behind its own, up to `features` of them: what LIBSVM makes of
/// sparse rows with more features than the model has, whose distances count these too. Throws
/// InvalidInput for a model with preprocessing or feature names, which say how many there are, and
/// where `features` is less than the model's, or more than the limits let a file ask for.
BISECTOR_EXPORT Model pad_features(const Model& model, std::size_t features,
                                   const Limits& limits = {});

}  // namespace bisector
