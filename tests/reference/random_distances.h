// Seeded random models of every kernel, distance, vote and detector.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bisector/model.h"
#include "bisector/random.h"
#include "reference/random_models.h"

namespace bisector::reference {

/// Euclidean, Manhattan, Minkowski, cosine, Hamming and Gower in turn.
inline Distance random_distance(Random& random, std::size_t kind, std::size_t features) {
  switch (kind % 6) {
    case 1:
      return Distance::manhattan();
    case 2:
      return Distance(1.0 + 3.0 * random.uniform());
    case 3:
      return features > 1 ? Distance::cosine() : Distance();
    case 4:
      return Distance::hamming(features);
    case 5: {
      std::vector<double> categories(features, 0.0);
      for (double& weight : categories)
        weight = random.below(2) == 0 ? 0.0 : 0.5 + random.uniform();
      categories[0] = 1.0;
      return Distance(1.0, std::move(categories));
    }
    default:
      return {};
  }
}

inline KernelTerm random_term(Random& random, std::size_t form) {
  KernelTerm term;
  term.form = static_cast<KernelForm>(form % 5);
  term.gamma = log_uniform(random, -1.5, 1.0);
  if (term.form == KernelForm::power) term.shape = log_uniform(random, -0.5, 1.0);
  return term;
}

/// One term of each form in turn, and for every third a sum of two.
inline Kernel random_kernel(Random& random, std::uint64_t seed, Distance distance) {
  const KernelTerm first = random_term(random, seed);
  if (seed % 3 != 0) return Kernel(first, std::move(distance));
  std::vector<KernelTerm> terms{first, random_term(random, random.below(5))};
  terms[0].weight = 0.1 + 0.8 * random.uniform();
  terms[1].weight = 1.0 - terms[0].weight;
  return Kernel(std::move(terms), std::move(distance));
}

/// Coordinates of categories are small whole numbers, so that some are equal.
inline void make_categories(const Distance& distance, Matrix& rows) {
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < rows.cols(); ++d)
      if (distance.is_category(d)) rows(r, d) = std::round(rows(r, d));
  }
}

struct RandomKernelMachine {
  KernelMachine machine;
  Matrix rows;
};

/// With an intercept that is positive, negative or zero in turn.
inline RandomKernelMachine random_kernel_machine(std::uint64_t seed, const Distance& distance,
                                                 std::size_t features, std::size_t row_count) {
  Random random(seed);
  const std::size_t count = 2 + random.below(40);
  Matrix points = random_matrix(random, count, features);
  Matrix rows = random_matrix(random, row_count, features);
  make_categories(distance, points);
  make_categories(distance, rows);
  std::vector<double> coefficients;
  for (std::size_t n = 0; n < count; ++n) {
    const bool positive = n == 0 || (n > 1 && random.below(2) == 0);
    coefficients.push_back((positive ? 1.0 : -1.0) * log_uniform(random, -2, 2));
  }
  const double intercept =
      static_cast<double>(static_cast<int>(seed % 3) - 1) * log_uniform(random, -2, 1);
  const Kernel kernel = random_kernel(random, seed / 6, distance);
  return {KernelMachine(std::move(points), std::move(coefficients), kernel, intercept),
          std::move(rows)};
}

/// Of the distances in turn, one after the other.
inline RandomKernelMachine random_kernel_machine(std::uint64_t seed, std::size_t row_count = 3) {
  Random random(seed + 1000000);
  const std::size_t features = 1 + random.below(8);
  return random_kernel_machine(seed, random_distance(random, seed, features), features, row_count);
}

