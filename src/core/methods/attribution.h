// What every method takes and returns, and how the rows are decided on the way.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "bisector/matrix.h"
#include "core/contrast/contrasts.h"
#include "core/contrast/outside_check.h"
#include "core/models/rows.h"

namespace bisector::detail {

/// Rows of the model's input space that are explained together.
struct InputRows {
  MatrixView<const double> rows;
  std::span<const RowDecision> votes;  // Contrasts::vote
  std::size_t first = 0;               // the number of the first row in its file
  Voters voters = {};
};

/// The decisions and the relevance of some rows, in the unit of the output that is explained.
struct Attribution {
  std::vector<RowDecision> decisions;
  Matrix relevance;            // rows x input features
  std::vector<double> base;    // what the relevance is measured from
  Matrix standard_error = {};  // of methods that draw at random; otherwise empty
};

/// How a row's relevance becomes values in the unit of f.
enum class Conversion {
  none,     // it is in the unit of f already
  scale,    // one factor; what the values miss is the remainder
  stretch,  // one factor per sign, so that the values sum to f - base value
  parts     // relevance of one sign: its parts of f - base value, whatever the scale
};

/// How the relevance of a row is brought to the difference of the output from its base value.
struct Accounting {
  Conversion conversion;
  bool is_corrected;  // a path rule alone, whose sum has the error of its steps
};

/// Decides rows, each by the contrast of its pair of classes.
class RowDecider {
 public:
  /// `contrasts` outlive this object.
  RowDecider(const Contrasts& contrasts, OutsideCheck is_outside)
      : contrasts_(&contrasts), is_outside_(std::move(is_outside)) {}

  std::vector<RowDecision> operator()(const InputRows& in) const {
    return run(in, [](const Contrast& contrast, const RowTile& tile, auto) {
      return contrast.decide(tile);
    });
  }
  /// The same where decide(contrast, tile, places) gives the decisions of a tile; `places` are
  /// those of its rows among all.
  template <class Decide>
  std::vector<RowDecision> run(const InputRows& in, const Decide& decide) const;

 private:
  const Contrasts* contrasts_;
  OutsideCheck is_outside_;
};

template <class Decide>
std::vector<RowDecision> RowDecider::run(const InputRows& in, const Decide& decide) const {
  std::vector<RowDecision> decided(in.rows.rows());
  for (const RowGroup& group : contrasts_->groups(in.rows.rows(), in.votes)) {
    const bool has_all_rows = group.rows.size() == in.rows.rows();
    const Matrix own = has_all_rows ? Matrix() : gather_rows(in.rows, group.rows);
    for_each_tile(contrasts_->model(), has_all_rows ? in.rows : own.view(), contrasts_->threads(),
                  [&](RowTile tile) {
                    if (!in.voters.empty()) tile.voters = in.voters.subspan(tile.first, tile.count);
                    const auto places = std::span(group.rows).subspan(tile.first, tile.count);
                    std::vector<RowDecision> part = decide(*group.contrast, tile, places);
                    for (std::size_t r = 0; r < tile.count; ++r) {
                      RowDecision& row = part[r];
                      row.is_outside = row.is_outside || is_outside_(tile.rows.row(r));
                      if (!in.votes.empty()) contrasts_->take(in.votes[places[r]], row);
                      if (!row.has_output) row.g = 0.0;
                      decided[places[r]] = row;
                    }
                  });
  }
  return decided;
}

}  // namespace bisector::detail
