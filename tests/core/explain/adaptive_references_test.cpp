// references = auto: as many references as separate the top three features of a row.
#include "core/explain/adaptive_references.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "bisector/error.h"
#include "reference/plain_machines.h"

namespace bisector {
namespace {

using detail::needed_references;
using reference::normal_rows;
using reference::plain_machine;

constexpr std::size_t kFeatures = 6, kRows = 24;

struct Case {
  const char* name;
  Model model;
  Method method;
};

/// Kernel machines by both methods, and neighbors by the expected path rule.
std::vector<Case> cases() {
  const Matrix points = normal_rows(3, 60, kFeatures);
  std::vector<std::size_t> labels;
  for (std::size_t n = 0; n < points.rows(); ++n)
    labels.push_back(points(n, 0) + 0.5 * points(n, 1) > 0.0 ? 1 : 0);
  const KernelMachine machine = plain_machine(4, 60, kFeatures, 0.2);
  return {{"shapley-exact", Model(KernelRegressor(machine)),
           ExactShapley{.references = kAutoReferences}},
          {"lrp-expected", Model(KernelClassifier::two_class(machine, "a", "b")),
           ExpectedPathRule{.references = kAutoReferences}},
          {"neighbors", Model(NeighborModel(points, labels, {"a", "b"}, 7)),
           ExpectedPathRule{.references = kAutoReferences}}};
}

ExplainOptions options() {
  ExplainOptions result;
  result.background = normal_rows(5, 700, kFeatures);
  result.threads = 1;
  return result;
}

/// Whether each of the top three exceeds the next by two standard errors of the difference.
bool is_separated(std::span<const double> values, std::span<const double> errors) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, std::ranges::greater{},
                    [&](std::size_t d) { return std::abs(values[d]); });
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t a = order[k], b = order[k + 1];
    if (std::abs(values[a]) - std::abs(values[b]) < 2.0 * std::hypot(errors[a], errors[b]))
      return false;
  }
  return true;
}

TEST(AutoReferences, SeparateTheTopThreeOrReachTheLimit) {
  const Matrix rows = normal_rows(6, kRows, kFeatures);
  for (const Case& own : cases()) {
    const Explanation found = explain(own.model, rows, own.method, options());
    ASSERT_EQ(found.references.size(), kRows) << own.name;
    std::set<std::size_t> counts;
    for (std::size_t r = 0; r < kRows; ++r) {
      const std::size_t count = found.references[r];
      EXPECT_EQ(count % kReferenceBatch, 0u);
      EXPECT_LE(count, kMostReferences);
      EXPECT_TRUE(count == kMostReferences ||
                  is_separated(found.relevance.row(r), found.standard_error.row(r)))
          << own.name << ", row " << r;
      counts.insert(count);
    }
    EXPECT_GT(counts.size(), 2u) << own.name;
  }
}

TEST(AutoReferences, GiveTheResultOfTheirNumber) {
  const Matrix rows = normal_rows(6, kRows, kFeatures);
  for (const Case& own : cases()) {
    const Explanation found = explain(own.model, rows, own.method, options());
    for (std::size_t r = 0; r < kRows; ++r) {
      const Method fixed = detail::with_references(own.method, found.references[r]);
      const Explanation one = explain(own.model, rows.view().rows(r, 1), fixed, options());
      EXPECT_TRUE(std::ranges::equal(found.relevance.row(r), one.relevance.row(0))) << own.name;
      EXPECT_TRUE(std::ranges::equal(found.standard_error.row(r), one.standard_error.row(0)));
      EXPECT_EQ(found.base[r], one.base[0]);
      EXPECT_EQ(found.output[r], one.output[0]);
      EXPECT_EQ(found.remainder[r], one.remainder[0]);
      EXPECT_TRUE(one.references.empty());
    }
  }
}

