// The figures of bisector-paper: drawn from small results, and compared with their numbers.
#include "figures/figures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <regex>
#include <sstream>

#include "bisector/error.h"
#include "bisector/random.h"
#include "paper/study_folder.h"
#include "studies.h"

namespace bisector::paper {
namespace {

class Figures : public StudyFolder {};

std::vector<std::smatch> matches(const std::string& text, const std::regex& pattern) {
  return {std::sregex_iterator(text.begin(), text.end(), pattern), std::sregex_iterator()};
}

double number(const std::smatch& match, std::size_t group) { return std::stod(match[group].str()); }

/// Checks that every element is closed in order, as XML requires.
void expect_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::size_t end = svg.find('>', at);
    ASSERT_NE(end, std::string::npos);
    if (svg[at + 1] == '/') {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), svg.substr(at + 2, end - at - 2));
      open.pop_back();
    } else if (svg[end - 1] != '/') {
      open.push_back(svg.substr(at + 1, svg.find_first_of(" >", at) - at - 1));
    }
  }
  EXPECT_TRUE(open.empty());
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

// A unit of the network is the bisector of a pair of points: the drawn lines are perpendicular and
// meet in the middle.
TEST_F(Figures, BisectorsOfTheOverviewBisect) {
  std::ostringstream log;
  run_overview({{}, folder_}, log);
  EXPECT_NE(log.str().find("overview.svg"), std::string::npos);
  const std::string svg = read("overview.svg");
  expect_well_formed(svg);
  for (const char* title :
       {"SVM: f, the decision value", "SVM: g, the network", "KNN: f, the votes",
        "KNN: the units that decide a point", "SVM: the network at that point", "pools h"})
    EXPECT_NE(svg.find(title), std::string::npos) << title;
  const std::string path = "<path d=\"M(\\S+) (\\S+)L(\\S+) (\\S+)\" fill=\"none\" stroke=\"";
  const auto pairs =
      matches(svg, std::regex(path + "#1b1d21\" stroke-width=\"[^\"]+\" stroke-dasharray"));
  const auto units = matches(svg, std::regex(path + "#5b2a86\""));
  ASSERT_EQ(pairs.size(), units.size());
  EXPECT_GE(units.size(), 4u);
  for (std::size_t i = 0; i < units.size(); ++i) {
    const auto middle = [&](const std::smatch& m, std::size_t axis) {
      return (number(m, 1 + axis) + number(m, 3 + axis)) / 2;
    };
    const auto along = [&](const std::smatch& m, std::size_t axis) {
      return number(m, 3 + axis) - number(m, 1 + axis);
    };
    for (const std::size_t axis : {0u, 1u})
      EXPECT_NEAR(middle(pairs[i], axis), middle(units[i], axis), 0.11);
    const double across =
        along(pairs[i], 0) * along(units[i], 0) + along(pairs[i], 1) * along(units[i], 1);
    EXPECT_NEAR(across, 0.0,
                0.2 * std::hypot(along(pairs[i], 0), along(pairs[i], 1)) +
                    0.2 * std::hypot(along(units[i], 0), along(units[i], 1)));
  }
}

TEST_F(Figures, BarsOfTheAblationHaveTheHeightOfTheirNumbers) {
  write("ablation.csv",
        "dataset,model,parameters,accuracy,method,aufc,standard_error,published,rank\n"
        "one,svm,C=1,0.9,gi on f,0.8,0.01,,2\none,svm,C=1,0.9,lrp,0.4,0.02,,1\n"
        "two <b>,svm,C=1,0.9,gi on f,0.2,0.01,,1\ntwo <b>,svm,C=1,0.9,lrp,0.6,0.02,,2\n");
  draw_all(folder_);
  EXPECT_FALSE(exists("heuristics.svg"));
  EXPECT_FALSE(exists("table.html"));
  const std::string svg = read("ablation.svg");
  expect_well_formed(svg);
  EXPECT_NE(svg.find("two &lt;b&gt;"), std::string::npos);
  const auto bars = matches(
      svg, std::regex("<rect x=\"[^\"]+\" y=\"[^\"]+\" width=\"[^\"]+\" height=\"([\\d.]+)\" "
                      "fill=\"#(0072b2|d55e00)\"/>\n"));
  ASSERT_EQ(bars.size(), 4u);
  const double unit = number(bars[0], 1) / 0.8;
  for (const auto& [bar, aufc] : {std::pair{1u, 0.4}, {2u, 0.2}, {3u, 0.6}})
    EXPECT_NEAR(number(bars[bar], 1), aufc * unit, 0.2);
}

