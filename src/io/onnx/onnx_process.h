// Gaussian process regression, as skl2onnx composes it of basic operators.
#pragma once

#include <optional>
#include <string_view>

#include "bisector/kernel_machine.h"
#include "io/onnx/onnx_graph.h"

namespace bisector::io {

struct OnnxProcess {
  KernelMachine machine;
  std::string_view rows;  // the tensor of the rows
};

/// True if the graph has an exponential of distances.
bool has_onnx_process(const OnnxGraph& graph);

/// Reads the mean of a Gaussian process, the graph's first output. The kernel is Gaussian, times a
/// constant, with or without white noise. Throws FormatError for every other graph.
OnnxProcess read_onnx_process(const OnnxGraph& graph);

}  // namespace bisector::io
