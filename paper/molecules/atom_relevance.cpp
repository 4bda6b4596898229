#include "molecules/atom_relevance.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "bisector/error.h"

namespace bisector::molecules {

AtomRelevance atom_relevance(const DescribedMolecule& molecule, std::size_t atoms,
                             std::span<const double> relevance) {
  if (relevance.size() != molecule.origin.size())
    throw InvalidInput(fmt::format("relevance of {} features, expected {}", relevance.size(),
                                   molecule.origin.size()));
  AtomRelevance result;
  result.atoms.resize(atoms);
  for (std::size_t n = 0; n < relevance.size(); ++n) {
    const FeatureOrigin& origin = molecule.origin[n];
    if (origin.is_padding()) {
      result.padding += relevance[n];
      continue;
    }
    result.pairs.push_back({origin.first, origin.second, relevance[n]});
    result.atoms.at(origin.first) += 0.5 * relevance[n];
    result.atoms.at(origin.second) += 0.5 * relevance[n];
  }
  std::ranges::sort(result.pairs, [](const PairRelevance& a, const PairRelevance& b) {
    return std::tie(a.first, a.second) < std::tie(b.first, b.second);
  });
  return result;
}

}  // namespace bisector::molecules
