#include "core/explain/adaptive_references.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "core/contrast/reference_rows.h"
#include "core/models/rows.h"

namespace bisector::detail {
namespace {

constexpr std::size_t kTop = 3;          // features whose order is to be certain
constexpr double kStandardErrors = 2.0;  // of the difference of two neighbors in the order

/// Copies a row of one explanation to another.
void copy_row(const Explanation& from, std::size_t source, Explanation& to, std::size_t target) {
  std::ranges::copy(from.relevance.row(source), to.relevance.row(target).begin());
  std::ranges::copy(from.standard_error.row(source), to.standard_error.row(target).begin());
  for (const auto column : {&Explanation::g, &Explanation::decision, &Explanation::value,
                            &Explanation::output, &Explanation::base, &Explanation::remainder,
                            &Explanation::stretch, &Explanation::correction}) {
    if (!(from.*column).empty()) (to.*column)[target] = (from.*column)[source];
  }
  for (const auto column :
       {&Explanation::prediction, &Explanation::positive, &Explanation::negative}) {
    if (!(from.*column).empty()) (to.*column)[target] = (from.*column)[source];
  }
  to.tie[target] = from.tie[source];
  to.outside[target] = from.outside[source];
}

/// Sums over the features of each player. The sum of the errors is an upper bound of the error of
/// the sum.
std::vector<double> by_player(std::span<const double> values,
                              const std::vector<std::size_t>& players) {
  if (players.empty()) return {values.begin(), values.end()};
  std::vector<double> sums(*std::ranges::max_element(players) + 1, 0.0);
  for (std::size_t d = 0; d < values.size(); ++d) sums[players[d]] += values[d];
  return sums;
}

}  // namespace

Method with_references(Method method, std::size_t count) {
  std::visit(
      [&](auto& own) {
        if constexpr (requires { own.references; }) own.references = count;
      },
      method);
  return method;
}

std::size_t needed_references(std::span<const double> values, std::span<const double> errors,
                              std::size_t count) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto size = [&](std::size_t d) { return std::abs(values[d]); };
  const auto last = order.begin() + static_cast<std::ptrdiff_t>(std::min(kTop + 1, order.size()));
  std::partial_sort(order.begin(), last, order.end(), [&](std::size_t a, std::size_t b) {
    return size(a) != size(b) ? size(a) > size(b) : a < b;
  });
  double most = 1.0;  // times as many references
  for (std::size_t k = 0; k + 1 < order.size() && k < kTop; ++k) {
    const double gap = size(order[k]) - size(order[k + 1]);
    const double error = kStandardErrors * std::hypot(errors[order[k]], errors[order[k + 1]]);
    if (!(error > gap)) continue;
    most = std::max(
        most, gap > 0.0 ? (error / gap) * (error / gap) : static_cast<double>(kMostReferences));
  }
  if (most == 1.0) return count;
  const double batches = std::ceil(most * static_cast<double>(count) / kReferenceBatch);
  return static_cast<std::size_t>(std::clamp(batches * kReferenceBatch,
                                             static_cast<double>(count + kReferenceBatch),
                                             static_cast<double>(kMostReferences)));
}

AdaptiveReferences::AdaptiveReferences(const Model& model, const Method& method,
                                       const ExplainOptions& options)
    : players_(options.players), most_(kMostReferences) {
  // Paths may start at a reference more than once, and exact Shapley values take different rows.
  if (std::holds_alternative<ExactShapley>(method))
    most_ = std::min({most_, kMaxReferenceCandidates,
                      options.background ? options.background->rows() : model.points().rows()});
}

std::size_t AdaptiveReferences::next(const Explanation& result, std::size_t row,
                                     std::size_t count) const {
  if (count >= most_ || result.standard_error.rows() == 0) return count;
  const std::size_t needed =
      needed_references(by_player(result.relevance.row(row), players_),
                        by_player(result.standard_error.row(row), players_), count);
  return std::min(needed, most_);
}

void AdaptiveReferences::refine(MatrixView<const double> rows, Explanation& result,
                                const Explain& explain) const {
  result.references.assign(rows.rows(), std::min(kReferenceBatch, most_));
  std::map<std::size_t, std::vector<std::size_t>> waiting;  // rows by their next number
  const auto place = [&](std::size_t r) {
    const std::size_t count = next(result, r, result.references[r]);
    if (count > result.references[r]) waiting[count].push_back(r);
  };
  for (std::size_t r = 0; r < rows.rows(); ++r) place(r);
  while (!waiting.empty()) {
    const auto [count, members] = *waiting.begin();
    waiting.erase(waiting.begin());
    const Explanation part = explain(gather_rows(rows, members), count);
    for (std::size_t m = 0; m < members.size(); ++m) {
      copy_row(part, m, result, members[m]);
      result.references[members[m]] = count;
      place(members[m]);
    }
  }
}

}  // namespace bisector::detail
