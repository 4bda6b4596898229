// Results are appended to a file unit by unit. A run that was killed continues after the last
// complete unit.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace bisector::paper {

/// Stores the result lines of each unit of work. Lines have no newline and do not start with
/// "begin ".
class Journal {
 public:
  /// Reads the units of an earlier run with the same `heading`. Drops incomplete units and units
  /// whose checksum is wrong. Throws InvalidInput for another heading (other settings).
  Journal(std::filesystem::path path, std::string heading);

  bool contains(const std::string& unit) const { return units_.contains(unit); }
  const std::vector<std::string>& lines(const std::string& unit) const { return units_.at(unit); }
  /// Returns when the unit is on the disk.
  void add(const std::string& unit, const std::vector<std::string>& lines);

 private:
  std::filesystem::path path_;
  std::map<std::string, std::vector<std::string>> units_;
};

}  // namespace bisector::paper
