// A line on the terminal about work that takes its time.
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

  /// Shown on `terminal`, nowhere when that is null; not before `quiet` has passed.
  Progress(std::string verb, std::ostream* terminal,
           Clock::duration quiet = std::chrono::seconds(1));
  /// On standard error, where that is a terminal and the results do not go to one as well.
  static Progress on_terminal(std::string verb, bool results_to_stdout);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `rows` are done; `fraction` of the whole, where it is known.
  void update(std::size_t rows, std::optional<double> fraction);
  /// For work that does not go by rows.
  void update(double fraction);
  /// For work without a known end: `count` of `what` are done.
  void update_count(std::size_t count, const char* what);

  /// From now on nothing is shown, in the whole process: --quiet.
  static void silence(bool is_quiet);

 private:
  /// True where it is time to show something.
  bool is_due();
  void show(const std::string& text);

  std::string verb_;
  std::ostream* terminal_;
  Clock::time_point start_, next_;
  bool is_shown_ = false;
};

}  // namespace bisector::tools
