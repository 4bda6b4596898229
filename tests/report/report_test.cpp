// What a report says of its rows, and the page that carries it.
#include "bisector/report/report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "bisector/error.h"
#include "bisector/interactions.h"
#include "bisector/random.h"
#include "reference/random_models.h"
#include "report/page/packed_numbers.h"

namespace bisector {

using namespace report;

namespace {

const char* const kEvil = "</script><img src=x onerror=alert(1)>";

Model machine_model(std::vector<std::string> names = {}) {
  Random random(11);
  std::vector<double> coefficients;
  for (std::size_t n = 0; n < 20; ++n) coefficients.push_back(n % 2 == 0 ? 1.0 : -1.0);
  const KernelMachine machine(reference::random_matrix(random, 20, 4), coefficients, Kernel(0.8),
                              0.1);
  return Model(KernelClassifier::two_class(machine, kEvil, "no"),
               AffineMap({1.0, 0.0, 0.0, 0.0}, {2.0, 1.0, 1.0, 1.0}), std::move(names));
}

Matrix some_rows(std::size_t count) {
  Random random(12);
  return reference::random_matrix(random, count, 4);
}

Report report_of(const Model& model, const Matrix& rows, ReportOptions options = {},
                 std::size_t chunk = 7, const ExplainOptions& explain = {},
                 const Method& method = Auto{}) {
  ReportBuilder builder(model, method, explain, std::move(options));
  for (std::size_t first = 0; first < rows.rows(); first += chunk)
    builder.add(rows.view().rows(first, std::min(chunk, rows.rows() - first)));
  return builder.finish();
}

TEST(Report, CarriesCellsAlongWithTheRowsThatAreShown) {
  const Matrix rows = some_rows(50);
  std::vector<std::vector<std::string>> cells(1);
  for (std::size_t r = 0; r < 50; ++r) cells[0].push_back("case " + std::to_string(r + 1));
  ReportOptions options;
  options.most_rows = 20;
  options.kept_names = {"case"};
  ReportBuilder builder(machine_model(), Auto{}, {}, options);
  EXPECT_THROW(builder.add(rows.view()), InvalidInput);
  builder.add(rows.view(), {}, {}, cells);
  const Report report = builder.finish();
  ASSERT_EQ(report.kept.at(0).size(), 20u);
  for (std::size_t r = 0; r < 20; ++r)
    EXPECT_EQ(report.kept[0][r], cells[0][report.row_numbers[r] - 1]);
}

TEST(Report, SummarizesAllRowsAndShowsASample) {
  const Model model = machine_model();
  const Matrix rows = some_rows(50);
  ReportOptions options;
  options.most_rows = 20;
  const Report report = report_of(model, rows, options);
  const Explanation all = explain(model, rows.view());
  ASSERT_EQ(report.total_rows, 50u);
  ASSERT_EQ(report.row_numbers.size(), 20u);
  EXPECT_TRUE(std::ranges::is_sorted(report.row_numbers));
  EXPECT_GT(report.row_numbers.back(), 20u);  // a sample, not the first ones
  for (std::size_t c = 0; c < 4; ++c) {
    double expected = 0.0;
    for (std::size_t r = 0; r < 50; ++r) expected += std::abs(all.relevance(r, c)) / 50.0;
    EXPECT_NEAR(report.summary[c].mean_absolute, expected, 1e-12);
  }
  for (std::size_t r = 0; r < 20; ++r) {
    const std::size_t number = report.row_numbers[r] - 1;
    EXPECT_EQ(report.explanation.g[r], all.g[number]);
    for (std::size_t c = 0; c < 4; ++c) {
      EXPECT_EQ(report.values(r, c), rows(number, c));
      EXPECT_EQ(report.explanation.relevance(r, c), all.relevance(number, c));
    }
  }
}

TEST(Report, IsTheSameHoweverTheRowsAreCut) {
  const Matrix rows = some_rows(60);
  ReportOptions options;
  options.most_rows = 25;
  EXPECT_EQ(report_json(report_of(machine_model(), rows, options, 1)),
            report_json(report_of(machine_model(), rows, options, 60)));
}

TEST(Report, BaseRelevanceAndRemainderAddUpToTheOutputInEveryUnit) {
  for (const Unit unit : {Unit::g, Unit::decision, Unit::share}) {
    ExplainOptions explain;
    explain.unit = unit;
    const Report report = report_of(machine_model(), some_rows(30), {}, 7, explain, EtaRule{});
    const Explanation& e = report.explanation;
    for (std::size_t r = 0; r < 30; ++r) {
      const auto parts = e.relevance.row(r);
      const double sum = std::accumulate(parts.begin(), parts.end(), e.base[r]) + e.remainder[r];
      EXPECT_NEAR(sum, e.output[r], 1e-9 * std::abs(e.output[r]));
    }
  }
}

TEST(Report, NamesItsUnitAndTheRuleThatWasTaken) {
  const Model svm = machine_model();
  EXPECT_EQ(unit_of(svm, Unit::g).name, "units of g");
  EXPECT_EQ(unit_of(svm, Unit::decision).output, "decision value");
  EXPECT_EQ(unit_of(svm, Unit::share).name, "% of the decision");
  const Model votes(NeighborModel(some_rows(6), {0, 1, 0, 1, 0, 1}, {"a", "b"}, 3));
  EXPECT_EQ(unit_of(votes, Unit::decision).name, "votes");
  const KernelMachine machine(some_rows(2), {1.0, -1.0}, Kernel(1.0), 0.0);
  EXPECT_EQ(unit_of(Model(KernelRegressor{machine, 0.5}), Unit::decision).name,
            "units of the target");

  ExplainOptions explain;
  explain.unit = Unit::decision;
  explain.background = some_rows(20);
  const auto json = nlohmann::json::parse(
      report_json(report_of(votes, some_rows(9), {}, 9, explain, Auto{View::data})));
  EXPECT_EQ(json["unit"]["kind"], "decision");
  EXPECT_EQ(json["unit"]["name"], "votes");
  EXPECT_EQ(json["settings"]["method"], "lrp-expected");
  EXPECT_EQ(json["settings"]["parameters"]["side"], "both");
  EXPECT_EQ(json["settings"]["parameters"]["neighborhood"], 0.5);
  EXPECT_FALSE(json["settings"]["reason"].get<std::string>().empty());
  EXPECT_EQ(json["hasBackground"], true);
}

TEST(Report, MarksRowsFarFromAllData) {
  Matrix rows = some_rows(5);
  for (double& value : rows.row(3)) value = 1e3;
  const auto json = nlohmann::json::parse(report_json(report_of(machine_model(), rows)));
  EXPECT_EQ(json["rows"]["outside"], nlohmann::json::array({3}));
}

TEST(Report, OfTheNeighborhoodRuleHasPointsAndOfABaselineThereIsNone) {
  const Report report = report_of(machine_model(), some_rows(5), {}, 5, {}, NeighborhoodRule{});
  EXPECT_EQ(report.evidence.size(), 5u);
  EXPECT_FALSE(report.packed_model.empty());
  EXPECT_THROW(ReportBuilder(machine_model(), Occlusion{}, {}, {}), InvalidInput);
}

TEST(Report, ABackgroundThatIsTooLargeForThePageIsNamed) {
  ExplainOptions explain;
  explain.background = some_rows(kMaxPackedNumbers / 4 + 1);
  const Report report = report_of(machine_model(), some_rows(3), {}, 3, explain);
  EXPECT_TRUE(report.packed_model.empty());
  EXPECT_NE(report.why_no_model.find("the model with its background is too large"),
            std::string::npos);
}

TEST(Report, EvidenceHasThePointsInTheDataUnits) {
  const Model model = machine_model();
  const Report report = report_of(model, some_rows(10));
  ASSERT_EQ(report.evidence.size(), 10u);
  ASSERT_FALSE(report.evidence_points.empty());
  for (std::size_t p = 0; p < report.evidence_points.size(); ++p) {
    std::vector<double> mapped(4);
    model.input().apply(report.evidence_values.row(p), mapped);
    for (std::size_t d = 0; d < 4; ++d)
      EXPECT_NEAR(mapped[d], model.points()(report.evidence_points[p], d), 1e-12);
  }
}

TEST(Report, TypicalRelevanceLeavesTheExtremeTenthsOut) {
  const Report report = report_of(machine_model(), some_rows(30));
  for (std::size_t c = 0; c < 4; ++c) {
    std::vector<double> sizes;
    for (std::size_t r = 0; r < 30; ++r)
      sizes.push_back(std::abs(report.explanation.relevance(r, c)));
    std::ranges::sort(sizes);
    const double expected = std::accumulate(sizes.begin() + 3, sizes.end() - 3, 0.0) / 24.0;
    EXPECT_NEAR(report.summary[c].typical, expected, 1e-12);
  }
}

TEST(Report, HoldsPredictionsAgainstTheTruth) {
  const Model model = machine_model();
  const Matrix rows = some_rows(12);
  const Explanation all = explain(model, rows.view());
  std::vector<std::string> targets;
  std::vector<std::vector<std::size_t>> confusion(3, std::vector<std::size_t>(3, 0));
  for (std::size_t r = 0; r < 12; ++r) {
    const std::size_t truth = r == 6 ? 2 : r % 2;
    targets.push_back(r == 5 ? "" : r == 6 ? "unknown" : model.labels()[truth]);
    if (r != 5) ++confusion[truth][all.prediction[r]];
  }
  ReportBuilder builder(model, Auto{}, {}, {});
  builder.add(rows.view().rows(0, 7), std::span(targets).first(7));
  builder.add(rows.view().rows(7, 5), std::span(targets).subspan(7));
  EXPECT_THROW(builder.add(rows.view(), std::span(targets).first(3)), InvalidInput);
  const Report report = builder.finish();
  ASSERT_TRUE(report.quality);
  EXPECT_EQ(report.quality->rows, 11u);
  EXPECT_EQ(report.quality->classes->confusion, confusion);
  EXPECT_EQ(report.quality->classes->confusion,
            score(model, predict(model, rows.view()), targets).classes->confusion);
  EXPECT_EQ(report.labels.back(), "unknown");
  EXPECT_EQ(report.truth[3], 1.0);
  EXPECT_TRUE(std::isnan(report.truth[5]));
  EXPECT_EQ(report.truth[6], 2.0);
  EXPECT_FALSE(report_of(model, rows).quality);
}

TEST(Report, OfItsTrainingTableAllRowsAreTrainingRows) {
  const Model model = machine_model();
  const std::vector<std::string> targets(12, model.labels()[0]);
  const auto own_points = [&](std::optional<std::size_t> training_rows) {
    ReportOptions options;
    options.training_rows = training_rows;
    ReportBuilder builder(model, Auto{}, {}, options);
    builder.add(some_rows(12).view(), targets);
    return builder.finish().own_points;
  };
  EXPECT_EQ(own_points(12), 12u);
  EXPECT_EQ(own_points(13), 0u);  // another table of the same name
  EXPECT_EQ(own_points(std::nullopt), 0u);
}

TEST(Report, TargetsOfWhichTheModelKnowsNoneSayNothingOfIt) {
  const std::vector<std::string> targets(5, "unknown");
  ReportBuilder builder(machine_model(), Auto{}, {}, {});
  builder.add(some_rows(5).view(), targets);
  const Report report = builder.finish();
  EXPECT_FALSE(report.quality);
  EXPECT_EQ(report.labels.size(), 2u);
}

TEST(Report, ShowsTheRowsThatAreAskedForByTheirNumbersInTheFile) {
  const Matrix rows = some_rows(6);
  const std::vector<std::size_t> numbers{2, 3, 5, 8, 9, 12};
  ReportOptions options;
  options.row_numbers = {3, 4, 9};  // the fourth is not among them
  ReportBuilder builder(machine_model(), Auto{}, {}, options);
  EXPECT_THROW(builder.add(rows.view(), {}, std::span(numbers).first(2)), InvalidInput);
  builder.add(rows.view(), {}, numbers);
  const Report report = builder.finish();
  EXPECT_EQ(report.row_numbers, (std::vector<std::size_t>{3, 9}));
  EXPECT_EQ(report.values(1, 0), rows(4, 0));
  EXPECT_EQ(report.total_rows, 6u);
}

TEST(Report, CountsARegressorsErrors) {
  const KernelMachine machine(some_rows(3), {1.0, -1.0, 0.5}, Kernel(1.0), 0.2);
  const Model model(KernelRegressor{machine, 0.5});
  const Matrix rows = some_rows(9);
  const std::vector<double> predicted = explain(model, rows.view()).value;
  std::vector<std::string> targets;
  double absolute = 0.0, squared = 0.0;
  for (std::size_t r = 0; r < 9; ++r) {
    const double truth = static_cast<double>(r) / 4.0;
    targets.push_back(std::to_string(truth));
    absolute += std::abs(predicted[r] - truth) / 9.0;
    squared += (predicted[r] - truth) * (predicted[r] - truth);
  }
  ReportBuilder builder(model, Auto{}, {}, {});
  builder.add(rows.view(), targets);
  targets[4] = "much";
  EXPECT_THROW(builder.add(rows.view(), targets), InvalidRow);
  const Report report = builder.finish();
  ASSERT_TRUE(report.quality && report.quality->numbers->r_squared);
  // The refused rows were counted up to the one that was refused.
  EXPECT_GE(report.quality->rows, 9u);
  ReportBuilder again(model, Auto{}, {}, {});
  targets[4] = "1.0";
  again.add(rows.view(), targets);
  const NumberScore quality = again.finish().quality.value().numbers.value();
  EXPECT_NEAR(quality.mean_absolute_error, absolute, 1e-12);
  EXPECT_NEAR(quality.root_mean_squared_error, std::sqrt(squared / 9.0), 1e-12);
  // 0, 1/4, ..., 2 have the mean 1 and the sum of squares 60/16 around it.
  EXPECT_NEAR(*quality.r_squared, 1.0 - squared / 3.75, 1e-12);
}

TEST(Report, CallsClassesAndUnitByTheirNames) {
  ReportOptions options;
  options.names = {{"no", "healthy"}};
  options.unit_name = "points";
  options.pools = {{"no", 3, false}};
  ExplainOptions explain;
  explain.unit = Unit::decision;
  const Report report = report_of(machine_model(), some_rows(5), options, 5, explain);
  EXPECT_EQ(report.labels, (std::vector<std::string>{kEvil, "healthy"}));
  EXPECT_EQ(report.settings.negative, "healthy");
  EXPECT_EQ(report.options.pools[0].name, "healthy");
  EXPECT_EQ(report.unit.name, "points");
  options.names = {{"perhaps", "?"}};
  EXPECT_THROW(ReportBuilder(machine_model(), Auto{}, {}, options), InvalidInput);
  const Model one(OneClassMachine{KernelMachine(some_rows(3), {1.0, 1.0, 1.0}, Kernel(1.0), -0.5)});
  EXPECT_EQ(report_of(one, some_rows(4)).labels[0], "inside the usual range");
}

TEST(Report, WithoutTheModelNoPointLeavesIt) {
  ReportOptions options;
  options.has_model = false;
  const Report report = report_of(machine_model(), some_rows(10), options);
  EXPECT_TRUE(report.packed_model.empty());
  EXPECT_TRUE(report.evidence.empty());
  EXPECT_TRUE(report.evidence_points.empty());
}

/// Six inputs of a network for each row, and for each of the model's 20 points.
NetworkInputs network_of(std::size_t rows) {
  Random random(13);
  NetworkInputs network{"SmallNet", "lrp-expected", {}, {}, {}, {}, {}, {}, {}, {}};
  for (int n = 0; n < 6; ++n) network.names.push_back("pixel " + std::to_string(n));
  for (Matrix* const matrix : {&network.values, &network.relevance, &network.standard_error})
    *matrix = reference::random_matrix(random, rows, 6);
  network.points = reference::random_matrix(random, 20, 6);
  for (auto* const total : {&network.output, &network.base, &network.remainder})
    *total = reference::random_matrix(random, rows, 1).values();
  return network;
}

TEST(Report, OfEmbeddingsShowsTheInputsOfTheNetwork) {
  const Matrix rows = some_rows(50);
  const auto network = std::make_shared<const NetworkInputs>(network_of(50));
  ReportOptions options;
  options.most_rows = 20;
  options.image = ImageShape{2, 3};
  options.network = network;
  const Report report = report_of(machine_model(), rows, options);
  const Report plain = report_of(machine_model(), rows, {});
  ASSERT_EQ(report.columns.size(), 6u);
  EXPECT_EQ(report.columns[5].name, "pixel 5");
  EXPECT_EQ(report.settings.method, "lrp-expected");
  EXPECT_FALSE(report.pairs);
  EXPECT_TRUE(report.packed_model.empty());
  EXPECT_NE(report.why_no_model.find("through a network"), std::string::npos);
  const Explanation& shown = report.explanation;
  for (std::size_t r = 0; r < 20; ++r) {
    const std::size_t number = report.row_numbers[r], row = number - 1;
    EXPECT_EQ(shown.output[r], network->output[row]);
    EXPECT_EQ(shown.base[r], network->base[row]);
    EXPECT_EQ(shown.remainder[r], network->remainder[row]);
    EXPECT_EQ(shown.prediction[r], plain.explanation.prediction[row]);
    for (std::size_t c = 0; c < 6; ++c) {
      EXPECT_EQ(report.values(r, c), network->values(row, c));
      EXPECT_EQ(shown.relevance(r, c), network->relevance(row, c));
      EXPECT_EQ(shown.standard_error(r, c), network->standard_error(row, c));
    }
  }
  ASSERT_FALSE(report.evidence_points.empty());
  for (std::size_t n = 0; n < report.evidence_points.size(); ++n)
    EXPECT_EQ(report.evidence_values(n, 3), network->points(report.evidence_points[n], 3));
  EXPECT_NE(report_json(report).find("\"network\":\"SmallNet\""), std::string::npos);
}

TEST(Report, OfEmbeddingsRefusesArraysOfOtherSizes) {
  const auto made = [](auto&& change, ReportOptions options = {}) {
    NetworkInputs network = network_of(10);
    change(network);
    options.network = std::make_shared<const NetworkInputs>(std::move(network));
    return report_of(machine_model(), some_rows(10), options);
  };
  EXPECT_TRUE(made([](NetworkInputs& own) { own.points = {}; }).evidence.empty());
  EXPECT_EQ(
      made([](NetworkInputs& own) { own.standard_error = {}; }).explanation.standard_error.rows(),
      0u);
  EXPECT_THROW(made([](NetworkInputs& own) { own.names.pop_back(); }), InvalidInput);
  EXPECT_THROW(made([](NetworkInputs& own) { own.base.pop_back(); }), InvalidInput);
  EXPECT_THROW(made([](NetworkInputs& own) { own.points = Matrix(3, 6); }), InvalidInput);
  EXPECT_THROW(made([](NetworkInputs& own) { own = network_of(9); }), InvalidInput);
  ReportOptions grouped;
  grouped.groups = {{"both", {0, 1}}};
  EXPECT_THROW(made([](NetworkInputs&) {}, grouped), InvalidInput);
}

TEST(Report, OneHotColumnsAreOneColumn) {
  const TableEncoding encoding(
      {{.name = "size"},
       {.name = "color", .kind = ColumnEncoding::Kind::one_hot, .levels = {"red", "green"}}});
  const KernelMachine machine(Matrix(2, 3, {0, 1, 0, 1, 0, 1}), {1.0, -1.0}, Kernel(1.0), 0.0);
  const Model model(KernelClassifier::two_class(machine, "a", "b"), {}, encoding.features(), {},
                    encoding);
  const Matrix rows(2, 3, {0.5, 0, 1, 0.1, 1, 0});
  const Report report = report_of(model, rows);
  ASSERT_EQ(report.columns.size(), 2u);
  EXPECT_EQ(report.columns[1].name, "color");
  EXPECT_EQ(report.values(0, 1), 1.0);  // green
  EXPECT_EQ(report.values(1, 1), 0.0);
  const Explanation all = explain(model, rows.view());
  EXPECT_NEAR(report.explanation.relevance(0, 1), all.relevance(0, 1) + all.relevance(0, 2), 1e-15);
}

/// Columns 1 and 3 together; 0 and 2 alone.
ReportOptions grouped_options() {
  ReportOptions options;
  options.groups = {{"pair", {1, 3}}};
  return options;
}

TEST(Report, AGroupHasTheSumOfItsColumns) {
  const Matrix rows = some_rows(30);
  const Report report = report_of(machine_model(), rows, grouped_options(), 7, {}, PathRule{});
  ASSERT_EQ(report.columns.size(), 5u);
  EXPECT_EQ(report.columns[4].members, (std::vector<std::size_t>{1, 3}));
  const Explanation single = explain(machine_model(), rows.view(), PathRule{});
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const auto shown = report.explanation.relevance.row(r);
    EXPECT_NEAR(shown[4], single.relevance(r, 1) + single.relevance(r, 3), 1e-12);
    EXPECT_EQ(shown[1], 0.0);
    EXPECT_EQ(shown[3], 0.0);
    EXPECT_NEAR(std::accumulate(shown.begin(), shown.end(), 0.0) + report.explanation.base[r] +
                    report.explanation.remainder[r],
                report.explanation.output[r], 1e-9);
  }
  std::vector<std::size_t> order = report.by_importance;
  std::ranges::sort(order);
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 2, 4}));
}

