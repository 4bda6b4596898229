// Background rows visible to the rules if the donor rows are disjoint.
#pragma once

#include "bisector/matrix.h"

namespace bisector::detail {

/// `given` without one equal row for each row of `removed`. Throws InvalidInput if fewer than two
/// rows remain.
Matrix without_rows(MatrixView<const double> given, MatrixView<const double> removed);

}  // namespace bisector::detail
