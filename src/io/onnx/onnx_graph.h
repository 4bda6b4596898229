// The graph of an ONNX file: nodes, constants, inputs and outputs as views into the file's bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bisector/limits.h"

namespace bisector::io {

struct OnnxAttribute {
  std::string_view name, message;  // the AttributeProto
};

struct OnnxNode {
  std::string_view op, domain, name;
  std::vector<std::string_view> inputs, outputs;
  std::vector<OnnxAttribute> attributes;

  /// For messages: "node \"SVMc\" (SVMClassifier)".
  std::string title() const;
};

struct OnnxInput {
  std::string_view name;
  std::optional<std::size_t> width;  // number of columns, if the file states it
  bool is_text = false;
};

/// The contents of a graph and the node that computes each tensor. The views refer to the bytes of
/// the file.
class OnnxGraph {
 public:
  /// Throws FormatError for bytes that are not an ONNX model, and for more nodes, inputs or
  /// attributes than the limits allow.
  OnnxGraph(std::string_view bytes, std::string_view source, const Limits& limits);

  /// The graph inside a node, from its message. It has no access to the tensors around it.
  OnnxGraph body(std::string_view message) const;

  const Limits& limits() const { return limits_; }
  /// The size of the file.
  std::size_t bytes() const { return bytes_; }
  const std::vector<OnnxNode>& nodes() const { return nodes_; }
  /// The inputs without the constants that old files list among them.
  const std::vector<OnnxInput>& inputs() const { return inputs_; }
  bool has_operator(std::string_view op) const;
  const std::vector<std::string_view>& outputs() const { return outputs_; }

  /// The node that computes a tensor; null for inputs and constants.
  std::optional<std::size_t> maker(std::string_view tensor) const;
  /// The TensorProto of a constant of that name.
  std::optional<std::string_view> constant(std::string_view tensor) const;
  std::optional<std::size_t> input(std::string_view tensor) const;
  /// For each node: true if the tensor depends on it.
  std::vector<bool> nodes_before(std::string_view tensor) const;
  /// For each node: true if it depends on one of the tensors other than through the node `barrier`.
  std::vector<bool> nodes_behind(std::vector<std::string_view> tensors,
                                 std::optional<std::size_t> barrier = std::nullopt) const;
  /// An input of a node; fails if the node has fewer.
  std::string_view operand(const OnnxNode& node, std::size_t place) const;
  /// The file's metadata under a key.
  std::optional<std::string_view> metadata(std::string_view key) const;

  [[noreturn]] void fail(std::string_view problem) const;
  [[noreturn]] void fail(const OnnxNode& node, std::string_view problem) const;

 private:
  /// An empty graph.
  OnnxGraph(std::string_view source, const Limits& limits, std::size_t bytes)
      : source_(source), limits_(limits), bytes_(bytes) {}
  template <class Read>
  void read(Read&& read_parts);
  void read_model(std::string_view message);
  void read_graph(std::string_view message);
  OnnxNode read_node(std::string_view message);
  /// Limits the number of views: a view is larger than the shortest message.
  void count_part();
  void index_names();

  std::string source_;
  Limits limits_;
  std::size_t bytes_;
  std::vector<OnnxNode> nodes_;
  std::vector<OnnxInput> inputs_;
  std::vector<std::string_view> outputs_;
  std::unordered_map<std::string_view, std::string_view> constants_, metadata_;
  std::unordered_map<std::string_view, std::size_t> makers_, input_places_;
  std::unordered_multimap<std::string_view, std::size_t> takers_;
  bool has_graph_ = false;
  std::size_t parts_ = 0;
};

}  // namespace bisector::io
