// Model: a predictor of any kind, with its preprocessing, feature names and metadata.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bisector/affine_map.h"
#include "bisector/export.h"
#include "bisector/kernel_machine.h"
#include "bisector/limits.h"
#include "bisector/method.h"
#include "bisector/model_fields.h"
#include "bisector/neighbor_model.h"
#include "bisector/outlier_detector.h"
#include "bisector/table_encoding.h"

namespace bisector {

/// The kinds of models. Pages store the position of a kind, so new kinds are added at the end.
using Predictor = std::variant<KernelClassifier, KernelRegressor, OneClassMachine, NeighborModel,
                               CentroidModel, NeighborRegressor, OutlierDetector>;

/// What model_fields.h asks of a kind.
template <class M>
concept PredictorKind = std::constructible_from<M, typename M::Data> &&
    std::equality_comparable<M> && requires(const M& model, std::size_t n) {
  { M::kKind } -> std::convertible_to<std::string_view>;
  { M::kTask } -> std::convertible_to<Task>;
  { model.data() } -> std::convertible_to<typename M::Data>;
  { model.features() } -> std::same_as<std::size_t>;
  { model.neighbors() } -> std::same_as<std::size_t>;
  { model.shared_points() } -> std::same_as<const SharedMatrix&>;
  { model.distance() } -> std::same_as<const Distance&>;
  { model.labels() } -> std::convertible_to<std::vector<std::string>>;
  { model.summary() } -> std::same_as<ModelSummary>;
  { model.pool_sizes(n, n, 0.0) } -> std::same_as<PoolSizes>;
};

/// The most faithful of a view's methods, as measured for a model (bisector/choose.h).
struct MeasuredMethod {
  struct Figure {
    std::string name;
    double aufc, standard_error;  // area under the flipping curve, lower is better
    bool operator==(const Figure&) const = default;
  };
  Method method;
  View view = View::model;
  std::size_t rows = 0;         // evaluated rows
  std::vector<Figure> figures;  // one per candidate: this method, then the others, best first

  bool operator==(const MeasuredMethod&) const = default;
};

/// The training target: a column of a table, and the rule that made classes of its values.
struct LearnedTarget {
  std::string column = {};                   // empty if the column had no name
  std::optional<double> above = {};          // classes "above" this number and "not above"
  std::optional<std::string> positive = {};  // this label against all other values
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

/// Rows that represent the data: methods take their references, base values and the scale of their
/// unit from them.
struct Background {
  /// Of more rows, this many are drawn; fewer if they have more than kMostNumbers numbers.
  static constexpr std::size_t kMostRows = 1000, kMostNumbers = std::size_t{1} << 23u;

  SharedMatrix rows = Matrix();  // in the model's input space
  // Of all rows, before the draw:
  std::vector<double> mean = {};  // in the model's space
  bool is_off_center = false;     // the automatic reference point is their mean, not the origin
  std::optional<double> median_distance = {};  // of kernels of a distance, if there are two rows
  bool operator==(const Background&) const = default;
};

/// What auto knows of a kernel classifier before it takes lrp-path (docs/guide/choosing.md).
struct AutoCheck {
  /// How strongly the values of lrp-path and exact Shapley values are correlated: the smaller one
  /// of two sets of rows. Empty if the model has no exact Shapley values.
  std::optional<double> correlation = {};
  /// The smallest fraction of the background that is predicted as one class. Empty if there is a
  /// correlation.
  std::optional<double> rarest_class = {};
  bool operator==(const AutoCheck&) const = default;
};

/// A handle to constant data that all copies share: copying a model copies no point. Safe to share
/// between threads.
class BISECTOR_EXPORT Model {
 public:
  /// Throws InvalidModel if the preprocessing or the names do not fit the predictor's features.
  /// Without `feature_names` data are matched by position. An `encoding` must produce the model's
  /// features, and its feature names are the model's.
  explicit Model(Predictor predictor, AffineMap input = {},
                 std::vector<std::string> feature_names = {},
                 std::optional<double> median_distance = std::nullopt,
                 std::optional<TableEncoding> encoding = std::nullopt);
  // Copies only: a moved-from model would be empty.
  Model(const Model&) = default;
  Model& operator=(const Model&) = default;

  /// The number of columns that a row of data has, before the preprocessing.
  std::size_t features() const { return data_->features; }
  /// The number of features of the points, after the preprocessing.
  std::size_t model_features() const;

  const Predictor& predictor() const { return data_->predictor; }
  const AffineMap& input() const { return data_->input; }
  const std::vector<std::string>& feature_names() const { return data_->feature_names; }
  /// The name of a column; "x1" and so on if the model has no names.
  std::string feature_name(std::size_t feature) const;
  /// The median distance between the training rows in the model's space, if it was recorded.
  std::optional<double> median_distance() const { return data_->median_distance; }
  /// The encoding of a table's columns, if the model was trained on text or missing values.
  const std::optional<TableEncoding>& encoding() const { return data_->encoding; }

  /// The method that Auto resolves to, if it was measured.
  const std::optional<MeasuredMethod>& measured() const { return data_->measured; }
  /// The same model with a measured method. Throws InvalidModel if that is Auto.
  Model with_measured(MeasuredMethod measured) const;

  /// The training target, if it was recorded.
  const std::optional<LearnedTarget>& target() const { return data_->target; }
  /// The same model with a target. Throws InvalidModel if the model does not have the target's
  /// classes, or the target has two rules for them.
  Model with_target(LearnedTarget target) const;

