#include "train/folds.h"

#include <fmt/format.h>

#include "bisector/error.h"
#include "bisector/random.h"

namespace bisector {

std::vector<std::size_t> stratified_folds(std::span<const std::size_t> classes,
                                          std::size_t class_count, std::size_t folds,
                                          std::uint64_t seed) {
  if (folds < 2 || folds > classes.size())
    throw InvalidInput(fmt::format("{} folds of {} rows, expected from 2 to the number of rows",
                                   folds, classes.size()));
  std::vector<std::vector<std::size_t>> members(class_count);
  for (std::size_t row = 0; row < classes.size(); ++row) members.at(classes[row]).push_back(row);
  Random random(seed);
  std::vector<std::size_t> fold_of(classes.size());
  // Dealt like cards; the next class goes on where the last one ended, so that the folds' sizes
  // stay even too.
  std::size_t next = 0;
  for (auto& rows : members) {
    random.shuffle(std::span(rows));
    for (const std::size_t row : rows) fold_of[row] = next++ % folds;
  }
  return fold_of;
}

}  // namespace bisector

namespace bisector::detail {
namespace {

std::vector<Fold> split(const std::vector<std::size_t>& fold_of, std::size_t count) {
  std::vector<Fold> folds(count);
  for (std::size_t row = 0; row < fold_of.size(); ++row) {
    for (std::size_t f = 0; f < count; ++f)
      (f == fold_of[row] ? folds[f].held_out : folds[f].training).push_back(row);
  }
  return folds;
}

}  // namespace

std::vector<Fold> make_folds(const ClassTarget& target, const TuneOptions& options) {
  return split(stratified_folds(target.classes, target.labels.size(), options.folds, options.seed),
               options.folds);
}

std::vector<Fold> make_folds(const std::vector<double>& target, const TuneOptions& options) {
  const std::vector<std::size_t> one_class(target.size(), 0);
  return split(stratified_folds(one_class, 1, options.folds, options.seed), options.folds);
}

}  // namespace bisector::detail