TEST(Report, AGroupIsAPlayerOfExactShapleyValues) {
  const Matrix rows = some_rows(12);
  const ExactShapley method{.references = 9};
  const Report report = report_of(machine_model(), rows, grouped_options(), 12, {}, method);
  ExplainOptions players;
  players.players = {0, 1, 2, 1};
  const Explanation expected = explain(machine_model(), rows.view(), method, players);
  for (std::size_t r = 0; r < rows.rows(); ++r)
    EXPECT_NEAR(report.explanation.relevance(r, 4),
                expected.relevance(r, 1) + expected.relevance(r, 3), 1e-12);
}

TEST(Report, RefusesGroupsThatOverlapOrHaveTheNameOfAColumn) {
  const Model model = machine_model({"a", "b", "c", "d"});
  const auto made = [&](std::vector<ReportGroup> groups) {
    ReportOptions options;
    options.groups = std::move(groups);
    ReportBuilder(model, Auto{}, {}, std::move(options));
  };
  EXPECT_NO_THROW(made({{"x", {0, 1}}, {"y", {2}}}));
  EXPECT_THROW(made({{"x", {0, 1}}, {"y", {1}}}), InvalidInput);
  EXPECT_THROW(made({{"x", {4}}}), InvalidInput);
  EXPECT_THROW(made({{"x", {}}}), InvalidInput);
  EXPECT_THROW(made({{"d", {0, 1}}}), InvalidInput);
}

