#include "oracle/lemmas.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "bisector/explain.h"
#include "oracle/real.h"
#include "reference/in_g.h"
#include "reference/random_distances.h"

namespace bisector::oracle {
namespace {

using Long = long double;
using std::abs, std::exp, std::log, std::sqrt;

constexpr Long kUnit = 0x1p-53L, kAllowed = 1e-12L;
/// Below this many times its bound, f is computed in 2048 bits.
constexpr Long kClose = 1e3L;

int sign_of(Long value) { return value > 0.0L ? 1 : value < 0.0L ? -1 : 0; }
int sign_of(const Real& value) { return value.sign(); }
Long to_long(Long value) { return value; }
Long to_long(const Real& value) { return value.to_double(); }

Long power(Long x, double p) { return p == 2.0 ? x * x : std::pow(x, Long{p}); }
Real power(const Real& x, double p) {
  if (p == 2.0) return x * x;
  return x.sign() == 0 ? Real() : exp(Real(p) * log(x));
}

template <class Number>
Number distance_sum(const Distance& distance, std::span<const double> x,
                    std::span<const double> u) {
  Number sum{0.0}, x_norm{0.0}, u_norm{0.0};
  for (std::size_t d = 0; distance.is_cosine() && d < x.size(); ++d) {
    x_norm += Number{x[d]} * Number{x[d]};
    u_norm += Number{u[d]} * Number{u[d]};
  }
  for (std::size_t d = 0; d < x.size(); ++d) {
    const Number t = Number{u[d]} - Number{x[d]};
    if (distance.is_cosine())
      sum += Number{0.5} * power(Number{u[d]} / sqrt(u_norm) - Number{x[d]} / sqrt(x_norm), 2.0);
    else if (distance.is_category(d))
      sum += Number{u[d] != x[d] ? distance.categories()[d] : 0.0};
    else
      sum += distance.power() == 1.0 ? abs(t) : power(abs(t), distance.power());
  }
  return sum;
}

template <class Number>
Number length_of(const Distance& distance, const Number& sum) {
  return distance.power() == 1.0   ? sum
         : distance.power() == 2.0 ? sqrt(sum)
                                   : power(sum, 1.0 / distance.power());
}

template <class Number>
Number term_at(const KernelTerm& term, const Number& s) {
  const Number gamma{term.gamma}, one{1.0};
  if (term.form == KernelForm::exponential) return exp(Number{0.0} - gamma * s);
  if (term.form == KernelForm::power) return one / power(one + gamma * s, term.shape);
  const Number t = gamma * sqrt(s), e = exp(Number{0.0} - t);
  if (term.form == KernelForm::matern12) return e;
  if (term.form == KernelForm::matern32) return (one + t) * e;
  return (one + t + t * t / Number{3.0}) * e;
}

template <class Number>
Number kernel_at(const Kernel& kernel, const Number& s) {
  Number sum{0.0};
  for (const KernelTerm& term : kernel.terms()) sum += Number{term.weight} * term_at(term, s);
  return sum;
}

/// |phi'(s)|, by which the rounding of s moves phi.
Long slope_at(const Kernel& kernel, Long s) {
  Long sum = 0.0L;
  for (const auto& [form, gamma, shape, weight, offset] : kernel.terms()) {
    const Long t = gamma * std::sqrt(s), e = std::exp(-t), square = Long{gamma} * gamma;
    sum += weight * (form == KernelForm::exponential ? gamma * std::exp(-gamma * s)
                     : form == KernelForm::matern12  ? (s > 0.0L ? square * e / (2.0L * t) : 0.0L)
                     : form == KernelForm::matern32  ? square * e / 2.0L
                     : form == KernelForm::matern52
                         ? square * (1.0L + t) * e / 6.0L
                         : shape * gamma * std::pow(1.0L + gamma * s, -Long{shape} - 1.0L));
  }
  return sum;
}

template <class Number>
Number decision(const KernelMachine& machine, std::span<const double> x) {
  Number f{machine.intercept()};
  for (std::size_t n = 0; n < machine.points().rows(); ++n)
    f += Number{machine.coefficients()[n]} *
         kernel_at(machine.kernel(),
                   distance_sum<Number>(machine.kernel().distance(), x, machine.points().row(n)));
  return f;
}

/// f, and how far rounding may move it: each term's exponent by what the passes allow themselves
/// and what the rounding of |x|^2 + |u|^2 does to it.
std::pair<Long, Long> bounded_decision(const KernelMachine& machine, std::span<const double> x) {
  Long f = machine.intercept(), bound = kAllowed * std::abs(f);
  const Long steps = static_cast<Long>(x.size() + 8);
  for (std::size_t n = 0; n < machine.points().rows(); ++n) {
    const auto u = machine.points().row(n);
    Long size = 1.0L;
    for (std::size_t d = 0; d < x.size(); ++d) size += Long{x[d]} * x[d] + Long{u[d]} * u[d];
    const Long s = distance_sum<Long>(machine.kernel().distance(), x, u);
    const Long value = kernel_at(machine.kernel(), s), weight = machine.coefficients()[n];
    f += weight * value;
    bound += std::abs(weight) * steps *
             (kAllowed * value + kUnit * slope_at(machine.kernel(), s) * size);
  }
  return {f, bound};
}

/// f and its bound, with as many digits as it takes.
struct Verdict {
  int sign;
  bool is_decided, is_close;
};

template <class Exact>  // exact() returns f and its bound in 2048 bits
Verdict verdict_of(Long f, Long bound, const Exact& exact) {
  if (std::abs(f) > kClose * bound) return {sign_of(f), true, false};
  const std::pair<Real, Long> again = exact();
  return {sign_of(again.first), std::abs(to_long(again.first)) > again.second, true};
}

Verdict verdict_of(const KernelMachine& machine, std::span<const double> x) {
  const auto [f, bound] = bounded_decision(machine, x);
  return verdict_of(f, bound,
                    [&, most = bound] { return std::pair(decision<Real>(machine, x), most); });
}

/// The vote of a row: the sum of the weights times the points' values, and whether the neighborhood
/// is clear, that is, the same however rounding moves the distances.
template <class Number>
struct Vote {
  Number sum{0.0}, total{0.0};
  bool is_clear = true;
};

bool is_near(Long a, Long b) { return std::abs(a - b) <= kAllowed * (a + b + 1e-3L); }

template <class Number>
std::vector<std::pair<Number, std::size_t>> by_distance(const Distance& distance,
                                                        const Matrix& points,
                                                        std::span<const double> x) {
  std::vector<std::pair<Number, std::size_t>> order;
  for (std::size_t n = 0; n < points.rows(); ++n)
    order.emplace_back(distance_sum<Number>(distance, x, points.row(n)), n);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return order;
}

/// What a vote counts by its distance, and without a decay where it is infinite.
template <class Number>
Number weight_at(const NeighborVote& rules, const Number& sum) {
  const Number d = length_of(rules.distance, sum), one{1.0};
  const auto& [offset, raised, rate] = rules.decay;
  switch (rules.weights) {
    case NeighborVote::Weights::distance:
      return one / d;
    case NeighborVote::Weights::inverse:
      return one / power(Number{offset} + power(d, raised), rate);
    case NeighborVote::Weights::exponential:
      return exp(Number{0.0} - Number{rate} * power(d, raised));
    default:
      return one;
  }
}

template <class Number>
Vote<Number> vote_at(const reference::RandomVoters& voters, std::span<const double> point_values,
                     std::span<const double> x) {
  const NeighborVote& rules = voters.vote;
  const auto order = by_distance<Number>(rules.distance, voters.points, x);
  const auto distance_to = [&](std::size_t n) {
    return to_long(length_of(rules.distance, order[n].first));
  };
  std::size_t count = voters.k;
  Vote<Number> vote;
  if (rules.radius) {
    count = 0;
    while (count < order.size() && distance_to(count) <= *rules.radius) ++count;
    for (std::size_t n = 0; n < order.size(); ++n)
      vote.is_clear = vote.is_clear && !is_near(distance_to(n), *rules.radius);
  }
  if (count == 0) return {Number{0.0}, Number{0.0}, false};
  if (count < order.size())
    vote.is_clear =
        vote.is_clear && !is_near(to_long(order[count - 1].first), to_long(order[count].first));
  for (std::size_t n = 1; n < count && !rules.rank_weights.empty(); ++n)
    vote.is_clear = vote.is_clear && !is_near(to_long(order[n - 1].first), to_long(order[n].first));
  const bool by_inverse =
      rules.weights == NeighborVote::Weights::distance ||
      (rules.weights == NeighborVote::Weights::inverse && rules.decay.offset == 0.0);
  const Long nearest = to_long(order[0].first);
  // Where a point is at the row but for rounding, who votes alone is not clear.
  if (by_inverse && nearest > 0.0L && nearest < 1e-14L) vote.is_clear = false;
  const bool has_exact = by_inverse && nearest == 0.0L;
  for (std::size_t n = 0; n < count; ++n) {
    const auto& [s, point] = order[n];
    if (has_exact && to_long(s) > 0.0L) break;
    Number weight{!rules.rank_weights.empty()   ? rules.rank_weights[n]
                  : rules.point_weights.empty() ? 1.0
                                                : rules.point_weights[point]};
    if (!has_exact) weight = weight * weight_at(rules, s);
    vote.sum += weight * Number{point_values[point]};
    vote.total += weight * Number{std::abs(point_values[point])};
  }
  return vote;
}

/// The score of a detector; the reaches and densities of its points are computed once.
template <class Number>
class DetectorScore {
 public:
  explicit DetectorScore(const OutlierDetector& detector) : detector_(detector) {
    if (detector.score() != OutlierDetector::Score::local_outlier_factor) return;
    const std::size_t count = detector.points().rows();
    std::vector<Lengths> nearest;
    for (std::size_t n = 0; n < count; ++n) {
      Lengths own = lengths(detector.points().row(n));
      std::erase_if(own, [&](const auto& entry) { return entry.second == n; });
      are_clear_ = are_clear_ && is_clear(own);
      own.resize(detector.k());
      reaches_.push_back(own.back().first);
      nearest.push_back(std::move(own));
    }
    for (const Lengths& own : nearest) densities_.push_back(density(own));
  }

