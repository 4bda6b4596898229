// The verbs and options of the command as data: man pages and shell completion are made from what
// --help shows.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace bisector::cli {

struct OptionManual {
  std::vector<std::string> names;  // "-o", "--output"; of an argument its only name, "MODEL"
  std::string value;               // the word for its value; empty: none, or an argument
  std::string description, group;
  bool is_argument = false;
  bool takes_value = false;

  /// The words of a closed choice, such as "auto|yes|no"; else none.
  std::vector<std::string> choices() const;
  /// True where the value is the name of a file or folder.
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

/// A description up to its first colon or full stop: one line beside a name.
std::string first_words(const std::string& description);

VerbManual manual_of(const CLI::App& app);

/// A page for man, in section 1.
std::string man_page(const VerbManual& verb);

/// The shells that completion_script() knows.
inline const std::vector<std::string> kShells = {"bash", "zsh", "fish"};
/// What a shell reads to complete the command's verbs, options and values.
std::string completion_script(const std::string& shell, const VerbManual& command);

}  // namespace bisector::cli
