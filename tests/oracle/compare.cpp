#include "oracle/compare.h"

#include <algorithm>
#include <cmath>

#include "bisector/explain.h"
#include "reference/in_g.h"
#include "reference/nested_sums.h"

namespace bisector::oracle {
namespace {

// Where rounding the model's own numbers moves the relevance by more than this part of the row's
// largest, as with a gamma of 1e8 between two nearest points, no arithmetic of that width knows it.
constexpr std::array<double, 2> kSettled = {1e-6, 1e-2};
constexpr std::array<Arithmetic, 2> kArithmetic = {kDouble, kSingle};

int sign_of(double value) { return value > 0.0 ? 1 : value < 0.0 ? -1 : 0; }

bool is_finite(const Explanation& explanation, std::size_t row) {
  return std::isfinite(explanation.g[row]) &&
         std::ranges::all_of(explanation.relevance.row(row),
                             [](double value) { return std::isfinite(value); });
}

void compare_sign(const ExactRow& exact, const Case& given, std::size_t row, double g,
                  const Arithmetic& arithmetic, Comparison& comparison) {
  const bool is_right = sign_of(g) == exact.sign();
  if (!exact.exceeds_bound(arithmetic)) {
    comparison.unlucky += !is_right;
    return;
  }
  ++comparison.decided;
  comparison.wrong += !is_right;
  const KernelMachine& machine = given.machine;
  const double plain =
      reference::decision(machine.points(), machine.coefficients(), machine.gamma(),
                          machine.intercept(), given.rows.row(row));
  comparison.plain_wrong += sign_of(plain) != exact.sign();
}

void compare_relevance(const ExactRow::Relevance& exact, std::span<const double> relevance,
                       double determined, Comparison& comparison) {
  double largest = 0.0, bound = 0.0, error = 0.0;
  for (std::size_t d = 0; d < relevance.size(); ++d) {
    const double missed = abs(exact.values[d] - Real(relevance[d])).to_double();
    largest = std::max(largest, abs(exact.values[d]).to_double());
    bound = std::max(bound, exact.bound[d]);
    error = std::max(error, missed);
  }
  if (error > 0.0) comparison.largest_share = std::max(comparison.largest_share, error / bound);
  if (!(bound <= determined * largest)) return;
  ++comparison.determined;
  if (error > 0.0) comparison.largest_error = std::max(comparison.largest_error, error / largest);
}

}  // namespace

Comparisons compare(const Family& family, std::size_t models, std::uint64_t seed) {
  Comparisons comparisons;
  for (std::size_t m = 0; m < models; ++m) {
    const Case given = family.make(seed + m);
    const Model model(KernelClassifier::two_class(given.machine, "for", "against"));
    std::vector<ExactRow> exact;
    for (std::size_t r = 0; r < given.rows.rows(); ++r)
      exact.emplace_back(given.machine, given.rows.row(r));
    for (std::size_t a = 0; a < comparisons.size(); ++a) {
      ExplainOptions options = in_g();
      options.precision = a == 0 ? Precision::float64 : Precision::float32;
      const Explainer explainer(model, EtaRule{}, options);
      const Explanation explanation = explainer(given.rows.view());
      Comparison& comparison = comparisons[a];
      ++comparison.models;
      for (std::size_t r = 0; r < exact.size(); ++r) {
        ++comparison.rows;
        comparison.not_finite += !is_finite(explanation, r);
        compare_sign(exact[r], given, r, explanation.g[r], kArithmetic[a], comparison);
        compare_relevance(exact[r].relevance(*explainer.settings().eta,
                                             explainer.settings().reference, kArithmetic[a]),
                          explanation.relevance.row(r), kSettled[a], comparison);
      }
    }
  }
  return comparisons;
}

}  // namespace bisector::oracle
