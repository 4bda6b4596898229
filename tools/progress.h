// A progress line on the terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>

namespace bisector::tools {

class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  /// Shows progress on `terminal` (null: nowhere) after the time `quiet`.
  Progress(std::string verb, std::ostream* terminal,
           Clock::duration quiet = std::chrono::seconds(1));
  /// Shows progress on standard error if it is a terminal and the results go elsewhere.
  static Progress on_terminal(std::string verb, bool results_to_stdout);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `rows` are done, and `fraction` of all rows if it is known.
  void update(std::size_t rows, std::optional<double> fraction);
  /// For work that is not counted in rows.
  void update(double fraction);
  /// For work without a known end: `count` of `what` are done.
  void update_count(std::size_t count, const char* what);

  /// True if progress is shown on a terminal.
  bool is_shown_anywhere() const { return terminal_ != nullptr; }

  /// Shows nothing from now on, in the whole process: --quiet.
  static void silence(bool is_quiet);

 private:
  /// True if it is time for an update.
  bool is_due();
  void show(const std::string& text);

  std::string verb_;
  std::ostream* terminal_;
  Clock::time_point start_, next_;
  bool is_shown_ = false;
};

}  // namespace bisector::tools
