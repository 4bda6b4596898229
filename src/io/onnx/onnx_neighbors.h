// Nearest neighbors, as skl2onnx composes them of basic operators.
#pragma once

#include <string_view>

#include "bisector/model.h"
#include "io/onnx/onnx_graph.h"

namespace bisector::io {

struct OnnxNeighbors {
  Predictor predictor;    // a NeighborModel or NeighborRegressor
  std::string_view rows;  // the tensor of the rows
};

/// True if the graph searches smallest values, as nearest neighbors do.
bool has_onnx_neighbors(const OnnxGraph& graph);

/// Reads the model of the graph's first output. Throws FormatError for graphs that skl2onnx does
/// not write.
OnnxNeighbors read_onnx_neighbors(const OnnxGraph& graph);

}  // namespace bisector::io