TEST(Report, RefusesAnImageOfAnotherSizeAndNoRows) {
  ReportOptions options;
  options.image = ImageShape{3, 3};
  EXPECT_THROW(ReportBuilder(machine_model(), Auto{}, {}, options), InvalidInput);
  EXPECT_THROW(ReportBuilder(machine_model(), Auto{}, {}, {}).finish(), InvalidInput);
}

// The means are those of the interactions of the rows themselves.
TEST(ReportPairs, AreMeansOverTheShownRows) {
  const Model model = machine_model({"a", "b", "c", "d"});
  const Matrix rows = some_rows(30);
  const auto json = nlohmann::json::parse(report_json(report_of(model, rows)));
  const auto& pairs = json["interactions"];
  EXPECT_EQ(pairs["rows"], 30u);
  EXPECT_EQ(pairs["exact"], true);
  EXPECT_EQ(pairs["unit"], "units of the decision value");
  EXPECT_EQ(pairs["columns"], json["order"]);
  const InteractionExplainer interactions(model, {}, interactions_of(PathRule{}));
  Matrix expected(4, 4);
  for (std::size_t r = 0; r < 30; ++r) {
    const Matrix own = interactions(rows.row(r));
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = 0; b < 4; ++b)
        expected(a, b) += std::abs(own(a, b)) * (a == b ? 1.0 : 2.0) / 30.0;
  }
  for (std::size_t a = 0; a < 4; ++a) {
    const std::size_t column = pairs["columns"][a];
    EXPECT_EQ(pairs["features"][a], model.feature_name(column));
    for (std::size_t b = 0; b < 4; ++b)
      EXPECT_NEAR(pairs["mean_abs"][a][b].get<double>(), expected(column, pairs["columns"][b]),
                  1e-12);
  }
  ASSERT_EQ(pairs["strongest"].size(), 6u);
  for (std::size_t n = 0; n < 6; ++n) {
    const auto& pair = pairs["strongest"][n];
    EXPECT_LT(pair["a"], pair["b"]);
    EXPECT_EQ(pair["mean_abs"],
              pairs["mean_abs"][pair["a"].get<std::size_t>()][pair["b"].get<std::size_t>()]);
    EXPECT_LE(pair["mean_abs"], pairs["strongest"][n == 0 ? 0 : n - 1]["mean_abs"]);
  }
}

