// The values inside the messages of an ONNX file: attributes of nodes, and tensors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/onnx/onnx_graph.h"

namespace bisector::io {

/// The attributes of one node. Every reader throws FormatError, naming the node and the attribute,
/// for one that is missing (where no fallback is given) or of another type.
class OnnxAttributes {
 public:
  OnnxAttributes(const OnnxGraph& graph, const OnnxNode& node) : graph_(graph), node_(node) {}

  bool has(std::string_view name) const;
  std::int64_t integer(std::string_view name, std::int64_t fallback) const;
  double number(std::string_view name, double fallback) const;
  std::string text(std::string_view name, std::string_view fallback) const;
  std::vector<double> numbers(std::string_view name) const;
  std::vector<std::int64_t> integers(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  /// The TensorProto in an attribute.
  std::string_view tensor(std::string_view name) const;
  /// The GraphProto in an attribute.
  std::string_view graph(std::string_view name) const;

  [[noreturn]] void fail(std::string_view name, std::string_view problem) const;

 private:
  struct Value;
  static Value value(std::string_view message);

  std::optional<std::string_view> find(std::string_view name) const;
  Value required(std::string_view name) const;
  /// A member of the value; fails with `expected` if the attribute has another type.
  template <class T>
  T get(std::string_view name, std::optional<T> Value::*member, std::string_view expected) const;
  template <class T>
  std::vector<T> get_list(std::string_view name, std::vector<T> Value::*member,
                          std::string_view expected) const;

  const OnnxGraph& graph_;
  const OnnxNode& node_;
};

/// Throws FormatError unless the Cast node makes float or double numbers.
void require_cast_to_real(const OnnxGraph& graph, const OnnxNode& node);

/// A tensor of real or whole numbers.
struct OnnxTensor {
  std::vector<std::size_t> shape;
  std::vector<double> values;  // row by row

  /// True for a number, a vector or a matrix of one row, which apply column by column.
  bool is_row() const;
};

/// Throws FormatError, naming the tensor `title`, if its type is not float32, float64, int32 or
/// int64, its shape does not fit its values, or its values are in another file.
OnnxTensor read_onnx_tensor(const OnnxGraph& graph, std::string_view message,
                            std::string_view title);

/// True for a tensor of texts.
bool has_onnx_texts(std::string_view message);
/// Throws FormatError, naming the tensor `title`, for other elements.
std::vector<std::string> read_onnx_texts(const OnnxGraph& graph, std::string_view message,
                                         std::string_view title);

/// An initializer, the output of a Constant node, a square root of these (whitening), or a
/// quotient. Throws FormatError for a tensor that is none of these.
OnnxTensor read_onnx_constant(const OnnxGraph& graph, std::string_view tensor);

}  // namespace bisector::io
