// Conversion of relevance from the unit of g to the unit of the model's output f
// (docs/guide/units.md).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bisector/explain.h"
#include "bisector/matrix.h"
#include "bisector/model.h"
#include "core/contrast/contrasts.h"
#include "core/contrast/reference_rows.h"
#include "core/methods/attribution.h"

namespace bisector::detail {

/// Mean, scale and limit of a contrast over reference rows, from f and g of the rows. Rows without
/// an output are left out by the caller.
UnitScale unit_scale(std::span<const double> f, std::span<const double> g);

/// A row before its conversion.
struct UnconvertedRow {
  double difference = 0.0;           // f - base value, which the values have to sum to
  double scale = 0.0, limit = 0.0;   // c and F of the contrast
  std::optional<double> ratio = {};  // f / g of a kernel machine, if g is neither 0 nor infinite
  bool is_vote = false;              // of neighbors or centroids: f is bounded, g is not
};

/// What the conversion multiplied the relevance of each sign by, and what is left.
struct Converted {
  double positive = 0.0, negative = 0.0;  // factors of the standard errors
  double remainder = 0.0;
  double stretch = 1.0;  // y; 1 if nothing was stretched
};

/// Converts the relevance of a row in place. Every result is finite. Signs and the order within
/// each sign stay; both sides are at most |difference| + limit.
Converted convert(const UnconvertedRow& row, Conversion conversion, std::span<double> relevance);

/// The unit scale of a contrast, and what its reference rows say about its output.
struct ContrastScale : UnitScale {
  /// The 5th and the 95th percentile of the output differ by at most a thousandth of its range.
  bool is_alike = false;
};

/// True for at least 20 outputs of which nearly all are alike; see ContrastScale.
bool are_alike(std::vector<double> outputs);

/// The unit scales of the contrasts of an explainer: from rows that were given, else those that the
/// model stores, else from the model's own background or points.
class UnitScales {
 public:
  /// At most this many rows represent the data: as many as the candidates for references, so that
  /// the neighbors of both are searched once.
  static constexpr std::size_t kMaxRows = kMaxDrawnRows;

  using Rows = std::optional<MatrixView<const double>>;

  /// `contrasts` and the rows of `background` outlive this object. `is_given`: the background is
  /// not the model's own.
  UnitScales(const Contrasts& contrasts, Rows background, bool is_given);

  /// The scale for `pair.positive` against `pair.negative`; the mean of a regressor is that of its
  /// prediction.
  ContrastScale of(Model::ClassPair pair) const;

 private:
  /// Background rows that all have one output have a mean but no scale. The scale and the limit are
  /// then those of the model.
  ContrastScale computed(Model::ClassPair pair) const;
  /// The stored scale of a pair in ascending order.
  std::optional<UnitScale> stored(Model::ClassPair pair) const;
  /// The stored scale, else that of the model's points.
  ContrastScale of_model(Model::ClassPair pair) const;
  /// The scale over rows of the background, or over the model's points.
  ContrastScale over(ReferenceRows::Source source, Model::ClassPair pair) const;

  const Contrasts& contrasts_;
  Rows background_;  // empty if the model's points represent the data
  bool is_given_;
  PairCache<ContrastScale> scales_;
};

// Attribution totals of a row: base value, relevance and remainder add up to the output, in the
// unit of the explanation. This is the only place that derives them.

/// What finish_row has to know about a row.
struct RowTotals {
  double explained = 0.0;  // in the unit g: what relevance and base value are parts of
  Accounting accounting = {Conversion::none, false};
  // Other units:
  double output = 0.0;  // what predict prints
  double base = 0.0;    // of a conversion: the base value; without one: the level, which is added
  UnconvertedRow row = {};  // `difference` is set from output and base value
  double limit = 0.0;       // F of the contrast
  bool is_alike = false;    // nearly all reference rows have the same output
};

/// Sets output, base value and remainder of row r and converts its relevance to the explanation's
/// unit. On entry the relevance and the base value are in the unit of `explained`. What a path rule
/// misses becomes a correction of the relevance, within limits; the rest, and all of it for other
/// rules, becomes the remainder.
void finish_row(Explanation& result, std::size_t r, const RowTotals& totals);

}  // namespace bisector::detail
