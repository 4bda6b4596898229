#include "io/onnx/onnx_tail.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>

#include "io/onnx/onnx_values.h"
#include "io/text/cells.h"

namespace bisector::io {
namespace {

constexpr std::array<std::string_view, 5> kSameValue = {"Cast", "Identity", "Reshape", "Flatten",
                                                        "Squeeze"};

bool keeps_value(const OnnxNode& node) {
  return std::ranges::find(kSameValue, node.op) != kSameValue.end();
}

std::string_view output_of(const OnnxGraph& graph, std::size_t svm) {
  const OnnxNode& node = graph.nodes()[svm];
  if (node.outputs.empty()) graph.fail(node, "no output, expected a prediction");
  return node.outputs.front();
}

bool is_output(const OnnxGraph& graph, std::string_view tensor) {
  return std::ranges::find(graph.outputs(), tensor) != graph.outputs().end();
}

/// True if the tensor, or a result of the listed operators on it, is an output of the graph. Calls
/// `other` for every later node that changes its value.
template <class Other>
bool reaches_output(const OnnxGraph& graph, std::string_view tensor, Other other) {
  bool reaches = is_output(graph, tensor);
  const std::vector<bool> behind = graph.nodes_behind({tensor});
  for (std::size_t n = 0; n < behind.size(); ++n) {
    const OnnxNode& node = graph.nodes()[n];
    if (!behind[n]) continue;
    if (!keeps_value(node)) other(node);
    for (const std::string_view output : node.outputs)
      reaches = reaches || is_output(graph, output);
  }
  return reaches;
}

}  // namespace

void require_label_is_output(const OnnxGraph& graph, std::size_t svm) {
  const bool reaches = reaches_output(graph, output_of(graph, svm), [&](const OnnxNode& node) {
    graph.fail(node, fmt::format("changes the label of {}, expected it to be an output as it is",
                                 graph.nodes()[svm].title()));
  });
  if (!reaches)
    graph.fail(
        graph.nodes()[svm],
        "its label is not an output of the graph, expected the SVM's own decision to be one");
}

bool is_one_class(const OnnxGraph& graph, std::size_t svm) {
  const OnnxNode& regressor = graph.nodes()[svm];
  bool is_one_class = OnnxAttributes(graph, regressor).integer("one_class", 0) != 0;
  const bool reaches = reaches_output(graph, output_of(graph, svm), [&](const OnnxNode& node) {
    if (node.op != "Sign")
      graph.fail(node,
                 fmt::format("changes the prediction of {}, expected it to be an output as it "
                             "is, or its sign",
                             regressor.title()));
    is_one_class = true;
  });
  if (!reaches)
    graph.fail(regressor, "its prediction is not an output of the graph, expected it to be");
  return is_one_class;
}

void require_no_path_past(const OnnxGraph& graph, std::size_t svm, const std::vector<bool>& front) {
  std::vector<std::string_view> inputs;
  for (const OnnxInput& input : graph.inputs()) inputs.push_back(input.name);
  const std::vector<bool> of_data = graph.nodes_behind(std::move(inputs), svm);
  for (std::size_t n = 0; n < of_data.size(); ++n) {
    if (of_data[n] && !front[n])
      graph.fail(graph.nodes()[n],
                 fmt::format("takes the data past {}, expected all of it to go through the SVM",
                             graph.nodes()[svm].title()));
  }
}

}  // namespace bisector::io
