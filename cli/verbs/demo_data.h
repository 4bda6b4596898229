// demo/breast_cancer.csv, compiled in: the Wisconsin diagnostic breast-cancer measurements (W. H.
// Wolberg, O. L. Mangasarian, W. N. Street; UCI repository, CC BY 4.0), as scikit-learn ships them.
#pragma once

#include <string_view>

namespace bisector::cli {

std::string_view demo_data();

}  // namespace bisector::cli
