// Rows far from the training data, where a prediction is a guess.
#pragma once

#include <memory>

#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector {

namespace detail {
class OutsideCheck;
}

/// The check of Explanation::outside without a background: it compares rows with the model's own
/// points. Safe to share between threads.
class BISECTOR_EXPORT OutsideRows {
 public:
  explicit OutsideRows(const Model& model, unsigned threads = 0);

  /// The number of rows, in the model's input space, that are far from the points.
  std::size_t count(MatrixView<const double> rows) const;

 private:
  Model model_;
  unsigned threads_;
  std::shared_ptr<const detail::OutsideCheck> is_outside_;
};

}  // namespace bisector
