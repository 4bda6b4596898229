#include "bisector/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "bisector/error.h"
#include "core/models/checks.h"
#include "core/models/model_fields.h"

namespace bisector {

using namespace detail;

namespace {

template <class... M>
constexpr bool are_kinds(const std::variant<M...>*) {
  return (PredictorKind<M> && ...);
}
static_assert(are_kinds(static_cast<const Predictor*>(nullptr)),
              "a kind of model lacks something that bisector/model_fields.h lists");

const Distance& distance_of(const Predictor& predictor) {
  return std::visit([](const auto& m) -> const Distance& { return m.distance(); }, predictor);
}

}  // namespace

Model::Data Model::complete(Data data) {
  const std::size_t model_features =
      std::visit([](const auto& predictor) { return predictor.features(); }, data.predictor);
  if (!data.input.is_identity())
    require_equal(data.input.outputs(), model_features, "outputs of the preprocessing",
                  "features of the model");
  data.features = data.input.inputs(model_features);
  if (data.input.has_matrix() && !distance_of(data.predictor).categories().empty())
    throw InvalidModel(
        "categories behind a matrix, which mixes features: expected a scale for each");
  if (data.encoding) {
    if (data.feature_names.empty()) data.feature_names = data.encoding->features();
    if (data.feature_names != data.encoding->features())
      throw InvalidModel("the feature names differ from those of the table encoding");
  }
  if (!data.feature_names.empty())
    require_equal(data.feature_names.size(), data.features, "feature names", "features");
  require_distinct(data.feature_names);
  if (data.median_distance && !(*data.median_distance > 0.0))
    throw InvalidModel(
        fmt::format("the median distance is {}, expected a number above 0", *data.median_distance));
  return data;
}

Model::Model(Predictor predictor, AffineMap input, std::vector<std::string> feature_names,
             std::optional<double> median_distance, std::optional<TableEncoding> encoding)
    : data_(std::make_shared<const Data>(
          complete({std::move(predictor), std::move(input), std::move(feature_names),
                    median_distance, std::move(encoding)}))) {}

template <class Change>
Model Model::with(const Change& change) const {
  Data data = *data_;
  change(data);
  Model result = *this;
  result.data_ = std::make_shared<const Data>(std::move(data));
  return result;
}

Model Model::with_measured(MeasuredMethod measured) const {
  if (std::holds_alternative<Auto>(measured.method))
    throw InvalidModel("the measured method is auto, expected one that was measured");
  return with([&](Data& data) { data.measured = std::move(measured); });
}

Model Model::with_target(LearnedTarget target) const {
  const auto own = labels();
  const auto require_label = [&](const std::string& label) {
    if (std::ranges::find(own, label) == own.end() || own.size() != 2)
      throw InvalidModel(
          fmt::format("the target makes the class \"{}\" and another, expected two classes and one "
                      "of that name",
                      label));
  };
  if (target.above && target.positive)
    throw InvalidModel("the target is a threshold and a class, expected one of them");
  if (target.above) {
    if (!std::isfinite(*target.above))
      throw InvalidModel(
          fmt::format("the target's threshold is {}, expected a finite number", *target.above));
    require_label("above");
    require_label("not above");
  }
  if (target.positive) require_label(*target.positive);
  return with([&](Data& data) { data.target = std::move(target); });
}

Model Model::with_unit_scales(std::vector<UnitScale> scales) const {
  const std::size_t classes = std::max<std::size_t>(2, labels().size());
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (const UnitScale& own : scales) {
    if (!(own.positive < own.negative && own.negative < classes))
      throw InvalidModel(fmt::format(
          "a unit scale is of the classes {} and {}, expected ascending numbers below {}",
          own.positive, own.negative, classes));
    if (!pairs.insert({own.positive, own.negative}).second)
      throw InvalidModel(fmt::format("two unit scales are of the classes {} and {}, expected one",
                                     own.positive, own.negative));
    const bool is_valid = std::isfinite(own.mean) && std::isfinite(own.scale) && own.scale >= 0.0 &&
                          std::isfinite(own.limit) && own.limit >= 0.0;
    if (!is_valid)
      throw InvalidModel(fmt::format(
          "a unit scale has mean {}, scale {} and limit {}, expected finite numbers, the last two "
          "not negative",
          own.mean, own.scale, own.limit));
  }
  return with([&](Data& data) { data.unit_scales = std::move(scales); });
}

Model Model::with_training_rows(std::vector<std::size_t> rows) const {
  require_equal(rows.size(), shared_points().rows(), "training rows", "points");
  return with([&](Data& data) { data.training_rows = std::move(rows); });
}

Model Model::with_background(std::optional<Background> background) const {
  if (background == data_->background) return *this;
  if (background) {
    const std::size_t rows = background->rows.rows();
    if (rows == 0 || rows > Background::kMostRows)
      throw InvalidModel(fmt::format("the background has {} rows, expected from 1 to {}", rows,
                                     Background::kMostRows));
    require_points(background->rows->view(), "the background");
    require_equal(background->rows.cols(), features(), "columns of the background", "columns");
    require_equal(background->mean.size(), model_features(), "numbers of the background's mean",
                  "features of the model");
    require_finite(background->mean, "the background's mean");
    if (const auto& median = background->median_distance; median && !(*median >= 0.0))
      throw InvalidModel(fmt::format(
          "the background's median distance is {}, expected a number from 0 up", *median));
  }
  return with([&](Data& data) {
    if (background) data.unit_scales.clear();
    data.background = std::move(background);
  });
}

Model Model::with_auto_check(AutoCheck check) const {
  const auto require = [](const std::optional<double>& value, const char* what, double least) {
    if (value && !(*value >= least && *value <= 1.0))
      throw InvalidModel(
          fmt::format("{} is {}, expected a number from {} to 1", what, *value, least));
  };
  require(check.correlation, "the correlation of two methods", -1.0);
  require(check.rarest_class, "the fraction of the rarest class", 0.0);
  return with([&](Data& data) { data.auto_check = check; });
}

Model Model::with_features(std::vector<std::string> feature_names,
                           std::optional<TableEncoding> encoding) const {
  Data data = *data_;
  data.feature_names = std::move(feature_names);
  data.encoding = std::move(encoding);
  Model result = *this;
  result.data_ = std::make_shared<const Data>(complete(std::move(data)));
  return result;
}

std::size_t Model::model_features() const {
  return std::visit([](const auto& predictor) { return predictor.features(); }, predictor());
}

std::string Model::feature_name(std::size_t feature) const {
  return feature_names().empty() ? fmt::format("x{}", feature + 1) : feature_names()[feature];
}

std::string_view Model::kind() const {
  return std::visit([]<class M>(const M&) { return M::kKind; }, predictor());
}

Task Model::task() const {
  return std::visit([]<class M>(const M&) { return M::kTask; }, predictor());
}

std::vector<std::string> Model::labels() const {
  return std::visit([](const auto& m) -> std::vector<std::string> { return m.labels(); },
                    predictor());
}

std::optional<Model::ClassPair> Model::fixed_pair() const {
  return std::visit(
      []<class M>(const M& m) -> std::optional<ClassPair> {
        if constexpr (M::kTask == Task::regression)
          return std::nullopt;
        else if (m.labels().size() != 2)
          return std::nullopt;
        else
          return ClassPair{M::kPositive, 1 - M::kPositive};
      },
      predictor());
}

const Kernel* Model::kernel() const {
  return std::visit(
      []<class M>(const M& m) -> const Kernel* {
        if constexpr (KernelKind<M>)
          return &m.kernel();
        else
          return nullptr;
      },
      predictor());
}

const NeighborVote* Model::vote() const {
  return std::visit(
      [](const auto& m) -> const NeighborVote* {
        if constexpr (requires { m.vote(); })
          return &m.vote();
        else
          return nullptr;
      },
      predictor());
}

const std::vector<std::size_t>* Model::point_classes() const {
  return std::visit(
      [](const auto& m) -> const std::vector<std::size_t>* {
        if constexpr (requires { m.vote(), m.classes(); })
          return &m.classes();
        else
          return nullptr;
      },
      predictor());
}

std::optional<double> Model::default_level() const {
  return std::visit(
      []<class M>(const M& m) -> std::optional<double> {
        if constexpr (M::kTask == Task::regression)
          return m.default_level();
        else
          return std::nullopt;
      },
      predictor());
}

KernelMachine Model::pair_machine(ClassPair pair, double level) const {
  return std::visit(
      [&]<class M>(const M& m) -> KernelMachine {
        if constexpr (KernelKind<M>)
          return m.pair_machine(pair.positive, pair.negative, level);
        else
          throw InvalidInput("a model without a kernel, expected a kernel machine");
      },
      predictor());
}

double Model::pair_decision(ClassPair pair, std::span<const double> decisions) const {
  if (decisions.size() == 1) {
    const std::size_t first = fixed_pair() ? fixed_pair()->positive : pair.positive;
    return pair.positive == first ? decisions[0] : -decisions[0];
  }
  const auto place = std::visit(
      [&](const auto& m) -> std::optional<std::size_t> {
        if constexpr (requires { m.pair_index(0, 1); }) {
          if (!m.has_machine_per_class())
            return m.pair_index(std::min(pair.positive, pair.negative),
                                std::max(pair.positive, pair.negative));
        }
        return std::nullopt;
      },
      predictor());
  if (!place) return decisions[pair.positive] - decisions[pair.negative];
  return pair.positive < pair.negative ? decisions[*place] : -decisions[*place];
}

std::vector<Model> Model::against_rest() const {
  std::vector<Model> result;
  std::visit(
      [&](const auto& m) {
        if constexpr (requires { m.against_rest(); }) {
          for (auto& own : m.against_rest())
            result.push_back(Model(std::move(own), input()).with_background(background()));
        }
      },
      predictor());
  return result;
}

std::size_t Model::neighbors() const {
  return std::visit([](const auto& m) { return m.neighbors(); }, predictor());
}

const Distance& Model::distance() const { return distance_of(predictor()); }

const SharedMatrix& Model::shared_points() const {
  return std::visit([](const auto& m) -> const SharedMatrix& { return m.shared_points(); },
                    predictor());
}

void Model::prepare(unsigned threads) const {
  std::visit(
      [threads](const auto& m) {
        if constexpr (requires { m.prepare(threads); }) m.prepare(threads);
      },
      predictor());
}

ModelSummary Model::summary() const {
  return std::visit([](const auto& m) { return m.summary(); }, predictor());
}

PoolSizes Model::pool_sizes(ClassPair pair, double level) const {
  return std::visit(
      [&](const auto& m) { return m.pool_sizes(pair.positive, pair.negative, level); },
      predictor());
}

namespace {

Matrix pad_features(const Matrix& points, std::size_t features) {
  Matrix wide(points.rows(), features);
  for (std::size_t n = 0; n < points.rows(); ++n)
    std::ranges::copy(points.row(n), wide.row(n).begin());
  return wide;
}

/// The new points and the new distance in the fields that hold them; other fields stay.
struct ReplacePoints {
  const SharedMatrix& points;
  const Distance& distance;

