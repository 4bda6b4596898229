#include "core/models/votes.h"

#include <algorithm>

namespace bisector::detail {

std::vector<std::size_t> neighbor_votes(const linalg::GroupedNeighbors& nearest, std::size_t k) {
  // Merge the classes' sorted lists k times; the next neighbour is the smallest of their heads.
  std::vector<std::size_t> votes(nearest.size(), 0);
  for (std::size_t taken = 0; taken < k; ++taken) {
    std::size_t best = nearest.size();
    for (std::size_t c = 0; c < nearest.size(); ++c) {
      if (votes[c] == nearest[c].size()) continue;
      if (best == nearest.size() || nearest[c][votes[c]] < nearest[best][votes[best]]) best = c;
    }
    ++votes[best];
  }
  return votes;
}

namespace {

/// Points of a class by their distance against the k-th of all.
struct Standing {
  std::size_t nearer, equal;
};

std::vector<Standing> standings(const linalg::GroupedNeighbors& nearest, double kth) {
  std::vector<Standing> result;
  for (const auto& group : nearest) {
    Standing standing{0, 0};
    for (const linalg::Neighbor& neighbor : group) {
      if (neighbor.squared_distance < kth) ++standing.nearer;
      if (neighbor.squared_distance == kth) ++standing.equal;
    }
    result.push_back(standing);
  }
  return result;
}

}  // namespace

bool depends_on_order(const linalg::GroupedNeighbors& nearest, std::span<const std::size_t> votes,
                      std::size_t k) {
  double kth = 0.0;
  for (std::size_t c = 0; c < votes.size(); ++c)
    if (votes[c] > 0) kth = std::max(kth, nearest[c][votes[c] - 1].squared_distance);
  const std::vector<Standing> classes = standings(nearest, kth);
  std::size_t open = k, equal = 0;  // places for points of the k-th distance, and such points
  for (const Standing& standing : classes) {
    open -= standing.nearer;
    equal += standing.equal;
  }
  if (equal == open) return false;
  const std::size_t first = winner(votes);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (c == first) continue;
    // The best for c: its own points take the places, then others', and the winner's come last.
    const std::size_t own = std::min(classes[c].equal, open);
    const std::size_t others = equal - classes[c].equal - classes[first].equal;
    const std::size_t left = open - own;
    const std::size_t most = classes[c].nearer + own;
    const std::size_t least = classes[first].nearer + (left > others ? left - others : 0);
    if (most > least || (most == least && c < first)) return true;
  }
  return false;
}

std::vector<std::size_t> one_vs_one_votes(std::span<const double> decisions, std::size_t classes) {
  std::vector<std::size_t> votes(classes, 0);
  std::size_t pair = 0;
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b, ++pair) ++votes[decisions[pair] > 0.0 ? a : b];
  }
  return votes;
}

std::size_t winner(std::span<const std::size_t> votes) {
  return static_cast<std::size_t>(std::max_element(votes.begin(), votes.end()) - votes.begin());
}

}  // namespace bisector::detail
