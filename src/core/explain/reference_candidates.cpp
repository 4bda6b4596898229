#include "core/explain/reference_candidates.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "bisector/random.h"
#include "core/explain/heuristics.h"
#include "core/models/rows.h"

namespace bisector::detail {

DrawnRows draw_rows(const Model& model, const std::optional<Matrix>& background, std::size_t limit,
                    std::uint64_t seed) {
  const Matrix& source = background ? *background : model.points();
  std::vector<std::size_t> order(source.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(seed).shuffle(std::span(order));
  order.resize(std::min(order.size(), limit));
  DrawnRows drawn;
  drawn.input_space = gather_rows(source, order);
  if (!background) drawn.input_space = back_through(model.input(), drawn.input_space);
  drawn.model_space =
      preprocessed(model.input(), drawn.input_space.view(), model.model_features()).copy();
  return drawn;
}

}  // namespace bisector::detail
