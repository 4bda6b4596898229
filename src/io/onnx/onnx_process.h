// Gaussian process regression in the plain operators that skl2onnx writes it in.
#pragma once

#include <optional>
#include <string_view>

#include "bisector/kernel_machine.h"
#include "io/onnx/onnx_graph.h"

namespace bisector::io {

struct OnnxProcess {
  KernelMachine machine;
  std::string_view rows;  // the tensor that distances are taken from
};

/// True where the graph has a kernel's exponential of distances.
bool has_onnx_process(const OnnxGraph& graph);

/// The mean of a process with a Gaussian kernel, times a constant and with white noise or without,
/// as the graph's first output. Throws FormatError for every other graph.
OnnxProcess read_onnx_process(const OnnxGraph& graph);

}  // namespace bisector::io
