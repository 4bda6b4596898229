// What the rules may know where others complete.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "bisector/matrix.h"

namespace bisector::detail {

/// `given` without one row for each that is equal in `removed`: of equal rows, as many stay as
/// there are more of them in `given`. Throws InvalidInput where fewer than two stay.
Matrix without_rows(MatrixView<const double> given, MatrixView<const double> removed);

}  // namespace bisector::detail