TEST(AutoReferences, OfARowDependOnTheRowAlone) {
  const Matrix rows = normal_rows(6, kRows, kFeatures);
  for (const Case& own : cases()) {
    ExplainOptions threads = options();
    threads.threads = 3;
    const Explanation all = explain(own.model, rows, own.method, threads);
    const Explainer explainer(own.model, own.method, options());
    for (std::size_t r = 0; r < kRows; r += 5) {
      const Explanation one = explainer(rows.view().rows(r, 1));
      EXPECT_EQ(one.references[0], all.references[r]) << own.name;
      EXPECT_TRUE(std::ranges::equal(one.relevance.row(0), all.relevance.row(r))) << own.name;
    }
  }
}

// Groups are separated as groups, and few background rows are the limit of exact Shapley values.
TEST(AutoReferences, CountPlayersAndTheRowsThatThereAre) {
  const Case own = cases().front();
  const Matrix rows = normal_rows(6, kRows, kFeatures);
  ExplainOptions grouped = options();
  grouped.players = {0, 0, 0, 0, 0, 1};
  const Explanation of_groups = explain(own.model, rows, own.method, grouped);
  const Explanation of_features = explain(own.model, rows, own.method, options());
  const auto total = [](const Explanation& e) {
    return std::accumulate(e.references.begin(), e.references.end(), std::size_t{0});
  };
  EXPECT_LT(total(of_groups), total(of_features));

  ExplainOptions few = options();
  few.background = normal_rows(5, 40, kFeatures);
  for (const std::size_t count : explain(own.model, rows, own.method, few).references)
    EXPECT_TRUE(count == kReferenceBatch || count == 40u);
}

TEST(AutoReferences, NeededReferencesFollowTheStandardErrors) {
  const std::vector<double> values{4.0, -3.0, 2.0, 1.0, 0.5};
  const auto needed = [&](double error) {
    return needed_references(values, std::vector<double>(5, error), 30);
  };
  EXPECT_EQ(needed(0.0), 30u);
  EXPECT_EQ(needed(0.35), 30u);  // two standard errors of the difference are 0.99
  EXPECT_EQ(needed(0.36), 60u);  // at least one batch more
  EXPECT_EQ(needed(0.7), 120u);  // 3.92 times as many
  EXPECT_EQ(needed(10.0), kMostReferences);
  const std::vector<double> equal{1.0, 1.0}, sure{0.0, 0.0}, unsure{0.1, 0.1}, one{3.0};
  EXPECT_EQ(needed_references(equal, sure, 30), 30u);
  EXPECT_EQ(needed_references(equal, unsure, 30), kMostReferences);
  EXPECT_EQ(needed_references(one, std::vector<double>{5.0}, 30), 30u);
}

TEST(AutoReferences, AreAValueOfTheParameter) {
  const Method method = method_from_name("lrp-expected", {{"references", "auto"}});
  EXPECT_EQ(std::get<ExpectedPathRule>(method).references, kAutoReferences);
  EXPECT_EQ(parameters_of(method).at("references"), ParameterValue("auto"));
  EXPECT_EQ(std::get<ExactShapley>(method_from_name("shapley-exact", {{"references", "auto"}}))
                .references,
            kAutoReferences);
  const Case own = cases().front();
  const Explainer chosen(own.model, method_from_name("", {{"references", "auto"}}), options());
  EXPECT_EQ(chosen.settings().method, "shapley-exact");
  EXPECT_EQ(chosen.settings().parameters.at("references"), ParameterValue("auto"));
  EXPECT_THROW(method_from_name("lrp-expected", {{"references", "many"}}), InvalidInput);
  EXPECT_THROW(method_from_name("lrp-expected", {{"references", 0}}), InvalidInput);
  EXPECT_THROW(method_from_name("lrp-expected", {{"seed", "auto"}}), InvalidInput);
  const Matrix rows = normal_rows(6, 2, kFeatures);
  const Explainer classes(cases()[1].model, cases()[1].method, options());
  EXPECT_THROW(classes.all_classes(rows), InvalidInput);
}

}  // namespace
}  // namespace bisector
