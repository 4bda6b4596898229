// Temporary files that a signal has to remove before the process ends.
#pragma once

#include <string>

namespace bisector::tools {

/// While one exists, signals that would end the process wait; it ends when the last one is gone.
/// For the moments in which a file is there that no list names yet.
class SignalsHeld {
 public:
  SignalsHeld();
  ~SignalsHeld();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
};

/// The name of an unfinished file, in the list while this exists.
class UnfinishedFile {
 public:
  /// Where the name is too long or too many are listed, a signal leaves the file behind.
  explicit UnfinishedFile(const std::string& name);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

 private:
  int slot_;
};

/// From now on SIGINT, SIGTERM, SIGHUP and SIGPIPE remove the unfinished files and quietly end the
/// process with status 128 + signal. A file that outgrows its limit is an error of the write, and
/// no signal.
void remove_unfinished_files_on_signals();

}  // namespace bisector::tools
