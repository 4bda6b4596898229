// Rows far from all data that a model has seen, where whatever it says is a guess.
#pragma once

#include <memory>
#include <vector>

#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector {

namespace detail {
class OutsideCheck;
}

/// The check that Explanation::outside is made by where there is no background: against the model's
/// own points. Safe to share between threads.
class BISECTOR_EXPORT OutsideRows {
 public:
  explicit OutsideRows(const Model& model, unsigned threads = 0);
  OutsideRows(OutsideRows&&) noexcept;
  OutsideRows& operator=(OutsideRows&&) noexcept;
  ~OutsideRows();

  /// How many of the rows, in the model's input space, are outside.
  std::size_t count(MatrixView<const double> rows) const;

 private:
  Model model_;
  unsigned threads_;
  std::unique_ptr<const detail::OutsideCheck> is_outside_;
};

}  // namespace bisector
