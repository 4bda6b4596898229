#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <span>

#include "bisector/explain.h"
#include "bisector/network.h"
#include "bisector/predict.h"
#include "bisector/random.h"
#include "bisector/report/chart.h"
#include "bisector/train/train.h"
#include "common/markdown.h"
#include "studies.h"
#include "tools/output_file.h"

namespace bisector::paper {

using namespace chart;

namespace {

constexpr double kEdge = 2.6;
constexpr std::size_t kCells = 160, kRows = 120, kPairs = 6;
constexpr double kTestPoint[] = {0.55, -0.15};

struct Problem {
  Matrix rows;
  ClassTarget target;
};

/// Two interlocked crescents with noise.
Problem crescents() {
  Random random(3);
  Problem problem{Matrix(kRows, 2), {std::vector<std::size_t>(kRows), {"blue", "orange"}}};
  for (std::size_t r = 0; r < kRows; ++r) {
    const bool is_upper = r % 2 == 0;
    const double angle = std::numbers::pi * random.uniform();
    const double x = std::cos(angle), y = std::sin(angle);
    problem.rows(r, 0) = 1.3 * ((is_upper ? x : 1.0 - x) - 0.5) + 0.2 * random.normal();
    problem.rows(r, 1) = 1.9 * ((is_upper ? y : 0.5 - y) - 0.25) + 0.2 * random.normal();
    problem.target.classes[r] = is_upper ? 1 : 0;
  }
  return problem;
}

Matrix grid_rows() {
  Matrix rows(kCells * kCells, 2);
  const auto middle = [](std::size_t cell) {
    return -kEdge + 2.0 * kEdge * (static_cast<double>(cell) + 0.5) / static_cast<double>(kCells);
  };
  for (std::size_t r = 0; r < kCells; ++r) {
    for (std::size_t c = 0; c < kCells; ++c) {
      rows(r * kCells + c, 0) = middle(c);
      rows(r * kCells + c, 1) = middle(r);
    }
  }
  return rows;
}

chart::Field grid_of(const std::vector<double>& values) {
  return {Matrix(kCells, kCells, values), -kEdge, kEdge, -kEdge, kEdge};
}

/// Nine bands on each side of zero, up to the 98th percentile of the size.
Bands bands_of(const chart::Field& grid) {
  std::vector<double> sizes;
  for (const double value : grid.values.values()) sizes.push_back(std::abs(value));
  std::ranges::sort(sizes);
  const double largest = std::max(sizes[sizes.size() * 49 / 50], 1e-300);
  constexpr int kHalf = 9;
  Bands bands{grid, {}, {}};
  for (int i = -kHalf; i < kHalf; ++i) {
    bands.colors.push_back(diverging_color((i + 0.5) / kHalf));
    if (i > -kHalf) bands.limits.push_back(largest * i / kHalf);
  }
  return bands;
}

std::vector<Mark> data_marks(const Problem& problem) {
  std::vector<Mark> marks;
  for (const std::size_t of : {std::size_t{0}, std::size_t{1}}) {
    Points points{{}, {}, {of == 1 ? for_color() : against_color()}, 3.2, true, of == 0};
    for (std::size_t r = 0; r < problem.rows.rows(); ++r) {
      if (problem.target.classes[r] != of) continue;
      points.x.push_back(problem.rows(r, 0));
      points.y.push_back(problem.rows(r, 1));
    }
    marks.emplace_back(std::move(points));
  }
  return marks;
}

Panel field_panel(const std::string& title, const chart::Field& grid, const Problem& problem) {
  Panel panel{title, {"x1", -kEdge, kEdge}, {"x2", -kEdge, kEdge}, {}};
  panel.marks.emplace_back(bands_of(grid));
  panel.marks.emplace_back(Contour{grid});
  for (Mark& mark : data_marks(problem)) panel.marks.push_back(std::move(mark));
  return panel;
}

/// A pair of points with its bisector, with an opacity that follows its weight.
void add_pair(Panel& panel, const Evidence& pair, const Matrix& points, double strongest) {
  if (!pair.positive || !pair.negative) return;
  const auto u = points.row(*pair.positive), v = points.row(*pair.negative);
  const double width = 1.0 + 3.0 * pair.weight / strongest;
  panel.marks.emplace_back(Line{{u[0], v[0]}, {u[1], v[1]}, "#1b1d21", width * 0.5, "2 3"});
  const double mx = (u[0] + v[0]) / 2, my = (u[1] + v[1]) / 2;
  const double dx = v[1] - u[1], dy = u[0] - v[0], length = std::hypot(dx, dy);
  if (length == 0.0) return;
  panel.marks.emplace_back(Line{{mx - 0.55 * dx / length, mx + 0.55 * dx / length},
                                {my - 0.55 * dy / length, my + 0.55 * dy / length},
                                "#5b2a86",
                                width});
  for (const auto& [point, color] : {std::pair{u, for_color()}, std::pair{v, against_color()}})
    panel.marks.emplace_back(Points{{point[0]}, {point[1]}, {color}, 5.0, true});
}

Panel units_panel(const std::string& title, const Explainer& explainer, const Model& model,
                  const chart::Field& g) {
  Panel panel{title, {"x1", -kEdge, kEdge}, {"x2", -kEdge, kEdge}, {}};
  panel.marks.emplace_back(bands_of(g));
  panel.marks.emplace_back(Contour{g});
  const std::vector<Evidence> pairs = explainer.evidence(kTestPoint, kPairs);
  for (const Evidence& pair : pairs) add_pair(panel, pair, model.points(), pairs.front().weight);
  panel.marks.emplace_back(Points{{kTestPoint[0]}, {kTestPoint[1]}, {"#111111"}, 5.5, true});
  const Explanation why = explainer({kTestPoint, 1, 2});
  panel.marks.emplace_back(Label{0.0, -kEdge + 0.25,
                                 fmt::format("g = {:+.2f}, relevance ({:+.2f}, {:+.2f})", why.g[0],
                                             why.relevance(0, 0), why.relevance(0, 1)),
                                 Label::Anchor::middle, true});
  return panel;
}

/// The indices of the members with the largest responsibilities, the largest first.
std::vector<std::size_t> heaviest(std::span<const double> weights, std::size_t count) {
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t n) { return weights[n]; });
  order.resize(std::min(order.size(), count));
  return order;
}

