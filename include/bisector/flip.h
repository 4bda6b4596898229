// Flips: the smallest change of a row that makes the model decide otherwise.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "bisector/enum_names.h"
#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector {

/// How a column may change.
enum class AllowedChange { any, increase, decrease, none };

constexpr std::string_view name(AllowedChange change) {
  switch (change) {
    case AllowedChange::any:
      return "any";
    case AllowedChange::increase:
      return "increase";
    case AllowedChange::decrease:
      return "decrease";
    case AllowedChange::none:
      return "none";
  }
  return {};
}

/// A column of the data: one input feature, or the features of a one-hot column, which change
/// together.
struct FlipColumn {
  std::vector<std::size_t> features = {};
  /// The values that the features can have together, levels x features; empty for a number. For
  /// levels, to increase is to take a later one.
  Matrix levels = {};
  /// The range of a number. A row outside the range may keep its value.
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  std::optional<int> decimals = {};  // digits after the point with which a number is written
  AllowedChange change = AllowedChange::any;

  bool is_number() const { return levels.rows() == 0; }
  bool operator==(const FlipColumn&) const = default;
};

/// The columns of a model: those of its encoding, or else one number per feature. Ranges and
/// decimals are those of `rows` (R x features) and of the model's points, unless a matrix hides the
/// points' values. At most about five significant digits of a range are written.
BISECTOR_EXPORT std::vector<FlipColumn> flip_columns(const Model& model,
                                                     MatrixView<const double> rows);

struct FlipOptions {
  std::vector<FlipColumn> columns = {};      // empty: flip_columns() of the examples
  std::size_t count = 1;                     // different answers per row
  std::size_t most_changes = 0;              // changed columns per answer; 0: any number
  std::optional<double> reach = {};          // regressors: the value to reach; required
  std::optional<std::size_t> to_class = {};  // the class to reach; without it, any other class
  /// Rows of data from which the search starts, R x features; the model's points are added.
  Matrix examples = {};
  bool with_radius = true;  // false: RowFlips::radius is 0, which saves time
  /// Multiplications per row that may tighten the radius of neighbors with two classes.
  double bound_work = 2e6;
  unsigned threads = 0;  // 0: all processors
};

/// A changed row that the model decides otherwise.
struct Flip {
  std::vector<double> row;           // input features
  std::vector<std::size_t> changed;  // columns, ascending
  double distance = 0.0;             // Euclidean, in the model's space
  std::size_t prediction = 0;        // class, into Model::labels()
  double value = 0.0;                // regressors: the prediction
};

/// The answers for one row.
struct RowFlips {
  std::vector<Flip> flips;     // nearest first; empty: none was found
  std::size_t prediction = 0;  // of the row itself
  double value = 0.0;          // regressors: of the row itself
  /// No change shorter than this flips the prediction, whatever columns it changes (Euclidean, in
  /// the model's space). 0: no radius is known.
  double radius = 0.0;
  /// The nearest row of FlipOptions::examples that has the other outcome, and its distance.
  std::optional<std::size_t> example = {};
  double example_distance = 0.0;
};

/// Finds flips. A category that changes has its weight as its distance. Every answer was predicted
/// again after it was rounded. The same input gives the same output on any number of threads. Safe
/// to share between threads.
class BISECTOR_EXPORT FlipFinder {
 public:
  /// Throws InvalidInput for a regressor without a value to reach, for a class that the model does
  /// not have, and for columns or examples that do not fit the model.
  explicit FlipFinder(const Model& model, FlipOptions options = {});
  FlipFinder(FlipFinder&&) noexcept;
  FlipFinder& operator=(FlipFinder&&) noexcept;
  ~FlipFinder();

  const std::vector<FlipColumn>& columns() const;

  /// One entry per row; `rows` is R x features. Throws InvalidInput or InvalidRow for rows that the
  /// model cannot predict.
  std::vector<RowFlips> operator()(MatrixView<const double> rows) const;

 private:
  class Implementation;
  std::unique_ptr<const Implementation> implementation_;
};

}  // namespace bisector
