// The library inside a report page: it explains and predicts rows of one model, and finds the
// smallest changes that flip them. It is built by emscripten; web/src/engine.ts calls it.
#include <hwy/targets.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bisector/explain.h"
#include "bisector/flip.h"
#include "bisector/notes.h"
#include "bisector/predict.h"
#include "report/page/packed_model.h"

// Highway's own version inspects the processor; a page runs the target that was compiled.
namespace hwy {
std::int64_t SupportedTargets() { return HWY_TARGETS; }
}  // namespace hwy

namespace {

std::vector<double> buffer, result;
std::optional<bisector::report::PackedExplainer> packed;
using Explainers = std::map<std::pair<int, int>, bisector::Explainer>;  // by the compared classes
Explainers explainers, deciders;
std::optional<bisector::DecisionFunction> decide;

/// Negative positions leave the choice of the class to the options and the row.
const bisector::Explainer& explainer_of(Explainers& known, const bisector::Method& method,
                                        int positive, int negative) {
  const auto found = known.find({positive, negative});
  if (found != known.end()) return found->second;
  bisector::ExplainOptions options = packed->options;
  const std::vector<std::string> labels = packed->model.labels();
  if (positive >= 0) options.positive_class = labels.at(static_cast<std::size_t>(positive));
  if (negative >= 0) options.versus = labels.at(static_cast<std::size_t>(negative));
  return known
      .emplace(std::pair(positive, negative), bisector::Explainer(packed->model, method, options))
      .first->second;
}

/// A method of one pass over the points. Kernels of the dot product have only their own.
bisector::Method fast_method() {
  if (std::holds_alternative<bisector::IntegratedGradients>(packed->method)) return packed->method;
  return bisector::EtaRule{};
}

template <class T>
double entry(const std::vector<T>& values) {
  return values.empty() ? 0.0 : static_cast<double>(values[0]);
}

/// Numbers of a column in the buffer: first feature, number of features, number of levels (0 for a
/// number) and whether it is fixed.
constexpr std::size_t kColumnNumbers = 4;
constexpr std::size_t kMostExamples = 2000;  // rows from which the search starts, as in the command

/// A column of the page. Levels are one-hot, or their positions if the column has one feature.
bisector::FlipColumn flip_column(std::span<const double> given,
                                 const std::vector<bisector::FlipColumn>& numbers) {
  const auto first = static_cast<std::size_t>(given[0]), width = static_cast<std::size_t>(given[1]);
  const auto levels = static_cast<std::size_t>(given[2]);
  bisector::FlipColumn column = numbers.at(first);
  if (levels > 0) {
    column = {};
    for (std::size_t i = 0; i < width; ++i) column.features.push_back(first + i);
    column.levels = bisector::Matrix(levels, width);
    for (std::size_t l = 0; l < levels; ++l) {
      if (width > 1)
        column.levels(l, l) = 1.0;
      else
        column.levels(l, 0) = static_cast<double>(l);
    }
  }
  if (given[3] != 0.0) column.change = bisector::AllowedChange::none;
  return column;
}

}  // namespace

extern "C" {

/// Memory for `count` numbers, which the page fills before the next call.
double* engine_buffer(std::size_t count) {
  buffer.resize(count);
  return buffer.data();
}

/// Reads the packed model from the buffer and returns its number of features.
std::size_t engine_load(std::size_t count) {
  packed = bisector::report::unpack({buffer.data(), count});
  explainers.clear();
  deciders.clear();
  explainer_of(explainers, packed->method, -1, -1);  // refuses an unusable model now
  decide.emplace(packed->model);
  return packed->model.features();
}

/// Explains the row in the buffer: output, base, remainder, decision, value, prediction, positive,
/// negative, tie, outside, unexplained, the relevance of every feature, and their standard errors
/// (zeros if the method has none). Positions of the compared classes may be negative; the row then
/// determines them.
const double* engine_explain(int positive, int negative) {
  const bisector::Explanation e = explainer_of(
      explainers, packed->method, positive, negative)({buffer.data(), 1, packed->model.features()});
  result = {e.output[0],
            e.base[0],
            e.remainder[0],
            e.decision[0],
            entry(e.value),
            entry(e.prediction),
            entry(e.positive),
            entry(e.negative),
            e.tie[0] ? 1.0 : 0.0,
            e.outside[0] ? 1.0 : 0.0,
            bisector::is_unexplained(e, 0) ? 1.0 : 0.0};
  const auto relevance = e.relevance.row(0);
  result.insert(result.end(), relevance.begin(), relevance.end());
  const std::vector<double> no_errors(e.standard_error.rows() > 0 ? 0 : relevance.size(), 0.0);
  const std::span<const double> errors =
      no_errors.empty() ? e.standard_error.row(0) : std::span<const double>(no_errors);
  result.insert(result.end(), errors.begin(), errors.end());
  return result.data();
}

/// Predicts `count` rows in the buffer: a regressor's value, the decision value of the two given
/// classes, or the only one if their positions are negative.
const double* engine_predict(std::size_t count, int positive, int negative) {
  const bisector::MatrixView<const double> rows{buffer.data(), count, packed->model.features()};
  if (positive >= 0) {
    result = explainer_of(deciders, fast_method(), positive, negative)(rows).decision;
    return result.data();
  }
  const bisector::Predictions made = (*decide)(rows);
  result.resize(count);
  for (std::size_t r = 0; r < count; ++r) result[r] = made.decisions(r, 0);
  return result.data();
}

/// The smallest change of a row that flips its prediction, or that lets a regressor reach a value.
/// The buffer has the row, four numbers per column, and rows of data. Returns: 1 if a change was
/// found, the radius, the distance, the prediction and value of the changed row, and this row.
const double* engine_flip(std::size_t columns, std::size_t rows, double reach) {
  const bisector::Model& model = packed->model;
  const std::span<const double> given(buffer);
  const std::size_t features = model.features(), examples = std::min(rows, kMostExamples);
  const double* data = &given[features + columns * kColumnNumbers];
  bisector::FlipOptions options;
  options.examples = bisector::Matrix(examples, features, {data, data + examples * features});
  const std::vector<bisector::FlipColumn> numbers =
      bisector::flip_columns(model, {data, rows, features});
  for (std::size_t c = 0; c < columns; ++c)
    options.columns.push_back(
        flip_column(given.subspan(features + c * kColumnNumbers, kColumnNumbers), numbers));
  if (model.is_regressor()) options.reach = reach;
  options.threads = 1;
  const bisector::RowFlips found =
      bisector::FlipFinder(model, std::move(options))({given.data(), 1, features})[0];
  result = {0.0, found.radius, 0.0, 0.0, 0.0};
  if (!found.flips.empty()) {
    const bisector::Flip& flip = found.flips[0];
    result = {1.0, found.radius, flip.distance, static_cast<double>(flip.prediction), flip.value};
    result.insert(result.end(), flip.row.begin(), flip.row.end());
  }
  return result.data();
}

}  // extern "C"
