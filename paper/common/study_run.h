// What all studies share: their folders, a journal that a later run continues, and a log.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "common/journal.h"

namespace bisector::paper {

struct StudyFolders {
  std::filesystem::path data;  // the datasets; missing ones are left out
  std::filesystem::path out = "results";
};

class StudyRun {
 public:
  using Lines = std::vector<std::string>;

  /// Makes the folder and opens the journal `name`.journal. Throws InvalidInput if an earlier run
  /// had other settings.
  StudyRun(const std::filesystem::path& out, const std::string& name, const std::string& settings,
           std::ostream& log);

  const Journal& journal() const { return journal_; }
  /// The lines of a unit. Computes them if the journal does not have them, and logs the time.
  const Lines& lines(const std::string& unit, const std::function<Lines()>& compute);
  /// Writes `name`.csv and `name`.md.
  void write(const std::string& csv, const std::string& page) const;

 private:
  std::filesystem::path out_;
  std::string name_;
  std::ostream& log_;
  Journal journal_;
};

/// The cells of a line of a journal.
std::vector<std::string> cells_of(const std::string& line);
/// The numbers of a line of a journal, from cell `first` on.
std::vector<double> numbers_of(const std::string& line, std::size_t first = 0);

/// Writes the file completely or not at all, and logs its name.
void write_result(const std::filesystem::path& path, const std::string& text, std::ostream& log);

}  // namespace bisector::paper
