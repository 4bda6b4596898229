// Constants of a graph: initializers, and what a few operators make of them.
#include <fmt/format.h>

#include <cmath>

#include "io/common/limits.h"
#include "io/onnx/onnx_values.h"
#include "io/text/cells.h"

namespace bisector::io {
namespace {

/// Each column by its number, or all by one.
OnnxTensor divided(const OnnxGraph& graph, const OnnxNode& node, OnnxTensor values,
                   const OnnxTensor& by) {
  const std::size_t columns = values.shape.empty() ? 1 : values.shape.back();
  if (!by.is_row() || (by.values.size() != 1 && by.values.size() != columns))
    graph.fail(node, fmt::format("divides {} columns by {} numbers, expected one or as many",
                                 columns, by.values.size()));
  for (std::size_t n = 0; n < values.values.size(); ++n)
    values.values[n] /= by.values[by.values.size() == 1 ? 0 : n % columns];
  return values;
}

OnnxTensor constant_of(const OnnxGraph& graph, std::string_view tensor, int depth) {
  if (const auto message = graph.constant(tensor))
    return read_onnx_tensor(graph, *message, fmt::format("the constant {}", shown(tensor)));
  const auto place = graph.maker(tensor);
  if (!place || depth > kMaxOnnxDepth)
    graph.fail(fmt::format("{} is not a constant of the graph, expected one", shown(tensor)));
  const OnnxNode& node = graph.nodes()[*place];
  if (node.op == "Constant")
    return read_onnx_tensor(graph, OnnxAttributes(graph, node).tensor("value"), node.title());
  // Only initializers count: a file must not decide how often a constant is evaluated.
  if (node.op == "Div" && node.inputs.size() == 2 && graph.constant(node.inputs[0]) &&
      graph.constant(node.inputs[1]))
    return divided(graph, node, constant_of(graph, node.inputs[0], depth),
                   constant_of(graph, node.inputs[1], depth));
  const bool is_root = node.op == "Sqrt";
  if (node.inputs.empty() || (!is_root && node.op != "Identity" && node.op != "Cast"))
    graph.fail(node, "computes a constant, expected Constant, Div, Sqrt, Cast or Identity");
  OnnxTensor result = constant_of(graph, node.inputs.front(), depth + 1);
  if (is_root)
    for (double& value : result.values) value = std::sqrt(value);
  return result;
}

}  // namespace

OnnxTensor read_onnx_constant(const OnnxGraph& graph, std::string_view tensor) {
  return constant_of(graph, tensor, 0);
}

}  // namespace bisector::io
