// Models that skl2onnx composes of basic operators: nearest neighbors and Gaussian processes. Both
// readers take the graph's first output and throw FormatError for graphs that skl2onnx does not
// write.
#pragma once

#include <optional>
#include <string_view>

#include "bisector/model.h"
#include "io/onnx/onnx_graph.h"

namespace bisector::io {

struct OnnxModel {
  Predictor predictor;
  std::string_view rows;  // the tensor of the rows
};

/// True if the graph searches smallest values, as nearest neighbors do.
bool has_onnx_neighbors(const OnnxGraph& graph);
/// A NeighborModel or NeighborRegressor.
OnnxModel read_onnx_neighbors(const OnnxGraph& graph);

/// True if the graph has an exponential of distances.
bool has_onnx_process(const OnnxGraph& graph);
/// The mean of a Gaussian process. The kernel is Gaussian, times a constant, with or without white
/// noise.
OnnxModel read_onnx_process(const OnnxGraph& graph, std::optional<double> target_mean);

}  // namespace bisector::io
