// The preprocessing part of an ONNX graph: the columns it takes and the operations on them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/affine_map.h"
#include "io/onnx/onnx_graph.h"

namespace bisector::io {

struct OnnxFront {
  AffineMap map;
  std::vector<std::string> feature_names;  // of several inputs of one column each; else empty
  std::vector<bool> nodes;                 // true for nodes of this part
};

/// Follows `tensor`, which has to have `width` columns, back to the graph's inputs. Throws
/// FormatError, naming the node, for an operation that is not linear in the columns.
OnnxFront read_onnx_front(const OnnxGraph& graph, std::string_view tensor, std::size_t width);

}  // namespace bisector::io
