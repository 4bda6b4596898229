#include "cli/writers/describe_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "bisector/error.h"

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

std::vector<std::string> shown_labels(const Model& model) {
  std::vector<std::string> labels = model.labels();
  if (!model.target() || !model.target()->above) return labels;
  const std::string column = model.target()->column.empty() ? "" : model.target()->column + ' ';
  for (std::string& label : labels)
    label = fmt::format("{}{} {:g}", column, label == "above" ? "above" : "at most",
                        *model.target()->above);
  return labels;
}

std::size_t class_of_option(const Model& model, const std::string& option,
                            const std::string& text) {
  const std::vector<std::string> own = model.labels(), shown = shown_labels(model);
  for (std::size_t c = 0; c < own.size(); ++c) {
    if (text == own[c] || text == shown[c]) return c;
  }
  throw InvalidInput(fmt::format("{}: the model has no class \"{}\", expected one of \"{}\"",
                                 option, text, fmt::join(shown, "\", \"")));
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
