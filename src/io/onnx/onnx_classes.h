// The order of two classes. In ONNX a positive sum speaks for the first; for scikit-learn, from
// which such files come, the positive class is the second, and we keep to that.
#pragma once

#include "bisector/kernel_machine.h"

namespace bisector::io {

/// The same classifier of two classes with their places exchanged: f changes its sign.
KernelClassifier with_classes_exchanged(const KernelClassifier& model);

}  // namespace bisector::io
