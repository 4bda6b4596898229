#include "core/models/describe.h"

#include <fmt/format.h>

#include <algorithm>

#include "bisector/kernel_forms.h"

namespace bisector::detail {
namespace {

std::string weights_words(const NeighborVote& vote) {
  const auto& [offset, power, rate] = vote.decay;
  const std::string raised = power == 1.0 ? "distance" : fmt::format("distance^{:g}", power);
  switch (vote.weights) {
    case NeighborVote::Weights::uniform:
      return vote.rank_weights.empty() ? "" : "rank";
    case NeighborVote::Weights::distance:
      return "1 / distance";
    case NeighborVote::Weights::inverse: {
      const std::string base = offset == 0.0 ? raised : fmt::format("({:g} + {})", offset, raised);
      return rate == 1.0 ? "1 / " + base : fmt::format("1 / {}^{:g}", base, rate);
    }
    case NeighborVote::Weights::exponential:
      return fmt::format("exp(-{:g} {})", rate, raised);
  }
  return {};
}

}  // namespace

std::string describe(const Kernel& kernel) {
  std::string words;
  for (const KernelTerm& term : kernel.terms())
    words += (words.empty() ? "" : " + ") + with_kernel_form(term.form, [&](auto form) {
               return form.title(term, kernel.distance());
             });
  const std::string distance = describe(kernel.distance());
  return distance.empty() ? words : fmt::format("{} ({})", words, distance);
}

std::string describe(const Distance& distance) {
  if (distance.is_euclidean()) return "";
  if (distance.is_cosine()) return "cosine";
  const auto categories = static_cast<std::size_t>(
      std::ranges::count_if(distance.categories(), [](double weight) { return weight > 0.0; }));
  if (categories > 0 && categories == distance.categories().size()) return "Hamming";
  if (categories > 0)
    return fmt::format("Gower ({} categor{})", categories, categories == 1 ? "y" : "ies");
  return distance.power() == 1.0 ? "Manhattan"
                                 : fmt::format("Minkowski (p = {})", distance.power());
}

std::string describe(std::size_t k, const NeighborVote& vote) {
  std::string words = vote.radius ? fmt::format("neighbors within {}", *vote.radius)
                                  : fmt::format("{} nearest neighbors", k);
  if (const std::string weights = weights_words(vote); !weights.empty())
    words += ", weighted by " + weights;
  if (!vote.point_weights.empty()) words += ", with weights of their own";
  const std::string distance = describe(vote.distance);
  return distance.empty() ? words : fmt::format("{}, {} distance", words, distance);
}

}  // namespace bisector::detail
