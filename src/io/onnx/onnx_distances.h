// Distances between rows and points, as skl2onnx composes them of basic operators.
#pragma once

#include <string_view>

#include "bisector/distance.h"
#include "bisector/matrix.h"
#include "io/onnx/onnx_walk.h"

namespace bisector::io {

struct OnnxDistances {
  Matrix points;  // S x D
  Distance distance;
  std::string_view rows;  // the tensor of the rows
};

/// Euclidean, Manhattan, Minkowski and cosine distances: a Scan over the points, CDist, or one
/// minus a product of directions. Throws FormatError for anything else.
OnnxDistances read_onnx_distances(const OnnxWalk& walk, std::string_view tensor);
/// Squares of Euclidean distances, by a Scan or CDist.
OnnxDistances read_onnx_squared_distances(const OnnxWalk& walk, std::string_view tensor);

}  // namespace bisector::io
