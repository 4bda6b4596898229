#include "oracle/lemmas.h"

#include <algorithm>
#include <cmath>

#include "bisector/explain.h"
#include "reference/plain_votes.h"
#include "reference/random_distances.h"

namespace bisector::oracle {
namespace {

using Long = long double;

constexpr std::size_t kRows = 20;
constexpr Long kUnit = 0x1p-53L, kAllowed = 1e-12L;

int sign_of(Long value) { return value > 0.0L ? 1 : value < 0.0L ? -1 : 0; }

Long distance_sum(const Distance& distance, std::span<const double> x, std::span<const double> u) {
  Long sum = 0.0L, x_norm = 0.0L, u_norm = 0.0L;
  for (std::size_t d = 0; d < x.size(); ++d) {
    x_norm += Long{x[d]} * x[d];
    u_norm += Long{u[d]} * u[d];
  }
  for (std::size_t d = 0; d < x.size(); ++d) {
    const Long t = Long{u[d]} - x[d];
    if (distance.is_cosine())
      sum += 0.5L * std::pow(u[d] / std::sqrt(u_norm) - x[d] / std::sqrt(x_norm), 2.0L);
    else if (distance.is_category(d))
      sum += t != 0.0L ? distance.categories()[d] : 0.0;
    else
      sum += distance.power() == 2.0 ? t * t : std::pow(std::abs(t), Long{distance.power()});
  }
  return sum;
}

/// phi(s) and |phi'(s)|.
struct Value {
  Long value = 0.0L, slope = 0.0L;
};

Value kernel_at(const Kernel& kernel, Long s) {
  Value all;
  for (const auto& [form, gamma, shape, weight, offset] : kernel.terms()) {
    const Long t = gamma * std::sqrt(s), e = std::exp(-t);
    Value own;
    if (form == KernelForm::exponential)
      own = {std::exp(-gamma * s), gamma * std::exp(-gamma * s)};
    else if (form == KernelForm::matern12)
      own = {e, s > 0.0L ? gamma * e / (2.0L * std::sqrt(s)) : 0.0L};
    else if (form == KernelForm::matern32)
      own = {(1.0L + t) * e, gamma * gamma * e / 2.0L};
    else if (form == KernelForm::matern52)
      own = {(1.0L + t + t * t / 3.0L) * e, gamma * gamma * (1.0L + t) * e / 6.0L};
    else
      own = {std::pow(1.0L + gamma * s, -Long{shape}),
             shape * gamma * std::pow(1.0L + gamma * s, -Long{shape} - 1.0L)};
    all.value += weight * own.value;
    all.slope += weight * own.slope;
  }
  return all;
}

/// f, and how far rounding may move it: each term's exponent by what the passes allow themselves
/// and what the rounding of |x|^2 + |u|^2 does to it.
struct Judged {
  Long f, bound;
};

Judged judge(const KernelMachine& machine, std::span<const double> x) {
  Judged judged{machine.intercept(), kAllowed * std::abs(Long{machine.intercept()})};
  const Long steps = static_cast<Long>(x.size() + 8);
  for (std::size_t n = 0; n < machine.points().rows(); ++n) {
    const auto u = machine.points().row(n);
    Long size = 0.0L;
    for (std::size_t d = 0; d < x.size(); ++d) size += Long{x[d]} * x[d] + Long{u[d]} * u[d];
    const Value at = kernel_at(machine.kernel(), distance_sum(machine.kernel().distance(), x, u));
    const Long weight = machine.coefficients()[n];
    judged.f += weight * at.value;
    judged.bound +=
        std::abs(weight) * steps * (kAllowed * at.value + kUnit * at.slope * (size + 1.0L));
  }
  return judged;
}

/// The vote of a row, from distances in long double: the sum of the weights times the pulls, and
/// whether the neighbourhood is clear.
struct Vote {
  Long sum = 0.0L, total = 0.0L;
  bool is_clear = true;
};

Vote vote_at(const reference::RandomVoters& voters, std::span<const double> pulls,
             std::span<const double> x) {
  std::vector<std::pair<Long, std::size_t>> order;
  const Distance& distance = voters.vote.distance;
  for (std::size_t n = 0; n < voters.points.rows(); ++n)
    order.emplace_back(distance_sum(distance, x, voters.points.row(n)), n);
  std::sort(order.begin(), order.end());
  const auto length = [&](Long s) { return std::pow(s, 1.0L / Long{distance.power()}); };
  std::size_t count = voters.k;
  if (voters.vote.radius)
    count = static_cast<std::size_t>(std::ranges::count_if(
        order, [&](const auto& e) { return length(e.first) <= *voters.vote.radius; }));
  Vote vote;
  const auto is_near = [&](Long a, Long b) {
    return std::abs(a - b) <= kAllowed * (a + b + 1e-3L);
  };
  if (count == 0) return {0.0L, 0.0L, false};
  if (count < order.size()) vote.is_clear = !is_near(order[count - 1].first, order[count].first);
  const bool by_inverse = voters.vote.weights == NeighborVote::Weights::distance;
  // Where a point is at the row but for rounding, who votes alone is not clear.
  if (by_inverse && order[0].first > 0.0L && order[0].first < 1e-14L) vote.is_clear = false;
  const bool has_exact = by_inverse && order[0].first == 0.0L;
  for (std::size_t n = 0; n < count; ++n) {
    const auto [s, point] = order[n];
    if (has_exact && s > 0.0L) break;
    const Long own = voters.vote.point_weights.empty() ? 1.0 : voters.vote.point_weights[point];
    const Long weight = by_inverse && !has_exact ? own / length(s) : own;
    vote.sum += weight * pulls[point];
    vote.total += weight * std::abs(Long{pulls[point]});
  }
  if (voters.vote.radius) {
    for (const auto& [s, n] : order)
      vote.is_clear = vote.is_clear && !is_near(length(s), *voters.vote.radius);
  }
  return vote;
}

void add(LemmaCount& count, bool is_decided, bool is_tie, double g, Long f) {
  ++count.rows;
  count.ties += is_tie;
  if (!is_decided || is_tie) return;
  ++count.decided;
  count.wrong += sign_of(g) != sign_of(f);
}

/// Rows that have a neighbour, one after the other: a radius may leave some alone.
template <class Use>  // use(row, Vote)
void for_each_vote(const reference::RandomVoters& voters, std::span<const double> pulls,
                   const Use& use) {
  for (std::size_t r = 0; r < voters.rows.rows(); ++r) {
    const Vote vote = vote_at(voters, pulls, voters.rows.row(r));
    if (vote.total > 0.0L || vote.is_clear) use(r, vote);
  }
}

void check_regressor(std::uint64_t seed, LemmaCount& count) {
  const auto voters = reference::random_voters(seed, kRows);
  const NeighborRegressor regressor = reference::random_neighbor_regressor(voters, seed);
  const Explainer explainer(Model(regressor), EtaRule{1.0});
  std::vector<double> pulls;
  for (const double target : regressor.targets())
    pulls.push_back(target - *explainer.settings().level);
  ++count.models;
  for_each_vote(voters, pulls, [&](std::size_t r, const Vote& vote) {
    const Explanation e = explainer(voters.rows.view().rows(r, 1));
    add(count, vote.is_clear && std::abs(vote.sum) > kAllowed * vote.total, e.tie[0], e.g[0],
        vote.sum);
  });
}

void check_classifier(std::uint64_t seed, LemmaCount& count) {
  const auto voters = reference::random_voters(seed, kRows);
  const NeighborModel model = reference::random_weighted_neighbors(voters, 2);
  const Explainer explainer(Model(model), EtaRule{1.0});
  std::vector<double> pulls;
  for (const std::size_t c : model.classes()) pulls.push_back(c == 1 ? 1.0 : -1.0);
  ++count.models;
  for_each_vote(voters, pulls, [&](std::size_t r, const Vote& vote) {
    const Explanation e = explainer(voters.rows.view().rows(r, 1));
    add(count, vote.is_clear && std::abs(vote.sum) > kAllowed * vote.total, e.tie[0], e.g[0],
        vote.sum);
  });
}

void check_detector(std::uint64_t seed, LemmaCount& count) {
  const auto voters = reference::random_voters(seed, kRows);
  const OutlierDetector detector = reference::random_detector(voters, seed);
  const Explanation e = explain(Model(detector), voters.rows, EtaRule{1.0});
  ++count.models;
  // The reference computes the densities of all points anew for every row: a few rows of a model.
  const bool is_local = detector.score() == OutlierDetector::Score::local_outlier_factor;
  const std::size_t rows = is_local ? 2 : voters.rows.rows();
  for (std::size_t r = 0; r < rows; ++r) {
    const double inside =
        detector.threshold() - reference::outlier_score(detector, voters.rows.row(r));
    add(count, std::abs(inside) > 1e-9 * detector.threshold(), e.tie[r], e.g[r], inside);
  }
}

}  // namespace

std::vector<LemmaCount> check_kernels(std::size_t models, std::uint64_t seed) {
  std::vector<LemmaCount> counts;
  for (std::size_t form = 0; form < 5; ++form)
    counts.push_back({std::string(name(static_cast<KernelForm>(form)))});
  counts.push_back({"sums of two"});
  for (std::size_t m = 0; m < models; ++m) {
    const auto [machine, rows] = reference::random_kernel_machine(seed + m, kRows);
    const auto& terms = machine.kernel().terms();
    LemmaCount& count = counts[terms.size() > 1 ? 5 : static_cast<std::size_t>(terms[0].form)];
    ++count.models;
    const Explanation e = explain(Model(KernelRegressor{machine, 0.0}), rows, EtaRule{1.0});
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const Judged judged = judge(machine, rows.row(r));
      add(count, std::abs(judged.f) > judged.bound, e.tie[r], e.g[r], judged.f);
    }
  }
  return counts;
}

std::vector<LemmaCount> check_votes(std::size_t models, std::uint64_t seed) {
  std::vector<LemmaCount> counts{{"two classes"}, {"regressors at their mean"}, {"detectors"}};
  for (std::size_t m = 0; m < models; ++m) {
    check_classifier(seed + m, counts[0]);
    check_regressor(seed + m, counts[1]);
    check_detector(seed + m, counts[2]);
  }
  return counts;
}

}  // namespace bisector::oracle
