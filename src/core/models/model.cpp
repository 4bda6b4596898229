#include "bisector/model.h"

#include <fmt/format.h>

#include "bisector/error.h"
#include "core/models/checks.h"
#include "core/models/visit.h"

namespace bisector {

using namespace detail;

Model::Model(Predictor predictor, AffineMap input, std::vector<std::string> feature_names,
             std::optional<double> median_distance, std::optional<TableEncoding> encoding)
    : predictor_(std::move(predictor)),
      input_(std::move(input)),
      feature_names_(std::move(feature_names)),
      median_distance_(median_distance),
      encoding_(std::move(encoding)) {
  if (!input_.is_identity())
    require_equal(input_.outputs(), model_features(), "outputs of the preprocessing",
                  "features of the model");
  features_ = input_.inputs(model_features());
  if (encoding_) {
    if (feature_names_.empty()) feature_names_ = encoding_->features();
    if (feature_names_ != encoding_->features())
      throw InvalidModel("the feature names differ from those of the table encoding");
  }
  if (!feature_names_.empty())
    require_equal(feature_names_.size(), features_, "feature names", "features");
  require_distinct(feature_names_);
  if (median_distance_ && !(*median_distance_ > 0.0))
    throw InvalidModel(
        fmt::format("the median distance is {}, expected a number above 0", *median_distance_));
}

std::size_t Model::model_features() const {
  return std::visit([](const auto& predictor) { return predictor.features(); }, predictor_);
}

std::string Model::feature_name(std::size_t feature) const {
  return feature_names_.empty() ? fmt::format("x{}", feature + 1) : feature_names_[feature];
}

std::vector<std::string> Model::labels() const {
  return std::visit(Overloaded{[](const KernelRegressor&) { return std::vector<std::string>{}; },
                               [](const OneClassMachine&) {
                                 return std::vector<std::string>{"1", "-1"};
                               },
                               [](const auto& classifier) { return classifier.labels(); }},
                    predictor_);
}

std::optional<Model::ClassPair> Model::fixed_pair() const {
  const bool first_is_positive = std::holds_alternative<KernelClassifier>(predictor_) ||
                                 std::holds_alternative<OneClassMachine>(predictor_);
  if (labels().size() != 2) return std::nullopt;
  return first_is_positive ? ClassPair{0, 1} : ClassPair{1, 0};
}

const Matrix& Model::points() const {
  return std::visit(
      Overloaded{[](const KernelClassifier& m) -> const Matrix& { return m.points(); },
                 [](const KernelRegressor& m) -> const Matrix& { return m.machine.points(); },
                 [](const OneClassMachine& m) -> const Matrix& { return m.machine.points(); },
                 [](const NeighborModel& m) -> const Matrix& { return m.points(); },
                 [](const CentroidModel& m) -> const Matrix& { return m.centroids(); }},
      predictor_);
}

}  // namespace bisector
