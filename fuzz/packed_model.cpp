// The packed model of a report page, a row of numbers.
#include "report/page/packed_model.h"

#include <limits>
#include <vector>

#include "models.h"
#include "recipe.h"
#include "target.h"

namespace bisector::fuzz {

using namespace report;

namespace {

/// Counts and switches are small whole numbers, which random bytes rarely are. The layout's version
/// is not part of the recipe, so that a new layout does not make the corpus useless.
std::vector<double> packed_numbers(Recipe& recipe) {
  constexpr std::uint8_t kSmall = 160, kNan = 254;
  std::vector<double> numbers = {report::kPackedFormat};
  while (!recipe.is_empty()) {
    const std::uint8_t kind = recipe.byte();
    if (kind < kSmall)
      numbers.push_back(kind % 16);
    else if (kind < kNan)
      numbers.push_back(recipe.number());
    else if (kind == kNan)
      numbers.push_back(std::numeric_limits<double>::quiet_NaN());
    else
      numbers.push_back(std::numeric_limits<double>::infinity());
  }
  return numbers;
}

}  // namespace

FUZZ_TARGET(packed_model, bytes) {
  Recipe recipe(bytes);
  const std::vector<double> numbers = packed_numbers(recipe);
  const auto unpacked = attempt([&] { return report::unpack(numbers); });
  if (!unpacked || !is_small(unpacked->model)) return;
  const auto explainer =
      attempt([&] { return Explainer(unpacked->model, unpacked->method, unpacked->options); });
  if (!explainer) return;
  const auto copy = report::unpack(report::pack(unpacked->model, *explainer, unpacked->options));
  const Matrix rows = rows_for(unpacked->model);
  require_same(attempt([&] { return (*explainer)(rows); }),
               attempt([&] { return Explainer(copy.model, copy.method, copy.options)(rows); }));
}

}  // namespace bisector::fuzz