TEST_F(Figures, HeatMapsHaveACellForEachNumberAndTheHeuristicsLine) {
  std::string csv = "model,rule_parameter,model_parameter,heuristic,value,problems,aufc\n";
  for (const char* at : {"0.1,0", "1,1"}) {
    for (const auto& [value, aufc] : {std::pair{"0", "0.5"}, {"0.5", "0.3"}, {"1", "0.4"}})
      csv += std::string("svm,eta,") + at + "," + value + ",5," + aufc + "\n";
  }
  write("heuristics.csv", csv);
  draw_all(folder_);
  const std::string svg = read("heuristics.svg");
  expect_well_formed(svg);
  EXPECT_NE(svg.find("SVM: eta"), std::string::npos);
  EXPECT_EQ(
      matches(svg, std::regex("width=\"210.0\" height=\"100.0\" fill=\"#[0-9a-f]{6}\"")).size(),
      6u);
  // From the middle of the lowest cell of the first column to that of the highest of the second.
  const auto line = matches(
      svg, std::regex("<path d=\"M(\\S+) (\\S+)L(\\S+) (\\S+)\" fill=\"none\" stroke=\"#ffffff\""));
  ASSERT_EQ(line.size(), 1u);
  EXPECT_NEAR(number(line[0], 3) - number(line[0], 1), 210.0, 0.2);
  EXPECT_NEAR(number(line[0], 2) - number(line[0], 4), 200.0, 0.2);
}

TEST_F(Figures, TheTablesPageMarksTheBest) {
  write("table.csv",
        "dataset,model,parameters,accuracy,method,aufc,standard_error,published,rank\n"
        "<i>one</i>,svm,C=1,0.9,lrp,0.25,0.01,0.3,1\n<i>one</i>,svm,C=1,0.9,gi,0.5,0.02,,2\n");
  draw_all(folder_);
  const std::string page = read("table.html");
  EXPECT_NE(
      page.find("<td class=\"best\"><meter min=\"-1\" max=\"1\" value=\"0.250\"></meter>0.250 "
                "± 0.010<small>paper 0.3</small>"),
      std::string::npos)
      << page;
  EXPECT_NE(page.find("&lt;i&gt;one&lt;/i&gt;"), std::string::npos);
  EXPECT_EQ(page.find("nearest neighbors"), std::string::npos);
}

TEST_F(Figures, ChartsOfADatasetAreWritten) {
  Random random(4);
  std::string csv = "Area,Noise,Class\n";
  for (int n = 0; n < 150; ++n) {
    const double area = random.uniform();
    csv += std::to_string(area) + "," + std::to_string(random.uniform()) + "," +
           (area > 0.5 ? "Kecimen" : "Besni") + "\n";
  }
  write("raisin/Raisin_Dataset.csv", csv);
  const ChartsOptions options{{folder_, folder_ / "out"}, {"raisin", "rice"}};
  std::ostringstream log;
  run_charts(options, log);
  EXPECT_NE(log.str().find("Rice: skipped"), std::string::npos) << log.str();
  const std::string page = read("out/figures.md");
  EXPECT_NE(page.find("## Raisin"), std::string::npos);
  EXPECT_NE(page.find("Most relevant: Area ("), std::string::npos) << page;
  EXPECT_EQ(page.find("## Rice"), std::string::npos);
  for (const char* name : {"raisin-relevance.svg", "raisin-flipping.svg"}) {
    EXPECT_NE(page.find(name), std::string::npos);
    expect_well_formed(read(std::string("out/charts/") + name));
    EXPECT_LT(std::filesystem::file_size(folder_ / "out/charts" / name), 150'000u);
  }
  // Finished units are not computed again.
  std::ostringstream again;
  run_charts(options, again);
  EXPECT_EQ(again.str().find("Raisin:"), std::string::npos) << again.str();
  EXPECT_EQ(read("out/figures.md"), page);
  EXPECT_THROW(run_charts({{folder_, folder_ / "out"}, {"nothing"}}, log), InvalidInput);
}

}  // namespace
}  // namespace bisector::paper
