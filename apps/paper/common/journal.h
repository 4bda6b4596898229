// What is finished stays finished: results are appended to a file unit by unit, and a run that was
// killed continues behind the last complete unit.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace bisector::paper {

/// A unit of work with the lines of its result; lines hold no newline and do not start with
/// "begin ".
class Journal {
 public:
  /// Reads what an earlier run with the same `heading` left; a unit whose end is missing or whose
  /// bytes have changed since is dropped. A file with another heading (other settings) is an
  /// InvalidInput error that says so.
  Journal(std::filesystem::path path, std::string heading);

  bool contains(const std::string& unit) const { return units_.contains(unit); }
  const std::vector<std::string>& lines(const std::string& unit) const { return units_.at(unit); }
  /// Written through to the disk before it returns.
  void add(const std::string& unit, const std::vector<std::string>& lines);

 private:
  std::filesystem::path path_;
  std::map<std::string, std::vector<std::string>> units_;
};

}  // namespace bisector::paper
