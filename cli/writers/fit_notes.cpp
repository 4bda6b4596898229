#include "cli/writers/fit_notes.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "bisector/error.h"
#include "bisector/train/fit_cost.h"
#include "tools/platform/machine.h"

namespace bisector::cli {
namespace {

constexpr std::uint64_t kMuch = 1'000'000'000;  // bytes
constexpr double kLong = 5.0;                   // seconds

std::string what(const PlannedFit& fit) {
  return fmt::format("{} on {} rows{}",
                     std::holds_alternative<RidgeLearner>(fit.learner) ? "kernel ridge"
                                                                       : "a support vector machine",
                     fit.rows.rows(), fit.tune ? ", tuned," : "");
}

bool is_timed(const PlannedFit& fit) { return practical_rows(fit.learner).has_value(); }

double seconds_of(const PlannedFit& fit) {
  return fit_seconds(fit.learner, fit.rows, fit.target, fit.tune, fit.seed, fit.threads);
}

void announce_tuning(const PlannedFit& fit, std::ostream& notes) {
  const double seconds = seconds_of(fit);
  if (seconds > kLong)
    notes << fmt::format("note: tuning on {} rows takes about {}", fit.rows.rows(),
                         duration_text(seconds))
          << std::endl;
}

}  // namespace

void announce_fit(const PlannedFit& fit, std::ostream& notes) {
  const std::uint64_t bytes =
      fit_bytes(fit.learner, fit.rows.rows(), fit.rows.cols(), fit.tune.has_value());
  if (bytes > tools::available_memory())
    throw InvalidInput(
        fmt::format("{} needs {} of memory, {} are available: use --sample N to train on N rows{}",
                    what(fit), bytes_text(bytes), bytes_text(tools::available_memory()),
                    std::holds_alternative<RidgeLearner>(fit.learner) ? ", or --model svr" : ""));
  const auto practical = practical_rows(fit.learner);
  const bool is_long = practical && fit.rows.rows() > *practical;
  if (!is_long && fit.tune && is_timed(fit)) announce_tuning(fit, notes);
  if (!is_long && bytes <= kMuch) return;
  std::string note = fmt::format("note: {} needs {} of memory", what(fit), bytes_text(bytes));
  if (is_long)
    note += fmt::format(
        " and about {}: above {} rows an exact solver is slow; use --sample N to train on N rows",
        duration_text(seconds_of(fit)), *practical);
  notes << note << std::endl;  // flushed, because the work may take long
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
