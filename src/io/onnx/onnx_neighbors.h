// Nearest neighbors in the plain operators that skl2onnx writes them in.
#pragma once

#include <string_view>

#include "bisector/model.h"
#include "io/onnx/onnx_graph.h"

namespace bisector::io {

struct OnnxNeighbors {
  Predictor predictor;    // a NeighborModel or NeighborRegressor
  std::string_view rows;  // the tensor that distances are taken from
};

/// True where the graph looks for smallest numbers, as neighbors need it.
bool has_onnx_neighbors(const OnnxGraph& graph);

/// Of the graph's first output. Throws FormatError for every other graph than skl2onnx writes.
OnnxNeighbors read_onnx_neighbors(const OnnxGraph& graph);

}  // namespace bisector::io