  void operator()(SharedMatrix& value) const { value = points; }
  void operator()(Distance& value) const { value = distance; }
  void operator()(Kernel& value) const { value = Kernel(value.terms(), distance); }
  void operator()(NeighborVote& value) const { value.distance = distance; }
  template <detail::PlainField Other>
  void operator()(Other&) const {}
};

}  // namespace

Predictor with_points(const Predictor& predictor, const SharedMatrix& points,
                      const Distance& distance) {
  return std::visit(
      [&]<class M>(const M& model) -> Predictor {
        typename M::Data data = model.data();
        const ReplacePoints replace{points, distance};
        M::Data::fields([&](const Field&, auto member) { replace(data.*member); });
        return M(std::move(data));
      },
      predictor);
}

Model pad_features(const Model& model, std::size_t features, const Limits& limits) {
  if (!model.input().is_identity())
    throw InvalidInput("a model behind preprocessing cannot take more features");
  if (!model.feature_names().empty())
    throw InvalidInput("a model with feature names cannot take more features");
  if (!model.distance().categories().empty())
    throw InvalidInput("a model with categories cannot take more features");
  if (features < model.features())
    throw InvalidInput(
        fmt::format("a model of {} features cannot be padded to {}", model.features(), features));
  const Matrix& points = model.points();
  if (!limits.allow_table(points.values().size() * sizeof(double), points.rows(), features))
    throw InvalidInput(
        fmt::format("a model of {} points and {} features cannot be padded to {} features (limits "
                    "elements, expansion)",
                    points.rows(), points.cols(), features));
  // Zeros in the same columns change no distance between points, so the median distance stays.
  Model padded(with_points(model.predictor(), pad_features(points, features), model.distance()), {},
               {}, model.median_distance());
  if (model.measured()) padded = padded.with_measured(*model.measured());
  if (model.target()) padded = padded.with_target(*model.target());
  if (std::optional<Background> background = model.background()) {
    background->rows = pad_features(*background->rows, features);
    background->mean.resize(features, 0.0);
    padded = padded.with_background(std::move(background));
  }
  if (model.auto_check()) padded = padded.with_auto_check(*model.auto_check());
  if (!model.unit_scales().empty()) padded = padded.with_unit_scales(model.unit_scales());
  if (!model.training_rows().empty()) padded = padded.with_training_rows(model.training_rows());
  return padded;
}

}  // namespace bisector
