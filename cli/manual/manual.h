// The verbs and options of the command as data, for the completion and for messages.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace bisector::cli {

struct OptionManual {
  std::vector<std::string> names;  // "-o", "--output"; for a positional argument its name, "MODEL"
  std::string value;  // placeholder of the value; empty for flags and positional arguments
  std::string description, group;
  bool is_argument = false;
  bool takes_value = false;

  /// The words of a choice such as "auto|yes|no"; otherwise empty.
  std::vector<std::string> choices() const;
  /// True if the value is the name of a file or folder.
  bool is_file() const;
};

struct VerbManual {
  std::string name;  // "bisector explain"
  std::string description, footer;
  std::vector<OptionManual> options;
  std::vector<VerbManual> verbs;

  /// "bisector explain MODEL DATA [options]".
  std::string usage() const;
  /// The last word of the name.
  std::string word() const;
};

VerbManual manual_of(const CLI::App& app);

/// The completion script of bash.
std::string completion_script(const VerbManual& command);

}  // namespace bisector::cli
