// Our entries in the metadata of an ONNX file, for data that the graph cannot hold.
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

/// Throws FormatError for malformed entries of ours; other entries are not read.
OnnxMetadata read_onnx_metadata(const OnnxGraph& graph);

}  // namespace bisector::io
