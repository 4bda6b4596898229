// What a verb of the command line is: a function that adds it to the parser, and an action.
#pragma once

#include <functional>
#include <iosfwd>
#include <stdexcept>

namespace CLI {
class App;
}

namespace bisector::cli {

/// What a command line asks for, ready to run. Results go to `out`, which is standard output, and
/// what a person should know of them to `notes`, which is standard error.
using Action = std::function<void(std::ostream& out, std::ostream& notes)>;

/// Adds a verb to the parser; parsing it sets the action, which may outlive the parser.
using AddVerb = void (*)(CLI::App& app, Action& action);

/// The command line itself is at fault, and its --help says how it goes: exit status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace bisector::cli