TEST(ReportPairs, HaveTheLevelsOfAColumnAsOnePlayer) {
  const TableEncoding encoding(
      {{.name = "size"},
       {.name = "color", .kind = ColumnEncoding::Kind::one_hot, .levels = {"red", "green"}}});
  const KernelMachine machine(Matrix(2, 3, {0.5, 0, 1, 0.1, 1, 0}), {1.0, -1.0}, Kernel(1.0), 0.0);
  const Model model(KernelRegressor{machine, 0.5}, {}, encoding.features(), {}, encoding);
  const Report report = report_of(model, Matrix(2, 3, {0.4, 0, 1, 0.2, 1, 0}));
  ASSERT_TRUE(report.pairs);
  EXPECT_EQ(report.pairs->mean_absolute.rows(), 2u);
  EXPECT_GT(report.pairs->mean_absolute(0, 1), 0.0);
}

// Without the option a report has them only if they are exact and few; with it, a model that has
// none is an error before the work.
TEST(ReportPairs, OfOtherModelsAreThereIfAskedFor) {
  const auto regressor = [](const Kernel& kernel, std::size_t features) {
    Random random(4);
    return Model(KernelRegressor{
        KernelMachine(reference::random_matrix(random, 2, features), {1.0, -1.0}, kernel, 0.0),
        0.5});
  };
  Random random(5);
  const Matrix wide = reference::random_matrix(random, 3, 41);
  EXPECT_FALSE(report_of(regressor(Kernel(0.1), 41), wide).pairs);
  ReportOptions asked;
  asked.interactions = true;
  const Report many = report_of(regressor(Kernel(0.1), 41), wide, asked);
  ASSERT_TRUE(many.pairs);
  EXPECT_EQ(many.pairs->columns.size(), 40u);

  const Model smooth = regressor(Kernel(KernelTerm{KernelForm::matern52, 0.5}), 4);
  EXPECT_FALSE(report_of(smooth, some_rows(3)).pairs);
  const Report in_g = report_of(smooth, some_rows(3), asked);
  ASSERT_TRUE(in_g.pairs);
  EXPECT_FALSE(in_g.pairs->is_exact);
  EXPECT_EQ(in_g.pairs->unit.name, "units of g");

  const Model votes(NeighborModel(some_rows(6), {0, 1, 0, 1, 0, 1}, {"a", "b"}, 3));
  EXPECT_FALSE(report_of(votes, some_rows(3)).pairs);
  EXPECT_THROW(ReportBuilder(votes, Auto{}, {}, asked), InvalidInput);
}

