// Follows a tensor of an ONNX graph back through the nodes that compute it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/onnx/onnx_graph.h"
#include "io/onnx/onnx_values.h"

namespace bisector::io {

/// Every function throws FormatError, with advice, if the graph has another form.
class OnnxWalk {
 public:
  OnnxWalk(const OnnxGraph& graph, std::string_view advice) : graph_(graph), advice_(advice) {}

  const OnnxGraph& graph() const { return graph_; }
  const std::string& advice() const { return advice_; }

  /// The graph's first output, before operators that only change its shape or type.
  std::string_view prediction() const;
  bool is_made_by(std::string_view tensor, std::string_view op) const;
  /// The node of that operator that has the tensor as its `output`.
  const OnnxNode& maker(std::string_view tensor, std::string_view op, std::size_t output = 0) const;
  std::string_view input(const OnnxNode& node, std::size_t place) const;
  /// The first input of the node of that operator that makes the tensor.
  std::string_view before(std::string_view tensor, std::string_view op) const {
    return input(maker(tensor, op), 0);
  }
  /// Skips nodes that only change a tensor's shape or type.
  std::string_view same_values(std::string_view tensor) const;
  /// The first input of a reduction along the axis.
  std::string_view reduced(std::string_view tensor, std::string_view op, std::int64_t axis) const;
  /// The node's other input, if one of two is a constant number.
  std::string_view with_number(const OnnxNode& node, double& number) const;

  bool is_constant(std::string_view tensor) const { return graph_.constant(tensor).has_value(); }
  std::vector<double> values(std::string_view tensor) const;
  double number(std::string_view tensor) const;

  [[noreturn]] void fail(const OnnxNode& node, std::string_view problem) const;

 private:
  const OnnxGraph& graph_;
  std::string advice_;
};

}  // namespace bisector::io
