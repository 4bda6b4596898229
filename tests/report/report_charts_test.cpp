// The charts of a report.
#include <gtest/gtest.h>

#include "bisector/report/report.h"
#include "report/occurrences.h"

namespace bisector {

using namespace chart;

namespace {

// One extreme row does not compress the others: it is drawn at the edge.
TEST(ReportCharts, ExtremeRowsAreDrawnAtTheEdgeOfABeeswarm) {
  const KernelMachine machine(Matrix(2, 1, {0.0, 1.0}), {1.0, -1.0}, Kernel(1.0), 0.0);
  ReportBuilder builder(Model(KernelClassifier::two_class(machine, "a", "b")), Auto{}, {}, {});
  builder.add(Matrix(200, 1, std::vector<double>(200, 0.25)));
  Report report = builder.finish();
  for (std::size_t row = 0; row < 200; ++row)
    report.explanation.relevance(row, 0) = row % 2 == 0 ? -1.0 : 1.0;
  const auto swarm = [&] {
    const Chart chart = report_charts(report)[1].chart;
    return std::pair{chart.panels[0], chart.description};
  };
  const auto [whole, plain] = swarm();
  EXPECT_NEAR(whole.x.high, 1.06, 1e-9);
  EXPECT_EQ(plain.find("at the edge"), std::string::npos);
  report.explanation.relevance(3, 0) = 50.0;
  const auto [cut, words] = swarm();
  EXPECT_NEAR(cut.x.high, 1.06, 1e-9);
  EXPECT_NE(words.find("at the edge"), std::string::npos);
  EXPECT_EQ(std::get<Points>(cut.marks.back()).x[3], cut.x.high);
}

TEST(ReportCharts, AGroupIsNamedWithoutAValue) {
  const KernelMachine machine(Matrix(2, 2, {0.0, 1.0, 1.0, 0.0}), {1.0, -1.0}, Kernel(1.0), 0.0);
  ReportOptions options;
  options.groups = {{"both", {0, 1}}};
  ReportBuilder builder(Model(KernelClassifier::two_class(machine, "a", "b")), Auto{}, {}, options);
  builder.add(Matrix(3, 2, {0.1, 0.2, 0.9, 0.4, 0.5, 0.8}));
  for (const NamedChart& chart : report_charts(builder.finish())) {
    const std::string drawn = svg(chart.chart);
    EXPECT_NE(drawn.find("both"), std::string::npos) << chart.name;
    EXPECT_EQ(drawn.find("both ="), std::string::npos) << chart.name;
  }
}

TEST(ReportCharts, EverySectionOfThePageHasAChart) {
  const KernelMachine machine(Matrix(4, 4, {0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0}),
                              {1.0, -1.0, 0.5, -0.5}, Kernel(1.0), 0.0);
  ReportOptions options;
  options.image = ImageShape{2, 2};
  ExplainOptions explain;
  explain.unit = Unit::decision;
  ReportBuilder builder(Model(KernelClassifier::two_class(machine, "a", "b")), EtaRule{}, explain,
                        options);
  builder.add(Matrix(3, 4, {0, 1, 0.5, 0, 1, 0.2, 1, 0, 0.3, 0, 0.1, 0.9}));
  Report report = builder.finish();
  report.pixel_flipping = PixelFlippingReport{3, 50, {{"lrp", 0.3, 0.1, {0, 1, 2}, {1, 0.5, 0}}}};
  std::vector<std::string> names;
  for (const NamedChart& chart : report_charts(report)) {
    names.push_back(chart.name.substr(0, chart.name.find('-')));
    EXPECT_EQ(occurrences(svg(chart.chart), "<svg"), 1u);
    EXPECT_EQ(svg(chart.chart).find("nan"), std::string::npos) << chart.name;
    EXPECT_FALSE(chart.chart.description.empty());
    const bool names_unit =
        svg(chart.chart).find("units of the decision value") != std::string::npos;
    EXPECT_EQ(names_unit, chart.name != "pixel_flipping") << chart.name;
    const bool has_unexplained = svg(chart.chart).find(">unexplained<") != std::string::npos;
    EXPECT_EQ(has_unexplained, chart.name.starts_with("row-")) << chart.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"importance", "beeswarm", "dependence", "row",
                                             "picture", "row", "picture", "pixel_flipping"}));
}

}  // namespace
}  // namespace bisector