TEST(Page, HoldsNothingThatCouldEndItsScripts) {
  ReportOptions options;
  options.words.title = kEvil;
  const Report report =
      report_of(machine_model({kEvil, "<!--", "b\xff", "&amp;"}), some_rows(5), options);
  const std::string json = report_json(report);
  EXPECT_EQ(json.find_first_of("<>&"), std::string::npos);
  const auto read = nlohmann::json::parse(json);
  EXPECT_EQ(read["columns"][0]["name"], kEvil);
  EXPECT_EQ(read["labels"][0], kEvil);

  std::ostringstream out;
  write_page(out, report, {"<p <!--wasm-->><!--title--> <!--data--> <!--engine-->end", "ENGINE"});
  EXPECT_EQ(out.str().find(kEvil), std::string::npos);
  EXPECT_NE(out.str().find("'wasm-unsafe-eval'"), std::string::npos);
  EXPECT_NE(out.str().find("ENGINEend"), std::string::npos);
  EXPECT_THROW(write_page(out, report, {"<p>", ""}), InvalidInput);
}

TEST(Page, CompilesNothingWithoutAModel) {
  ReportOptions options;
  options.has_model = false;
  std::ostringstream out;
  write_page(out, report_of(machine_model(), some_rows(5), options),
             {"<!--wasm--><!--title--><!--data--><!--engine-->", "ENGINE"});
  EXPECT_EQ(out.str().find("wasm-unsafe-eval"), std::string::npos);
  EXPECT_EQ(out.str().find("ENGINE"), std::string::npos);
}

TEST(Base64, AsTheStandardHasIt) {
  const auto encoded = [](std::string_view text) {
    return report::base64(std::as_bytes(std::span(text)));
  };
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
}

}  // namespace
}  // namespace bisector
