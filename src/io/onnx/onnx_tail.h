// The part of an ONNX graph after the SVM. It may convert scores but must not change predictions.
#pragma once

#include <cstddef>
#include <vector>

#include "io/onnx/onnx_graph.h"

namespace bisector::io {

/// Throws FormatError unless the label of the SVMClassifier is an unchanged output of the graph and
/// is not used otherwise.
void require_label_is_output(const OnnxGraph& graph, std::size_t svm);

/// True if an SVMRegressor is a one-class machine, by its attribute or because its sign is taken.
/// Throws FormatError if its prediction is changed before it becomes an output.
bool is_one_class(const OnnxGraph& graph, std::size_t svm);

/// Throws FormatError for a node that uses the data but does not belong to `front`, the
/// preprocessing.
void require_no_path_past(const OnnxGraph& graph, std::size_t svm, const std::vector<bool>& front);

}  // namespace bisector::io
