#include "core/flips/flip_ending.h"

#include <algorithm>
#include <cmath>

namespace bisector::detail {
namespace {

constexpr int kMostShortenings = 32;
/// A number is fine if its last digit is below this fraction of the distance.
constexpr double kFine = 1e-3;

}  // namespace

std::optional<Row> FlipEnding::written(const Row& row) const {
  const Row& x = goal_.x();
  std::vector<Row> rows{space_.rounded(x, row, ChangeSpace::Rounding::nearest)};
  const Row from = space_.with_levels(x, row);
  for (int exponent = 22; exponent >= 1; --exponent) {
    const Row longer = space_.constrained(x, blend(from, row, 1.0 + std::ldexp(1.0, -exponent)));
    rows.push_back(space_.rounded(x, longer, ChangeSpace::Rounding::nearest));
  }
  rows.push_back(space_.rounded(x, row, ChangeSpace::Rounding::away));
  const auto repeated = std::ranges::unique(rows);
  rows.erase(repeated.begin(), repeated.end());
  const std::vector<bool> are_flipped = flips(rows);
  std::optional<Row> best;
  double least = 0.0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (!are_flipped[r]) continue;
    const double distance = space_.distance(x, rows[r]);
    if (!best || distance < least) {
      best = rows[r];
      least = distance;
    }
  }
  return best;
}

void FlipEnding::remove_unneeded(Row& row) const {
  while (true) {
    std::vector<std::size_t> columns = space_.changed(goal_.x(), row);
    std::ranges::stable_sort(columns, std::less<>(),
                             [&](std::size_t c) { return space_.squared_part(c, goal_.x(), row); });
    std::vector<Row> without(columns.size(), row);
    for (std::size_t i = 0; i < columns.size(); ++i) space_.copy(columns[i], goal_.x(), without[i]);
    const std::vector<bool> are_flipped = flips(without);
    bool is_changed = false;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!are_flipped[i]) continue;
      Row next(row);
      space_.copy(columns[i], goal_.x(), next);
      if (is_changed && !flips({next})[0]) continue;
      row = std::move(next);
      is_changed = true;
    }
    if (!is_changed) return;
  }
}

bool FlipEnding::is_coarse(std::size_t column, double distance) const {
  const FlipColumn& own = space_.columns()[column];
  return !own.is_number() ||
         space_.last_digit(column) * space_.unit_length(own.features[0]) > kFine * distance;
}

void FlipEnding::shorten_fine(Row& row) const {
  const Row& x = goal_.x();
  const double own = space_.distance(x, row);
  const std::vector<std::size_t> changed = space_.changed(x, row);
  Row low(row), high(row);
  for (const std::size_t c : changed)
    if (!is_coarse(c, own)) space_.copy(c, x, low);
  if (low == row || low == x) return;
  constexpr int kRounds = 3, kParts = 8;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Row> points;
    for (int p = 0; p < kParts; ++p) points.push_back(blend(low, high, p / double{kParts}));
    const std::vector<bool> are_flipped = flips(points);
    const auto first =
        static_cast<std::size_t>(std::ranges::find(are_flipped, true) - are_flipped.begin());
    if (first < points.size()) high = points[first];
    if (first > 0) low = points[first - 1];
  }
  Row found = space_.rounded(x, high, ChangeSpace::Rounding::away);
  if (space_.distance(x, found) < own && flips({found})[0]) row = std::move(found);
}

void FlipEnding::shorten(Row& row) const {
  for (int round = 0; round < kMostShortenings; ++round) {
    const double own = space_.distance(goal_.x(), row);
    std::vector<Row> shorter;
    for (const std::size_t c : space_.changed(goal_.x(), row)) {
      if (space_.columns()[c].is_number() && is_coarse(c, own))
        shorter.push_back(space_.one_digit_back(c, goal_.x(), row));
    }
    const std::vector<bool> are_flipped = flips(shorter);
    std::optional<std::size_t> best;
    double least = own;
    for (std::size_t i = 0; i < shorter.size(); ++i) {
      const double distance = space_.distance(goal_.x(), shorter[i]);
      if (!are_flipped[i] || !(distance < least)) continue;
      best = i;
      least = distance;
    }
    if (!best) return;
    row = shorter[*best];
  }
}

std::optional<Row> FlipEnding::finished(const Row& row) {
  if (goal_.neighbors() != nullptr) {
    is_exact_ = false;
    std::optional<Row> result = attempt(row);
    is_exact_ = true;
    if (result && goal_.flips(*result)) return result;
  }
  return attempt(row);
}

std::optional<Row> FlipEnding::attempt(const Row& row) const {
  Row slim(row);
  remove_unneeded(slim);
  std::optional<Row> result = written(slim);
  if (!result && slim != row) result = written(row);
  if (!result) return std::nullopt;
  shorten(*result);
  shorten_fine(*result);
  remove_unneeded(*result);
  return result;
}

}  // namespace bisector::detail
