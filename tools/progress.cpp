#include "tools/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "tools/platform/machine.h"

namespace bisector::tools {
namespace {

constexpr std::size_t kBarWidth = 30;
constexpr auto kPause = std::chrono::milliseconds(100);
constexpr auto kClearLine = "\r\x1b[K";

std::atomic<bool> silent{false};

/// A terminal that cannot clear a line would show a new line for each update.
bool can_clear_lines() {
  const char* const terminal = std::getenv("TERM");
  return is_error_a_terminal() && std::string_view(terminal ? terminal : "") != "dumb";
}

std::string bar(double fraction) {
  const auto filled = static_cast<std::size_t>(std::clamp(fraction, 0.0, 1.0) * kBarWidth);
  return fmt::format("[{}{}] {:3.0f} %", std::string(filled, '#'),
                     std::string(kBarWidth - filled, ' '), 100.0 * fraction);
}

}  // namespace

Progress::Progress(std::string verb, std::ostream* terminal, Clock::duration quiet)
    : verb_(std::move(verb)), terminal_(terminal), start_(Clock::now()), next_(start_ + quiet) {}

Progress Progress::on_terminal(std::string verb, bool results_to_stdout) {
  const bool is_clear =
      !silent && can_clear_lines() && !(results_to_stdout && is_output_a_terminal());
  return Progress(std::move(verb), is_clear ? &std::cerr : nullptr);
}

Progress::~Progress() {
  if (is_shown_) *terminal_ << kClearLine << std::flush;
}

bool Progress::is_due() {
  const auto now = Clock::now();
  if (terminal_ == nullptr || now < next_) return false;
  next_ = now + kPause;
  return true;
}

void Progress::show(const std::string& text) {
  is_shown_ = true;
  *terminal_ << kClearLine << verb_ << ' ' << text << std::flush;
}

void Progress::update(std::size_t rows, std::optional<double> fraction) {
  if (!is_due()) return;
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const double speed = static_cast<double>(rows) / std::max(seconds, 1e-9);
  show((fraction ? bar(*fraction) + "  " : "") +
       fmt::format("{} rows, {:.0f} a second", rows, speed));
}

void Progress::update(double fraction) {
  if (is_due()) show(bar(fraction));
}

void Progress::update_count(std::size_t count, const char* what) {
  if (is_due()) show(fmt::format("{} {}", count, what));
}

void Progress::silence(bool is_quiet) { silent = is_quiet; }

}  // namespace bisector::tools
