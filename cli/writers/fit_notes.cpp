#include "cli/writers/fit_notes.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "bisector/error.h"
#include "bisector/train/fit_cost.h"
#include "tools/platform/machine_memory.h"

namespace bisector::cli {
namespace {

constexpr std::uint64_t kMuch = 1'000'000'000;  // bytes

std::string what(const PlannedFit& fit) {
  return fmt::format("{} of {} rows{}",
                     std::holds_alternative<RidgeLearner>(fit.learner) ? "kernel ridge"
                                                                       : "a support vector machine",
                     fit.rows.rows(), fit.tune ? ", tuned," : "");
}

}  // namespace

void announce_fit(const PlannedFit& fit, std::ostream& notes) {
  const std::uint64_t bytes =
      fit_bytes(fit.learner, fit.rows.rows(), fit.rows.cols(), fit.tune.has_value());
  if (bytes > tools::machine_memory())
    throw InvalidInput(
        fmt::format("{} needs {} of memory, this machine has {}: --sample N learns from N rows",
                    what(fit), bytes_text(bytes), bytes_text(tools::machine_memory())));
  const auto practical = practical_rows(fit.learner);
  const bool is_long = practical && fit.rows.rows() > *practical;
  if (!is_long && bytes <= kMuch) return;
  std::string note = fmt::format("note: {} needs {} of memory", what(fit), bytes_text(bytes));
  if (is_long)
    note += fmt::format(
        " and about {}: an exact solver is no longer practical above {} rows; "
        "--sample N learns from N rows",
        duration_text(
            fit_seconds(fit.learner, fit.rows, fit.target, fit.tune, fit.seed, fit.threads)),
        *practical);
  notes << note << std::endl;  // before the work, which may be long
}

std::string bytes_text(std::uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (size >= 1e9) return fmt::format("{:.1f} GB", size / 1e9);
  return fmt::format("{:.0f} MB", std::ceil(size / 1e6));
}

std::string duration_text(double seconds) {
  constexpr double kMinute = 60.0, kHour = 3600.0, kDay = 86400.0;
  if (seconds <= 1.0) return "1 second";
  if (seconds < 2.0 * kMinute) return fmt::format("{:.0f} seconds", std::ceil(seconds));
  if (seconds < 2.0 * kHour) return fmt::format("{:.0f} minutes", seconds / kMinute);
  if (seconds < 2.0 * kDay) return fmt::format("{:.0f} hours", seconds / kHour);
  return fmt::format("{:.0f} days", seconds / kDay);
}

}  // namespace bisector::cli
