#include "cli/writers/describe_model.h"

#include <fmt/format.h>

#include <algorithm>

namespace bisector::cli {
namespace {

std::size_t label_index(const std::vector<std::string>& labels, const std::string& label) {
  return static_cast<std::size_t>(std::ranges::find(labels, label) - labels.begin());
}

}  // namespace

std::optional<Pools> pools_of(const Model& model, const ExplainSettings& settings) {
  if (settings.positive.empty() || settings.negative.empty()) return std::nullopt;
  const auto labels = model.labels();  // regressors have none, and their pools ignore the pair
  const PoolSizes sizes = model.pool_sizes(
      {label_index(labels, settings.positive), label_index(labels, settings.negative)},
      settings.level.value_or(0.0));
  return Pools{{settings.positive, sizes.positive, sizes.intercept > 0.0},
               {settings.negative, sizes.negative, sizes.intercept < 0.0}};
}

std::string preprocessing_words(const Model& model) {
  const AffineMap& input = model.input();
  if (input.is_identity() && !model.encoding()) return "none";
  std::string words;
  if (model.encoding())
    words = fmt::format("{} columns of a table become {} features",
                        model.encoding()->columns().size(), model.features());
  if (!input.shift().empty())
    words += words.empty() ? "each feature is shifted and scaled" : ", shifted and scaled";
  if (input.has_matrix())
    words += fmt::format("{}a matrix maps {} features to {}{}", words.empty() ? "" : ", then ",
                         model.features(), model.model_features(),
                         input.offset().empty() ? "" : ", and an offset is added");
  return words;
}

}  // namespace bisector::cli