  /// Of local outlier factors: whether it is clear who the neighbors of the row and of the points
  /// are. Points at equal distances have different densities.
  bool is_clear_at(std::span<const double> x) const {
    return densities_.empty() || (are_clear_ && is_clear(lengths(x)));
  }

  Number operator()(std::span<const double> x) const {
    Lengths nearest = lengths(x);
    nearest.resize(detector_.k());
    if (detector_.score() == OutlierDetector::Score::kth_distance) return nearest.back().first;
    const Number k{static_cast<double>(detector_.k())};
    Number sum{0.0};
    const bool is_local = !densities_.empty();
    for (const auto& [distance, n] : nearest) sum += is_local ? densities_[n] : distance;
    return is_local ? sum / k / density(nearest) : sum / k;
  }

 private:
  using Lengths = std::vector<std::pair<Number, std::size_t>>;

  Lengths lengths(std::span<const double> x) const {
    Lengths order = by_distance<Number>(detector_.distance(), detector_.points(), x);
    for (auto& entry : order) entry.first = length_of(detector_.distance(), entry.first);
    return order;
  }
  bool is_clear(const Lengths& order) const {
    const std::size_t k = detector_.k();
    return k >= order.size() || !is_near(to_long(order[k - 1].first), to_long(order[k].first));
  }
  Number density(const Lengths& nearest) const {
    Number mean{0.0};
    for (const auto& [distance, n] : nearest)
      mean += (distance < reaches_[n] ? reaches_[n] : distance) /
              Number{static_cast<double>(detector_.k())};
    return Number{1.0} / (mean + Number{1e-10});
  }