/// The position of node n of a layer with `count` nodes.
double height(std::size_t n, std::size_t count) {
  return 1.0 - (static_cast<double>(n) + 0.5) / static_cast<double>(count);
}

/// The paper's three layers at the test point, for the most influential points. The width of a line
/// is its share of the relevance, the color of a node its activation.
class NetworkPanel {
 public:
  NetworkPanel(std::string title, Network network)
      : network_(std::move(network)),
        positive_(heaviest(network_.positive_weights, kNodes)),
        negative_(heaviest(network_.negative_weights, kNodes)),
        units_(positive_.size() * negative_.size()) {
    const Tick layers[] = {{0, "input"}, {1, "pairs z"}, {2, "pools h"}, {3, "output g"}};
    panel_ = {std::move(title),
              {"", -0.3, 3.7, {std::begin(layers), std::end(layers)}},
              {"", 0.0, 1.0, {{0.0, ""}}},
              {}};
    for (std::size_t j = 0; j < negative_.size(); ++j) add_pool(j);
    connect(3.0, height(0, 1), network_.g, fmt::format("{:+.2f}", network_.g));
    for (const std::size_t input : {0u, 1u}) {
      add_node(0.0, height(input, 2), "#ffffff");
      panel_.marks.emplace_back(Label{0.0, height(input, 2) + 0.05, fmt::format("x{}", input + 1)});
    }
    panel_.legend = {{"for orange", for_color()},
                     {"for blue", against_color()},
                     {"part in the relevance", kPartColor, true}};
  }

