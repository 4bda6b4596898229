#include "io/onnx/onnx_walk.h"

#include <fmt/format.h>

#include "io/common/limits.h"
#include "io/onnx/onnx_fields.h"
#include "io/text/cells.h"

namespace bisector::io {

std::string_view OnnxWalk::prediction() const {
  if (graph_.outputs().empty()) graph_.fail("no output, expected a prediction");
  return same_values(graph_.outputs().front());
}

bool OnnxWalk::is_made_by(std::string_view tensor, std::string_view op) const {
  const auto node = graph_.maker(tensor);
  return node && graph_.nodes()[*node].op == op;
}

const OnnxNode& OnnxWalk::maker(std::string_view tensor, std::string_view op,
                                std::size_t output) const {
  const auto place = graph_.maker(tensor);
  if (!place)
    graph_.fail(fmt::format("{} is made by no node, expected {}: {}", shown(tensor), op, advice_));
  const OnnxNode& node = graph_.nodes()[*place];
  if (node.op != op) fail(node, fmt::format("expected {} in its place", op));
  if (output >= node.outputs.size() || node.outputs[output] != tensor)
    fail(node, fmt::format("{} is another of its outputs, expected output {}", shown(tensor),
                           output + 1));
  return node;
}

std::string_view OnnxWalk::input(const OnnxNode& node, std::size_t place) const {
  if (place >= node.inputs.size())
    fail(node, fmt::format("{} inputs, expected at least {}", node.inputs.size(), place + 1));
  return node.inputs[place];
}

std::string_view OnnxWalk::same_values(std::string_view tensor) const {
  for (int depth = 0; depth < kMaxOnnxDepth; ++depth) {
    const auto place = graph_.maker(tensor);
    if (!place) return tensor;
    const OnnxNode& node = graph_.nodes()[*place];
    const bool is_shape = node.op == "Reshape" || node.op == "Flatten" || node.op == "Squeeze";
    if (node.op == "Cast") {
      const std::int64_t to = OnnxAttributes(graph_, node).integer("to", 0);
      if (to != onnx::tensor::kFloat && to != onnx::tensor::kDouble && to != onnx::tensor::kInt64)
        fail(node, fmt::format("casts to ONNX type {}, expected float, double or int64", to));
    } else if (!is_shape && node.op != "Identity") {
      return tensor;
    }
    tensor = input(node, 0);
  }
  graph_.fail(fmt::format("over {} nodes behind one another, expected fewer", kMaxOnnxDepth));
}

std::string_view OnnxWalk::reduced(std::string_view tensor, std::string_view op,
                                   std::int64_t axis) const {
  const OnnxNode& node = maker(tensor, op);
  std::vector<double> axes;
  if (node.inputs.size() > 1) {
    axes = values(node.inputs[1]);
  } else {  // older files
    const auto listed = OnnxAttributes(graph_, node).integers("axes");
    axes.assign(listed.begin(), listed.end());
  }
  if (axes != std::vector<double>{static_cast<double>(axis)})
    fail(node,
         fmt::format("goes along the axes ({}), expected axis {}", fmt::join(axes, ", "), axis));
  return input(node, 0);
}

std::string_view OnnxWalk::with_number(const OnnxNode& node, double& number_of_it) const {
  const bool is_first = is_constant(input(node, 0));
  number_of_it = number(input(node, is_first ? 0 : 1));
  return input(node, is_first ? 1 : 0);
}

std::vector<double> OnnxWalk::values(std::string_view tensor) const {
  return read_onnx_constant(graph_, tensor).values;
}

double OnnxWalk::number(std::string_view tensor) const {
  const std::vector<double> found = values(tensor);
  if (found.size() != 1)
    graph_.fail(fmt::format("the constant {} has {} numbers, expected one: {}", shown(tensor),
                            found.size(), advice_));
  return found.front();
}

void OnnxWalk::fail(const OnnxNode& node, std::string_view problem) const {
  graph_.fail(node, fmt::format("{}: {}", problem, advice_));
}

}  // namespace bisector::io
