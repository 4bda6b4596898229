// Rows far from the training data, where a prediction is a guess.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector {

namespace detail {
class OutsideCheck;
}

/// The check of Explanation::outside: it compares rows with the background, or without one with the
/// model's own points. Safe to share between threads.
class BISECTOR_EXPORT OutsideRows {
 public:
  explicit OutsideRows(const Model& model, unsigned threads = 0,
                       const std::optional<Matrix>& background = std::nullopt);

  /// For each row, in the model's input space, whether it is far from them.
  std::vector<bool> operator()(MatrixView<const double> rows) const;
  /// The number of such rows.
  std::size_t count(MatrixView<const double> rows) const;

 private:
  Model model_;
  unsigned threads_;
  std::shared_ptr<const detail::OutsideCheck> is_outside_;
};

}  // namespace bisector
