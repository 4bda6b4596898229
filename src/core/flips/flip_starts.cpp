#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/flips/flip_search.h"

namespace bisector::detail {
namespace {

constexpr std::size_t kExamples = 32, kNeighborExamples = 16;  // nearest ones that are tried
constexpr std::size_t kMostProposals = 512;                    // single changes that are tried
constexpr int kSteepestSteps = 14;
constexpr double kFarthest = 82.0;  // of these steps, in the model's space
/// Bisections of a line; the refinement of a kernel model finds the boundary by itself.
constexpr int kBisections = 8, kKernelBisections = 4;
constexpr std::size_t kLines = 4, kNeighborLines = 2;  // per start, that are bisected to the end
/// Starts are different if they are farther apart than this fraction of their distance.
constexpr double kApart = 0.3;

class Starts {
 public:
  explicit Starts(const FlipSearch& search)
      : search_(search), goal_(search.goal), space_(search.space), x_(search.x()) {}

  std::vector<Row> find(std::size_t count) const {
    std::vector<Row> rows = flipped_rows();
    space_.sort_by_distance(x_, rows);
    const auto repeated = std::ranges::unique(rows);
    rows.erase(repeated.begin(), repeated.end());
    reset_levels(rows);
    return different(on_boundary(std::move(rows), count), count);
  }

 private:
  /// Flipped rows anywhere, with at most as many changes as the search may make. If none of the
  /// nearest examples leads to one, farther ones are tried.
  std::vector<Row> flipped_rows() const {
    std::vector<std::pair<double, std::size_t>> order = goal_examples();
    const std::size_t part = goal_.neighbors() != nullptr ? kNeighborExamples : kExamples;
    for (std::size_t first = 0;; first += part) {
      const std::size_t count = std::min(part, order.size() - first);
      const std::span left = std::span(order).subspan(first);
      std::partial_sort(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(count),
                        left.end());
      std::vector<Row> rows = examples(left.first(count), first == 0);
      if (first == 0) add_other_rows(rows);
      if (search_.most_changes > 0) {
        std::vector<Row> few;
        for (const Row& row : rows)
          if (std::optional<Row> own = with_few_changes(row)) few.push_back(std::move(*own));
        rows = std::move(few);
      }
      if (!rows.empty() || first + count == order.size()) return rows;
    }
  }

  void add_other_rows(std::vector<Row>& rows) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Row& row : rows) nearest = std::min(nearest, search_.distance(row));
    // Ends of ranges are far away: they serve if few columns may change, or if no example flips.
    add_flipped(single_changes(search_.most_changes > 0 || rows.empty()), rows);
    // Longer steps reach the outside of a detector if no example is outside.
    add_flipped(steepest(std::isfinite(nearest) ? nearest : kFarthest), rows);
  }

  /// Adds the proposed rows that flip.
  void add_flipped(std::vector<Row> proposed, std::vector<Row>& rows) const {
    const std::vector<bool> are_flipped = goal_.likely_flips(proposed);
    for (std::size_t r = 0; r < proposed.size(); ++r)
      if (are_flipped[r]) rows.push_back(std::move(proposed[r]));
  }

