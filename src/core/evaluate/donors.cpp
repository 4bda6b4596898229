#include "core/evaluate/donors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "bisector/error.h"
#include "bisector/evaluate.h"
#include "bisector/random.h"

namespace bisector {
namespace {

/// Independent of the draws of rows and imputed values, which share the seed.
constexpr std::uint64_t kHalves = 0x686c6166;

}  // namespace

DonorSplit split_donors(std::size_t rows, std::optional<Donors> wanted, std::uint64_t seed) {
  const bool is_large_enough = rows / 2 >= DonorSplit::kMinHalf;
  if (wanted == Donors::disjoint && !is_large_enough)
    throw InvalidInput(
        fmt::format("the background has {} rows, expected at least {} for disjoint "
                    "donors: the rules see one half, the other half imputes",
                    rows, 2 * DonorSplit::kMinHalf));
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (wanted == Donors::same || !is_large_enough) return {Donors::same, order, order};
  Random(derived_seed(seed, kHalves)).shuffle(std::span(order));
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(rows / 2);
  DonorSplit split{Donors::disjoint, {order.begin(), middle}, {middle, order.end()}};
  std::ranges::sort(split.rule);
  std::ranges::sort(split.imputation);
  return split;
}

}  // namespace bisector

namespace bisector::detail {

Matrix without_rows(MatrixView<const double> given, MatrixView<const double> removed) {
  const auto is_less = [](std::span<const double> a, std::span<const double> b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  };
  std::map<std::span<const double>, std::size_t, decltype(is_less)> counts(is_less);
  for (std::size_t r = 0; r < removed.rows(); ++r) ++counts[removed.row(r)];
  std::vector<std::size_t> rest;
  for (std::size_t r = 0; r < given.rows(); ++r) {
    const auto found = counts.find(given.row(r));
    if (found == counts.end() || found->second == 0)
      rest.push_back(r);
    else
      --found->second;
  }
  if (rest.size() < 2)
    throw InvalidInput(
        fmt::format("{} of the {} rows of the rules' background are not among the donors, expected "
                    "at least two, or the same donors",
                    rest.size(), given.rows()));
  return gather_rows(given, rest);
}

}  // namespace bisector::detail
