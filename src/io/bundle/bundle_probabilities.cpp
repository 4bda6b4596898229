#include "io/bundle/bundle_probabilities.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "bisector/error.h"

namespace bisector::io {
namespace {

std::vector<double> numbers(const nlohmann::json& value, const char* key,
                            const std::function<void(const std::string&)>& fail) {
  const auto is_number = [](const nlohmann::json& one) { return one.is_number(); };
  if (!value.is_object() || !value.contains(key) || !value[key].is_array() ||
      !std::ranges::all_of(value[key], is_number))
    fail("probabilities lacks the lists of numbers a and b");
  return value[key].get<std::vector<double>>();
}

}  // namespace

nlohmann::ordered_json probabilities_json(const SvmProbabilities& probabilities) {
  return {{"a", probabilities.a()}, {"b", probabilities.b()}};
}

SvmProbabilities parse_probabilities(const nlohmann::json& value, std::size_t classes,
                                     const std::function<void(const std::string&)>& fail) {
  std::vector<double> a = numbers(value, "a", fail), b = numbers(value, "b", fail);
  return SvmProbabilities(classes, std::move(a), std::move(b));
}

}  // namespace bisector::io
