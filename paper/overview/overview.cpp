#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <span>

#include "bisector/explain.h"
#include "bisector/network.h"
#include "bisector/random.h"
#include "bisector/train/train.h"
#include "common/markdown.h"
#include "studies.h"
#include "tools/output_file.h"

namespace bisector::paper {
namespace {

constexpr double kEdge = 2.6;
constexpr std::size_t kCells = 160, kRows = 120, kMembers = 6;
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

std::vector<std::string> cells(const std::string& first, std::initializer_list<double> numbers) {
  std::vector<std::string> row{first};
  for (const double number : numbers) row.push_back(fmt::format("{:.9g}", number));
  return row;
}

/// The indices of the members with the largest responsibilities, the largest first.
std::vector<std::size_t> heaviest(std::span<const double> weights) {
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t n) { return weights[n]; });
  order.resize(std::min(order.size(), kMembers));
  return order;
}

void add_model(TextTable& fields, TextTable& units, const std::string& name, const Learner& learner,
               const Problem& problem) {
  TrainOptions options;
  options.scaling = Scaling::none;
  const Model model = train(learner, problem.rows.view(), problem.target, options).model;
  ExplainOptions in_g;
  in_g.unit = Unit::g;
  const Explainer explainer(model, EtaRule{}, in_g);
  const Matrix rows = grid_rows();
  const Explanation all = explainer(rows);
  for (std::size_t r = 0; r < rows.rows(); ++r)
    fields.rows.push_back(cells(name, {rows(r, 0), rows(r, 1), all.decision[r], all.g[r]}));

  const Network network = explainer.network(kTestPoint);
  const Explanation why = explainer({kTestPoint, 1, 2});
  const auto add_unit = [&](std::size_t p, std::size_t n) {
    if (!network.positive[p] || !network.negative[n]) return;  // the intercept has no place
    const auto u = model.points().row(*network.positive[p]);
    const auto v = model.points().row(*network.negative[n]);
    units.rows.push_back(
        cells(name, {u[0], u[1], v[0], v[1], network.positive_weights[p],
                     network.negative_weights[n], network.detection(p, n), network.hidden[n],
                     network.g, why.relevance(0, 0), why.relevance(0, 1)}));
  };
  for (const std::size_t n : heaviest(network.negative_weights)) {
    for (const std::size_t p : heaviest(network.positive_weights)) add_unit(p, n);
  }
}

}  // namespace

void run_overview(const StudyFolders& options, std::ostream& log) {
  const Problem problem = crescents();
  TextTable rows{{"class", "x1", "x2"}, {}}, fields{{"model", "x1", "x2", "f", "g"}, {}};
  TextTable units{{"model", "u1", "u2", "v1", "v2", "positive_weight", "negative_weight",
                   "detection", "hidden", "g", "relevance1", "relevance2"},
                  {}};
  for (std::size_t r = 0; r < problem.rows.rows(); ++r)
    rows.rows.push_back(cells(problem.target.labels[problem.target.classes[r]],
                              {problem.rows(r, 0), problem.rows(r, 1)}));
  add_model(fields, units, "SVM", SvmLearner{2.0, 10.0}, problem);
  add_model(fields, units, "KNN", NeighborLearner{9}, problem);
  tools::make_folder(options.out);
  for (const auto& [name, table] :
       {std::pair("rows", &rows), std::pair("fields", &fields), std::pair("units", &units)}) {
    const auto path = options.out / fmt::format("overview_{}.csv", name);
    write_file(path, table->csv());
    log << "wrote " << path.string() << "\n";
  }
}

}  // namespace bisector::paper