/// Votes: uniform, by distance or by a decay, of the nearest or within a radius, with weights of
/// points or without.
inline NeighborVote random_vote(Random& random, std::uint64_t seed, std::size_t features,
                                std::size_t points) {
  NeighborVote vote;
  vote.distance = random_distance(random, seed, features);
  if (seed % 2 == 1) vote.weights = NeighborVote::Weights::distance;
  if (seed % 5 == 0) vote.radius = vote.distance.is_cosine() ? 1.0 : 2.0 + random.uniform();
  if (seed % 7 == 0) {
    for (std::size_t n = 0; n < points; ++n)
      vote.point_weights.push_back(log_uniform(random, -1, 1));
  }
  if (seed % 11 == 3) {
    vote.weights = NeighborVote::Weights::inverse;
    vote.decay = {random.below(2) == 0 ? 0.0 : log_uniform(random, -2, 1),
                  0.5 + 2.5 * random.uniform(), 0.5 + 2.5 * random.uniform()};
  } else if (seed % 11 == 7) {
    vote.weights = NeighborVote::Weights::exponential;
    vote.decay = {0.0, 0.5 + 2.5 * random.uniform(), log_uniform(random, -1, 0.5)};
  }
  return vote;
}

struct RandomVoters {
  Matrix points, rows;
  std::size_t k;
  NeighborVote vote;
};

/// Every other has coordinates on a coarse grid, so that distances and exact matches tie.
inline RandomVoters random_voters(std::uint64_t seed, std::size_t row_count = 4) {
  Random random(seed);
  const std::size_t features = 1 + random.below(6), count = 8 + random.below(60);
  RandomVoters voters{random_matrix(random, count, features),
                      random_matrix(random, row_count, features), 1 + random.below(6),
                      random_vote(random, seed, features, count)};
  if (seed % 4 == 0) {
    for (Matrix* matrix : {&voters.points, &voters.rows}) {
      for (std::size_t r = 0; r < matrix->rows(); ++r)
        for (double& value : matrix->row(r)) value = std::round(value);
    }
  }
  for (Matrix* matrix : {&voters.points, &voters.rows}) {
    make_categories(voters.vote.distance, *matrix);
    for (std::size_t r = 0; voters.vote.distance.is_cosine() && r < matrix->rows(); ++r)
      (*matrix)(r, 0) += 0.25;  // a direction for every row
  }
  if (voters.vote.radius) voters.k = 1;
  if (seed % 13 == 2 && !voters.vote.radius) {
    const Distance distance = voters.vote.distance;
    voters.vote = {};
    voters.vote.distance = distance;
    for (std::size_t r = 0; r < voters.k; ++r)
      voters.vote.rank_weights.push_back(log_uniform(random, -1, 1));
  }
  return voters;
}

inline NeighborModel random_weighted_neighbors(const RandomVoters& voters, std::size_t classes) {
  std::vector<std::size_t> of;
  for (std::size_t n = 0; n < voters.points.rows(); ++n) of.push_back((n * 7 + n / 3) % classes);
  for (std::size_t c = 0; c < classes; ++c) of[c] = c;
  std::vector<std::string> labels;
  for (std::size_t c = 0; c < classes; ++c) labels.push_back("class " + std::to_string(c));
  return NeighborModel(voters.points, of, labels, voters.k, voters.vote);
}

inline NeighborRegressor random_neighbor_regressor(const RandomVoters& voters, std::uint64_t seed) {
  Random random(seed + 77);
  std::vector<double> targets;
  for (std::size_t n = 0; n < voters.points.rows(); ++n) targets.push_back(random.normal());
  return NeighborRegressor(voters.points, std::move(targets), voters.k, voters.vote);
}

inline OutlierDetector random_detector(const RandomVoters& voters, std::uint64_t seed) {
  const auto score = static_cast<OutlierDetector::Score>(seed % 3);
  const bool is_local = score == OutlierDetector::Score::local_outlier_factor;
  Random random(seed + 99);
  const double threshold = (is_local ? 0.7 : 0.3) + random.uniform();
  return OutlierDetector(voters.points, voters.k, score, threshold, voters.vote.distance);
}

}  // namespace bisector::reference
