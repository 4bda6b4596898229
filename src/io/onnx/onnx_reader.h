// Reading an ONNX model from memory.
#pragma once

#include <string_view>

#include "bisector/limits.h"
#include "bisector/model.h"

namespace bisector::io {

/// As read_onnx_model(), for the bytes of a file; `source` names it in errors.
Model read_onnx_bytes(std::string_view bytes, std::string_view source, const Limits& limits = {});

}  // namespace bisector::io