  /// One entry per pair of classes, if the model's maker computed them; else empty.
  const std::vector<UnitScale>& unit_scales() const { return data_->unit_scales; }
  /// The same model with these. Throws InvalidModel for classes that the model does not have, a
  /// pair that occurs twice, and numbers that are not finite or (scale and limit) negative.
  Model with_unit_scales(std::vector<UnitScale> scales) const;

  /// The row of the training table that each point is, counted from 0; empty if it is not known.
  const std::vector<std::size_t>& training_rows() const { return data_->training_rows; }
  /// The same model with these rows. Throws InvalidModel unless there is one for each point.
  Model with_training_rows(std::vector<std::size_t> rows) const;

  /// The rows that methods use if an explainer is given none.
  const std::optional<Background>& background() const { return data_->background; }
  /// The same model with this background, or without one. Unit scales are those of other rows, so
  /// that a new background removes them. Throws InvalidModel for rows that do not fit the model.
  Model with_background(std::optional<Background> background) const;

  /// The check of auto, if it was made.
  const std::optional<AutoCheck>& auto_check() const { return data_->auto_check; }
  /// The same model with a check. Throws InvalidModel for numbers beyond -1 and 1.
  Model with_auto_check(AutoCheck check) const;

  /// The same model with these names of the features, which are those of the encoding if there is
  /// one. Throws InvalidModel as the constructor does.
  Model with_features(std::vector<std::string> feature_names,
                      std::optional<TableEncoding> encoding) const;

  /// The kind's name in files, in Python and in the output of inspect.
  std::string_view kind() const;
  Task task() const;
  bool is_regressor() const { return task() == Task::regression; }
  /// True if a row is inside or outside: labels "1" and "-1".
  bool is_detector() const { return task() == Task::detection; }
  /// Class labels in the model's order; "1", "-1" for detectors, none for regressors.
  std::vector<std::string> labels() const;
  /// The classes of the pools P and N, as indices into labels(), if they are the same for every
  /// row: LIBSVM's first label, inside for detectors, and the second of two sorted labels for
  /// neighbors and centroids.
  struct ClassPair {
    std::size_t positive, negative;
  };
  std::optional<ClassPair> fixed_pair() const;
  /// The kernel of a kernel machine; null for other kinds.
  const Kernel* kernel() const;
  /// True for kernels of the dot product, whose machines are explained on f itself.
  bool has_dot_product() const { return kernel() != nullptr && !kernel()->is_of_distance(); }
  /// The number of neighbors k, 1 for centroids, 0 for kernel machines.
  std::size_t neighbors() const;
  /// How the neighbors vote; null for kinds whose neighbors do not.
  const NeighborVote* vote() const;
  /// The class of each point of neighbors that vote for classes; null for other kinds.
  const std::vector<std::size_t>* point_classes() const;
  /// The level at which a regressor is explained: the mean of the training target if the model
  /// knows it, else 0. Nothing for other tasks.
  std::optional<double> default_level() const;
  /// The distance between a row and a point, both in the model's space.
  const Distance& distance() const;
  /// All points of the model: support vectors, training points or centroids. Throws InvalidInput
  /// if they are in a file.
  const Matrix& points() const { return *shared_points(); }
  /// Shared ownership of points().
  const SharedMatrix& shared_points() const;
  /// Does the work that has to precede the first prediction (the densities of a local outlier
  /// factor), on `threads` threads (0: all). Explainers and decision functions call it; all copies
  /// share its result.
  void prepare(unsigned threads) const;
  /// The model in words.
  ModelSummary summary() const;
  /// The sizes of the pools of a pair of classes, as indices into labels(). `level` is a
  /// regressor's.
  PoolSizes pool_sizes(ClassPair pair, double level) const;
  /// The kernel machine of a pair of classes, positive for the first; of a regressor, the
  /// prediction minus `level`. It shares the points. Throws InvalidInput for models without kernel.
  KernelMachine pair_machine(ClassPair pair, double level = 0.0) const;
  /// f of a pair of classes from the decision values of a row.
  double pair_decision(ClassPair pair, std::span<const double> decisions) const;
  /// One model of two classes per class, the class against kRest: by its votes (neighbors) or its
  /// own machine (one machine per class). Empty for other models, whose classes are explained by
  /// the sum over their pairs.
  std::vector<Model> against_rest() const;

  /// Compares the contents.
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
    std::vector<std::size_t> training_rows = {};
    std::optional<Background> background = {};
    std::optional<AutoCheck> auto_check = {};
    std::size_t features = 0;

    bool operator==(const Data&) const = default;
  };
  /// Checks the data and fills in what follows from them.
  static Data complete(Data data);
  template <class Change>  // change(data)
  Model with(const Change& change) const;

  std::shared_ptr<const Data> data_;
};

/// The predictor with other points and another distance between them; all other fields stay.
BISECTOR_EXPORT Predictor with_points(const Predictor& predictor, const SharedMatrix& points,
                                      const Distance& distance);

/// The model with columns of zeros appended, up to `features` columns: LIBSVM reads sparse rows
/// with more features than the model has, and its distances count them. Throws InvalidInput for a
/// model with preprocessing or feature names, which fix the number of columns, and if `features` is
/// less than the model's or beyond the limits.
BISECTOR_EXPORT Model pad_features(const Model& model, std::size_t features,
                                   const Limits& limits = {});

}  // namespace bisector
