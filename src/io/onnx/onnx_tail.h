// The part of an ONNX graph behind the SVM: it may dress up the scores, but not change what is
// predicted.
#pragma once

#include <cstddef>
#include <vector>

#include "io/onnx/onnx_graph.h"

namespace bisector::io {

/// Throws FormatError unless the label of the SVMClassifier is an output of the graph as it stands,
/// and goes into nothing else.
void require_label_is_output(const OnnxGraph& graph, std::size_t svm);

/// Whether an SVMRegressor tells inside from outside, by its attribute or by the sign that is taken
/// of it. Throws FormatError where what it predicts is changed on its way to the outputs.
bool is_one_class(const OnnxGraph& graph, std::size_t svm);

/// Throws FormatError for a node that takes the data but does not belong to `front`, the part in
/// front of the SVM.
void require_no_way_past(const OnnxGraph& graph, std::size_t svm, const std::vector<bool>& front);

}  // namespace bisector::io
