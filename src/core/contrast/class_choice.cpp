#include "core/contrast/class_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "bisector/error.h"
#include "core/models/votes.h"

namespace bisector::detail {
namespace {

std::size_t class_index(const Model& model, const std::string& label) {
  const std::vector<std::string> labels = model.labels();
  const auto found = std::ranges::find(labels, label);
  if (found == labels.end())
    throw InvalidInput(fmt::format("the model has no class \"{}\", expected one of {}", label,
                                   fmt::join(labels, ", ")));
  return static_cast<std::size_t>(found - labels.begin());
}

}  // namespace

ClassChoice resolve_classes(const Model& model, const std::optional<std::string>& of_class,
                            const std::optional<std::string>& versus) {
  ClassChoice choice;
  if (of_class) choice.positive = class_index(model, *of_class);
  if (versus) choice.negative = class_index(model, *versus);
  if (choice.negative && !choice.positive && model.labels().size() > 2)
    throw InvalidInput("a class to contrast with, expected the class of interest with it");
  if (choice.positive && choice.positive == choice.negative)
    throw InvalidInput(
        fmt::format("class \"{}\" versus itself, expected two different classes", *versus));
  if (const auto fixed = model.fixed_pair()) {
    if (!choice.positive)
      choice.positive = choice.negative ? 1 - *choice.negative : fixed->positive;
    choice.negative = 1 - *choice.positive;
  }
  return choice;
}

Model::ClassPair choose_pair(const ClassChoice& choice, std::span<const double> scores) {
  const std::size_t positive = choice.positive.value_or(winner(scores));
  if (choice.negative) return {positive, *choice.negative};
  // A class other than `positive` even if sums of huge decision values are NaN.
  std::size_t rival = positive == 0 ? 1 : 0;
  for (std::size_t c = 0; c < scores.size(); ++c)
    if (c != positive && scores[c] > scores[rival]) rival = c;
  return {positive, rival};
}

}  // namespace bisector::detail
