// The checks that the entries of this area share; each throws InvalidInput.
#pragma once

#include <string_view>

#include "bisector/matrix.h"
#include "core/models/checks.h"

namespace bisector::detail {

/// Every entry finite and within `limit`; the default leaves room to square and sum.
void require_numbers(MatrixView<const double> rows, std::string_view what,
                     double limit = kLargestCoordinate);

}  // namespace bisector::detail
