#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "io/onnx/onnx_composed.h"
#include "io/onnx/onnx_distances.h"
#include "io/onnx/onnx_walk.h"

namespace bisector::io {
namespace {

constexpr std::string_view kProcessAdvice =
    "Gaussian processes are read with a Gaussian kernel, as skl2onnx writes them, save others with "
    "bisector.Explainer(model).save(\"model.npz\")";

/// The other input of a node that adds, or multiplies by, an input that `is_such` accepts.
template <class IsSuch>
std::optional<std::string_view> without(const OnnxWalk& walk, std::string_view tensor,
                                        std::string_view op, const IsSuch& is_such) {
  if (!walk.is_made_by(tensor, op)) return std::nullopt;
  const OnnxNode& node = walk.maker(tensor, op);
  for (const std::size_t place : {std::size_t{0}, std::size_t{1}}) {
    if (is_such(walk.input(node, place))) return walk.input(node, 1 - place);
  }
  return std::nullopt;
}

/// A product of zeros, by which skl2onnx makes a matrix of the right shape.
bool is_zero(const OnnxWalk& walk, std::string_view tensor) {
  if (!walk.is_made_by(tensor, "MatMul")) return false;
  const std::string_view factor = walk.before(tensor, "MatMul");
  if (!walk.is_made_by(factor, "ConstantOfShape")) return false;
  const OnnxNode& node = walk.maker(factor, "ConstantOfShape");
  const OnnxAttributes attributes(walk.graph(), node);
  if (!attributes.has("value")) return true;
  const OnnxTensor value = read_onnx_tensor(walk.graph(), attributes.tensor("value"), node.title());
  return std::ranges::all_of(value.values, [](double each) { return each == 0.0; });
}

/// A number, or a matrix of it: zero plus a number.
std::optional<double> number_of(const OnnxWalk& walk, std::string_view tensor) {
  if (walk.is_constant(tensor)) return walk.number(tensor);
  const auto number =
      without(walk, tensor, "Add", [&](std::string_view each) { return is_zero(walk, each); });
  if (!number || !walk.is_constant(*number)) return std::nullopt;
  return walk.number(*number);
}

/// The exponential inside the kernel's values, whose factor is multiplied into `factor`.
std::string_view exponential_in(const OnnxWalk& walk, std::string_view values, double& factor) {
  const auto plain =
      without(walk, values, "Add", [&](std::string_view each) { return is_zero(walk, each); });
  if (plain) values = *plain;  // white noise is zero at new rows
  const auto scaled = without(walk, values, "Mul", [&](std::string_view each) {
    const auto constant = number_of(walk, each);
    if (constant) factor *= *constant;
    return constant.has_value();
  });
  return scaled.value_or(values);
}

}  // namespace

bool has_onnx_process(const OnnxGraph& graph) { return graph.has_operator("Exp"); }

OnnxModel read_onnx_process(const OnnxGraph& graph, std::optional<double> target_mean) {
  const OnnxWalk walk(graph, kProcessAdvice);
  double mean = 0.0, factor = 1.0, half = 0.0;
  std::string_view sum = walk.with_number(walk.maker(walk.prediction(), "Add"), mean);
  if (walk.is_made_by(sum, "Mul")) sum = walk.with_number(walk.maker(sum, "Mul"), factor);
  const OnnxNode& product = walk.maker(sum, "MatMul");
  const std::string_view exponential = exponential_in(walk, walk.input(product, 0), factor);
  const OnnxNode& halved = walk.maker(walk.before(walk.before(exponential, "Exp"), "Neg"), "Mul");
  OnnxDistances distances = read_onnx_squared_distances(walk, walk.with_number(halved, half));
  std::vector<double> coefficients = walk.values(walk.input(product, 1));
  if (coefficients.size() != distances.points.rows())
    walk.fail(product, fmt::format("{} weights of {} points, expected as many: one target",
                                   coefficients.size(), distances.points.rows()));
  for (double& value : coefficients) value *= factor;
  KernelMachine machine(std::move(distances.points), std::move(coefficients), Kernel(half), mean);
  return {KernelRegressor{std::move(machine), target_mean}, distances.rows};
}

}  // namespace bisector::io
