// Temporary files that a signal has to remove before the process ends.
#pragma once

#include <string>

namespace bisector::tools {

/// Delays signals that would end the process while an object exists: for the time between making a
/// file and listing it.
class SignalsHeld {
 public:
  SignalsHeld();
  ~SignalsHeld();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
};

/// Lists the name of an unfinished file while this object exists.
class UnfinishedFile {
 public:
  /// If the name or the list is too long, a signal does not remove the file.
  explicit UnfinishedFile(const std::string& name);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

 private:
  int slot_;
};

/// From now on SIGINT, SIGTERM, SIGHUP and SIGPIPE remove the unfinished files and end the
/// process silently with status 128 + signal. Exceeding a file size limit is a write error, not a
/// signal.
void remove_unfinished_files_on_signals();

}  // namespace bisector::tools