  Panel take() && { return std::move(panel_); }

 private:
  static constexpr std::size_t kNodes = 3;
  static constexpr const char* kPartColor = "#7a4fa3";

  void add_pool(std::size_t j) {
    const std::size_t n = negative_[j];
    const double at = height(j, negative_.size());
    for (std::size_t i = 0; i < positive_.size(); ++i) {
      const std::size_t p = positive_[i];
      const double unit = height(j * positive_.size() + i, units_);
      for (const std::size_t input : {0u, 1u})
        panel_.marks.emplace_back(Line{{0.0, 1.0}, {height(input, 2), unit}, "#b9bec7", 0.6});
      const double part = network_.positive_weights[p] * network_.negative_weights[n];
      panel_.marks.emplace_back(Line{{1.0, 2.0}, {unit, at}, kPartColor, width(part)});
      add_node(1.0, unit, color(network_.detection(p, n)));
    }
    panel_.marks.emplace_back(
        Line{{2.0, 3.0}, {at, height(0, 1)}, kPartColor, width(network_.negative_weights[n])});
    connect(2.0, at, network_.hidden[n], fmt::format("{:+.2f}", network_.hidden[n]));
  }

  void connect(double x, double y, double value, const std::string& text) {
    add_node(x, y, color(value));
    panel_.marks.emplace_back(Label{x + 0.12, y + 0.035, text, Label::Anchor::start});
  }

  void add_node(double x, double y, const std::string& fill) {
    panel_.marks.emplace_back(Points{{x}, {y}, {"#1b1d21"}, 6.0});
    panel_.marks.emplace_back(Points{{x}, {y}, {fill}, 5.0});
  }

  static double width(double part) { return 0.5 + 8.0 * part; }
  std::string color(double value) const {
    return diverging_color(std::clamp(value / (2.0 * std::abs(network_.g)), -1.0, 1.0));
  }

  Network network_;
  std::vector<std::size_t> positive_, negative_;
  std::size_t units_;
  Panel panel_;
};

void add_row(Chart& chart, const std::string& name, const Learner& learner,
             const Problem& problem) {
  TrainOptions options;
  options.scaling = Scaling::none;
  const Model model = train(learner, problem.rows.view(), problem.target, options).model;
  const Explainer explainer(model);
  const Matrix rows = grid_rows();
  const Explanation all = explainer(rows);
  const chart::Field f = grid_of(all.decision), g = grid_of(all.g);
  const bool is_svm = std::holds_alternative<SvmLearner>(learner);
  chart.panels.push_back(
      field_panel(name + (is_svm ? ": f, the decision value" : ": f, the votes"), f, problem));
  chart.panels.back().legend = {{"class orange, f > 0", for_color()},
                                {"class blue, f < 0", against_color()},
                                {"f = 0", "#1b1d21", true}};
  chart.panels.push_back(field_panel(name + ": g, the network's output", g, problem));
  chart.panels.push_back(
      units_panel(name + ": the units that decide a point", explainer, model, g));
  chart.panels.push_back(
      NetworkPanel(name + ": the network at that point", explainer.network(kTestPoint)).take());
}

}  // namespace

void run_overview(const StudyFolders& options, std::ostream& log) {
  const Problem problem = crescents();
  Chart chart{"A distance-based classifier and the network inside it",
              "Above an SVM, below a KNN: the decision value f, which saturates or jumps, the "
              "network's output g, which does not, both zero on the same line, and for one point "
              "the pairs of points that decide it with their perpendicular bisectors, and the "
              "network at that point. f is in the model's own units, g and relevance have none.",
              {},
              4,
              300,
              300,
              56};
  add_row(chart, "SVM", SvmLearner{2.0, 10.0}, problem);
  add_row(chart, "KNN", NeighborLearner{9}, problem);
  tools::make_folder(options.out);
  write_result(options.out / "overview.svg", svg(chart), log);
}

}  // namespace bisector::paper
