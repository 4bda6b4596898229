// The checks that the entries of this area share; each throws InvalidInput.
#pragma once

#include <string_view>

#include "bisector/matrix.h"
#include "models/checks.h"

namespace bisector {

/// Every entry finite and within `limit`; the default leaves room to square and sum.
void require_numbers(MatrixView<const double> rows, std::string_view what,
                     double limit = kLargestCoordinate);

}  // namespace bisector
