// As many references as a row needs: references = auto.
//
// A row starts with kReferenceBatch references. Batches are added until the three features with the
// largest absolute values are separated from each other and from the fourth: each is larger than
// the next by two standard errors of the difference, or until kMostReferences are used. The result
// of a row is that of a fixed number of references, so it depends on the row alone.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "bisector/explain.h"
#include "bisector/matrix.h"
#include "bisector/method.h"
#include "bisector/model.h"

namespace bisector::detail {

/// The method with this number of references.
Method with_references(Method method, std::size_t count);

/// The number of references after which the values of a row are expected to be separated; `count`
/// if they are. Standard errors shrink with the square root of the number of references.
std::size_t needed_references(std::span<const double> values, std::span<const double> errors,
                              std::size_t count);

class AdaptiveReferences {
 public:
  /// `method` has automatic references.
  AdaptiveReferences(const Model& model, const Method& method, const ExplainOptions& options);

  /// Explains rows with this number of references each.
  using Explain = std::function<Explanation(MatrixView<const double> rows, std::size_t references)>;

  /// Replaces the rows of `result`, which have kReferenceBatch references, until each is separated,
  /// and sets its number of references.
  void refine(MatrixView<const double> rows, Explanation& result, const Explain& explain) const;

 private:
  std::size_t next(const Explanation& result, std::size_t row, std::size_t count) const;

  std::vector<std::size_t> players_;  // ExplainOptions::players
  std::size_t most_;                  // references of one row
};

}  // namespace bisector::detail
