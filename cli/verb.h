// A verb of the command line: a function that adds it to the parser, and an action.
#pragma once

#include <functional>
#include <iosfwd>
#include <stdexcept>

namespace CLI {
class App;
}

namespace bisector::cli {

/// The parsed command, ready to run. Results go to `out` (standard output), notes to `notes`
/// (standard error).
using Action = std::function<void(std::ostream& out, std::ostream& notes)>;

/// Adds a verb to the parser; parsing it sets the action, which may outlive the parser.
using AddVerb = void (*)(CLI::App& app, Action& action);

/// An error in the command line, with exit status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace bisector::cli
