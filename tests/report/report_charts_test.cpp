// The charts of a report.
#include <gtest/gtest.h>

#include "bisector/report.h"

namespace bisector {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(ReportCharts, HaveAChartForEachPartOfThePage) {
  const KernelMachine machine(Matrix(4, 4, {0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0}),
                              {1.0, -1.0, 0.5, -0.5}, 1.0, 0.0);
  ReportOptions options;
  options.image = ImageShape{2, 2};
  ReportBuilder builder(Model(KernelClassifier::two_class(machine, "a", "b")), {}, options);
  builder.add(Matrix(3, 4, {0, 1, 0.5, 0, 1, 0.2, 1, 0, 0.3, 0, 0.1, 0.9}));
  Report report = builder.finish();
  report.faithfulness = FaithfulnessReport{3, 50, {{"lrp", 0.3, 0.1, {0, 1, 2}, {1, 0.5, 0}}}};
  std::vector<std::string> names;
  for (const NamedChart& chart : report_charts(report)) {
    names.push_back(chart.name.substr(0, chart.name.find('-')));
    EXPECT_EQ(count(svg(chart.chart), "<svg"), 1u);
    EXPECT_EQ(svg(chart.chart).find("nan"), std::string::npos) << chart.name;
    EXPECT_FALSE(chart.chart.description.empty());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"importance", "beeswarm", "dependence", "row",
                                             "picture", "row", "picture", "faithfulness"}));
}

}  // namespace
}  // namespace bisector
