// The order of two classes. In ONNX a positive sum means the first class. In scikit-learn, which
// writes such files, the second class is the positive one, and we follow scikit-learn.
#pragma once

#include "bisector/kernel_machine.h"

namespace bisector::io {

/// The same classifier of two classes in reverse order: f changes its sign.
KernelClassifier with_classes_exchanged(const KernelClassifier& model);

}  // namespace bisector::io
