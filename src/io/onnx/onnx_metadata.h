// What we keep in the metadata of an ONNX file, because its graph has no place for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/onnx/onnx_graph.h"

namespace bisector::io {

inline constexpr char kOnnxFeatureNames[] = "bisector.feature_names";  // a JSON list of texts
inline constexpr char kOnnxTargetMean[] = "bisector.target_mean";
inline constexpr char kOnnxMedianDistance[] = "bisector.median_distance";

struct OnnxMetadata {
  std::vector<std::string> feature_names;
  std::optional<double> target_mean, median_distance;
};

/// Throws FormatError for entries of ours that are not what they should be; others are not read.
OnnxMetadata read_onnx_metadata(const OnnxGraph& graph);

}  // namespace bisector::io
