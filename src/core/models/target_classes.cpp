#include "bisector/target_classes.h"

#include <algorithm>

#include "bisector/error.h"
#include "bisector/table_encoding.h"

namespace bisector {

TargetClasses::TargetClasses(const Model& model) : labels_(model.labels()), rule_(model.target()) {
  if (model.is_regressor()) throw InvalidInput("a regressor has no classes, expected a classifier");
  for (const std::string& label : labels_) numbers_.push_back(parse_number(label));
}

std::optional<std::size_t> TargetClasses::find(std::string_view label) const {
  const auto found = std::ranges::find(labels_, label);
  if (found != labels_.end()) return static_cast<std::size_t>(found - labels_.begin());
  const auto number = parse_number(label);
  const auto equal = number ? std::ranges::find(numbers_, number) : numbers_.end();
  if (equal == numbers_.end()) return std::nullopt;
  return static_cast<std::size_t>(equal - numbers_.begin());
}

std::optional<std::size_t> TargetClasses::operator()(std::string_view target) const {
  const std::string_view text = trimmed_cell(target);
  if (const auto own = find(text)) return own;
  if (!rule_) return std::nullopt;
  if (rule_->above) {
    const auto number = parse_number(text);
    if (!number) return std::nullopt;
    return find(*number > *rule_->above ? "above" : "not above");
  }
  // The model has two labels, and this is not the positive one: it is the other.
  if (rule_->positive) return 1 - find(*rule_->positive).value();
  return std::nullopt;
}

}  // namespace bisector