  /// The examples with the outcome that is to be reached, and their distances.
  std::vector<std::pair<double, std::size_t>> goal_examples() const {
    const FlipModel& shared = goal_.shared();
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t e = 0; e < shared.examples.rows(); ++e)
      if (goal_.is_goal(shared.outcomes, e))
        order.emplace_back(space_.movable_distance(x_, shared.examples.row(e)), e);
    return order;
  }

  /// Flipped rows with the values of these examples, as far as the columns may change.
  std::vector<Row> examples(std::span<const std::pair<double, std::size_t>> chosen,
                            bool with_neighbors) const {
    std::vector<Row> flipped, proposed;
    for (const auto& [distance, e] : chosen) {
      const auto example = goal_.shared().examples.row(e);
      Row row = space_.constrained(x_, example);
      (std::ranges::equal(row, example) ? flipped : proposed).push_back(std::move(row));
    }
    if (with_neighbors && !goal_.shared().has_all_points) propose_neighbors(proposed);
    add_flipped(std::move(proposed), flipped);
    return flipped;
  }

  /// The nearest points of other classes, if a model has too many points for the examples.
  void propose_neighbors(std::vector<Row>& rows) const {
    const FlipModel& shared = goal_.shared();
    if (!shared.regions || shared.model.input().has_matrix()) return;
    const AffineMap& input = shared.model.input();
    for (const std::size_t n : shared.regions->nearest_others(
             goal_.in_model_space({x_}).row(0), goal_.prediction(), shared.to_class, kExamples)) {
      const auto point = shared.model.points().row(n);
      Row row(point.begin(), point.end());
      if (!input.is_identity())
        for (std::size_t d = 0; d < row.size(); ++d)
          row[d] = row[d] / input.scale()[d] + input.shift()[d];
      rows.push_back(space_.constrained(x_, row));
    }
  }

  /// Other levels of one column, and the ends of the range of one number.
  std::vector<Row> single_changes(bool with_numbers) const {
    std::vector<Row> singles;
    for (std::size_t c = 0; c < space_.columns().size(); ++c) {
      const FlipColumn& column = space_.columns()[c];
      if (!column.is_number()) {
        for (const std::size_t level : space_.reachable_levels(c, x_)) {
          singles.push_back(x_);
          space_.set_level(c, level, singles.back());
        }
        continue;
      }
      const std::size_t d = column.features[0];
      const ChangeSpace::Range range = space_.range(c, x_);
      for (const double end : {range.lowest, range.highest}) {
        if (!with_numbers || end == x_[d] || !std::isfinite(end)) continue;
        singles.push_back(x_);
        singles.back()[d] = end;
      }
      if (singles.size() > kMostProposals) return {};
    }
    return singles;
  }

  /// Steps along the gradient, at most this long.
  std::vector<Row> steepest(double farthest) const {
    const Contrast* contrast = goal_.contrast(x_);
    if (contrast == nullptr) return {};
    const std::optional<RowGoal::Slope> slope = goal_.slopes(*contrast, {x_})[0];
    if (!slope) return {};
    Row direction(x_.size(), 0.0);
    double squares = 0.0;
    for (std::size_t d = 0; d < x_.size(); ++d) {
      const double unit = space_.unit_length(d);
      if (!(unit > 0.0)) continue;
      direction[d] = -slope->gradient[d] / (unit * unit);
      squares += direction[d] * direction[d] * unit * unit;
    }
    if (!(squares > 0.0) || !std::isfinite(squares)) return {};
    std::vector<Row> rows;
    double length = farthest;
    for (int step = 0; step < kSteepestSteps && length > 0.01; ++step, length *= 0.5) {
      Row row(x_);
      for (std::size_t d = 0; d < row.size(); ++d)
        row[d] += length / std::sqrt(squares) * direction[d];
      rows.push_back(space_.constrained(x_, row));
    }
    return rows;
  }

  /// Takes over as few columns of the start as flip, at most as many as the search may change.
  std::optional<Row> with_few_changes(const Row& start) const {
    if (space_.changed(x_, start).size() <= search_.most_changes) return start;
    const Contrast* contrast = goal_.contrast(start);
    if (contrast == nullptr) return std::nullopt;
    // The column whose value brings g closest to the other side is taken over first.
    Row row(x_);
    for (std::size_t step = 0; step < search_.most_changes; ++step) {
      std::vector<Row> candidates;
      for (const std::size_t c : space_.changed(row, start)) {
        candidates.push_back(row);
        space_.copy(c, start, candidates.back());
      }
      if (candidates.empty()) break;
      const std::vector<double> g = contrast->g_at(goal_.in_model_space(candidates));
      const auto best =
          goal_.sign() < 0.0 ? std::ranges::max_element(g) : std::ranges::min_element(g);
      row = candidates[static_cast<std::size_t>(best - g.begin())];
      if (goal_.flips(row)) return row;
    }
    return std::nullopt;
  }

  /// Takes back changed levels that are not needed.
  void reset_levels(std::vector<Row>& rows) const {
    for (std::size_t c = 0; c < space_.columns().size(); ++c) {
      if (space_.columns()[c].is_number()) continue;
      std::vector<Row> without;
      std::vector<std::size_t> which;
      for (std::size_t r = 0; r < rows.size(); ++r) {
        if (!space_.differs(c, x_, rows[r])) continue;
        without.push_back(rows[r]);
        space_.copy(c, x_, without.back());
        which.push_back(r);
      }
      const std::vector<bool> are_flipped = goal_.likely_flips(without);
      for (std::size_t i = 0; i < which.size(); ++i)
        if (are_flipped[i]) rows[which[i]] = without[i];
    }
  }

  /// A line from a row that is not flipped to a flipped row.
  struct Line {
    Row from, to;
  };

  /// Moves flipped rows toward x until they are close to the boundary, nearest first; levels stay.
  /// The nearest ones, at least `count`, are kept.
  std::vector<Row> on_boundary(std::vector<Row> rows, std::size_t count) const {
    std::vector<Row> levels, result;
    std::vector<Line> lines;
    for (Row& row : rows) {
      Row from = search_.from(row);
      if (from != x_) levels.push_back(from);
      lines.push_back({std::move(from), std::move(row)});
    }
    add_flipped(levels, result);
    std::erase_if(lines, [&](const Line& line) {
      return std::ranges::find(result, line.from) != result.end();
    });
    bisect(lines, (goal_.neighbors() != nullptr ? kNeighborLines : kLines) * count);
    for (Line& line : lines) result.push_back(std::move(line.to));
    space_.sort_by_distance(x_, result);
    return result;
  }

  /// Bisects the lines; those that are likely to end farther away than others are left out.
  void bisect(std::vector<Line>& lines, std::size_t kept) const {
    const int steps = goal_.model().kernel() != nullptr ? kKernelBisections : kBisections;
    for (int step = 0; step < steps; ++step) {
      std::vector<Row> middle;
      for (const Line& line : lines) middle.push_back(blend(line.from, line.to, 0.5));
      const std::vector<bool> are_flipped = goal_.likely_flips(middle);
      for (std::size_t n = 0; n < lines.size(); ++n)
        (are_flipped[n] ? lines[n].to : lines[n].from) = std::move(middle[n]);
      if (lines.size() <= kept) continue;
      std::ranges::stable_sort(lines, std::less<>(),
                               [&](const Line& line) { return search_.distance(line.to); });
      lines.resize(std::max(kept, lines.size() / 2));
    }
  }

  /// The nearest rows that are not close to a nearer one, then the others.
  std::vector<Row> different(const std::vector<Row>& rows, std::size_t count) const {
    std::vector<Row> result;
    for (const double apart : {kApart, 0.0}) {
      for (const Row& row : rows) {
        if (result.size() == count) return result;
        const double least = apart * search_.distance(row);
        const bool is_new = std::ranges::all_of(
            result, [&](const Row& other) { return space_.distance(other, row) > least; });
        if (is_new) result.push_back(row);
      }
    }
    return result;
  }

  const FlipSearch& search_;
  const RowGoal& goal_;
  const ChangeSpace& space_;
  const Row& x_;
};

}  // namespace

std::vector<Row> flip_starts(const FlipSearch& search, std::size_t count) {
  return Starts(search).find(count);
}

}  // namespace bisector::detail