  const OutlierDetector& detector_;
  std::vector<Number> reaches_, densities_;
  bool are_clear_ = true;
};

void add(LemmaCount& count, const Verdict& verdict, bool is_tie, double g) {
  ++count.rows;
  count.ties += is_tie;
  count.close += verdict.is_close;
  if (!verdict.is_decided || is_tie) return;
  ++count.decided;
  count.wrong += sign_of(Long{g}) != verdict.sign;
}

/// Explains the rows that have a neighbor: a radius may leave some alone.
void check_voters(const reference::RandomVoters& voters, const Explainer& explainer,
                  std::span<const double> point_values, LemmaCount& count) {
  std::vector<Verdict> verdicts;
  std::vector<double> kept;
  for (std::size_t r = 0; r < voters.rows.rows(); ++r) {
    const auto x = voters.rows.row(r);
    const auto vote = vote_at<Long>(voters, point_values, x);
    if (vote.total == 0.0L && !vote.is_clear) continue;
    const auto exact = [&] {
      const auto again = vote_at<Real>(voters, point_values, x);
      return std::pair(again.sum, kAllowed * to_long(again.total));
    };
    verdicts.push_back(vote.is_clear ? verdict_of(vote.sum, kAllowed * vote.total, exact)
                                     : Verdict{0, false, false});
    kept.insert(kept.end(), x.begin(), x.end());
  }
  ++count.models;
  if (verdicts.empty()) return;
  const Explanation e = explainer(Matrix(verdicts.size(), voters.rows.cols(), std::move(kept)));
  for (std::size_t r = 0; r < verdicts.size(); ++r) add(count, verdicts[r], e.tie[r], e.g[r]);
}

void check_regressor(std::uint64_t seed, std::size_t rows, LemmaCount& count) {
  const auto voters = reference::random_voters(seed, rows);
  const NeighborRegressor regressor = reference::random_neighbor_regressor(voters, seed);
  const Explainer explainer(Model(regressor), EtaRule{1.0}, in_g());
  std::vector<double> point_values;
  for (const double target : regressor.targets())
    point_values.push_back(target - *explainer.settings().level);
  check_voters(voters, explainer, point_values, count);
}

void check_classifier(std::uint64_t seed, std::size_t rows, LemmaCount& count) {
  const auto voters = reference::random_voters(seed, rows);
  const NeighborModel model = reference::random_weighted_neighbors(voters, 2);
  std::vector<double> point_values;
  for (const std::size_t c : model.classes()) point_values.push_back(c == 1 ? 1.0 : -1.0);
  check_voters(voters, Explainer(Model(model), EtaRule{1.0}, in_g()), point_values, count);
}

void check_detector(std::uint64_t seed, std::size_t rows, LemmaCount& count) {
  const auto voters = reference::random_voters(seed, rows);
  const OutlierDetector detector = reference::random_detector(voters, seed);
  const Explanation e = explain(Model(detector), voters.rows, EtaRule{1.0}, in_g());
  const DetectorScore<Long> score(detector);
  std::optional<DetectorScore<Real>> exact_score;
  ++count.models;
  for (std::size_t r = 0; r < voters.rows.rows(); ++r) {
    const auto x = voters.rows.row(r);
    // Of local outlier factors, which are ratios, and of the others alike.
    const Long bound = 1e3L * kAllowed * detector.threshold();
    const auto exact = [&] {
      if (!exact_score) exact_score.emplace(detector);
      return std::pair(Real(detector.threshold()) - (*exact_score)(x), bound);
    };
    const Verdict verdict = score.is_clear_at(x)
                                ? verdict_of(detector.threshold() - score(x), bound, exact)
                                : Verdict{0, false, false};
    add(count, verdict, e.tie[r], e.g[r]);
  }
}

}  // namespace

std::vector<LemmaCount> check_kernels(std::size_t models, std::size_t rows, std::uint64_t seed) {
  std::vector<LemmaCount> counts;
  for (std::size_t form = 0; form < 5; ++form)
    counts.push_back({std::string(name(static_cast<KernelForm>(form)))});
  counts.push_back({"sums of two"});
  for (std::size_t m = 0; m < models; ++m) {
    const auto [machine, data] = reference::random_kernel_machine(seed + m, rows);
    const auto& terms = machine.kernel().terms();
    LemmaCount& count = counts[terms.size() > 1 ? 5 : static_cast<std::size_t>(terms[0].form)];
    ++count.models;
    const Explanation e = explain(Model(KernelRegressor{machine, 0.0}), data, EtaRule{1.0}, in_g());
    for (std::size_t r = 0; r < data.rows(); ++r)
      add(count, verdict_of(machine, data.row(r)), e.tie[r], e.g[r]);
  }
  return counts;
}

std::vector<LemmaCount> check_votes(std::size_t models, std::size_t rows, std::uint64_t seed) {
  std::vector<LemmaCount> counts{{"two classes"},
                                 {"two classes, by a decay"},
                                 {"two classes, by ranks"},
                                 {"regressors at their mean"},
                                 {"regressors at their mean, by a decay"},
                                 {"regressors at their mean, by ranks"},
                                 {"detectors"}};
  for (std::size_t m = 0; m < models; ++m) {
    const NeighborVote vote = reference::random_voters(seed + m, 1).vote;
    const std::size_t kind = vote.has_decay() ? 1 : vote.rank_weights.empty() ? 0 : 2;
    check_classifier(seed + m, rows, counts[kind]);
    check_regressor(seed + m, rows, counts[3 + kind]);
    check_detector(seed + m, rows, counts[6]);
  }
  return counts;
}

}  // namespace bisector::oracle
