#include "cli/run.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <new>
#include <ostream>
#include <streambuf>

#include "bisector/io/data_reader.h"
#include "bisector/runtime_info.h"
#include "bisector/version.h"
#include "cli/options/file_roles.h"
#include "cli/options/help.h"
#include "cli/options/parser_errors.h"
#include "cli/options/rule_options.h"
#include "cli/verbs.h"
#include "tools/output_file.h"
#include "tools/progress.h"

namespace bisector::cli {
namespace {

constexpr int kError = 1, kUsageError = 2;

/// Every message is one line, so that scripts can rely on it.
std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

/// The library's "(limit NAME)" as the option that changes it.
std::string with_limit_option(std::string text) {
  constexpr std::string_view kLimit = "(limit ";
  const std::size_t start = text.find(kLimit), end = text.find(')', start);
  if (start == std::string::npos || end == std::string::npos) return text;
  const std::string name = text.substr(start + kLimit.size(), end - start - kLimit.size());
  return text.replace(start, end + 1 - start,
                      fmt::format("(--limit {}=N changes this limit)", name));
}

/// Passes text on and shows control characters as \x1b: notes and errors quote files.
class PrintableBuffer : public std::streambuf {
 public:
  explicit PrintableBuffer(std::ostream& out) : out_(out) {}

 protected:
  int overflow(int c) override {
    if (c == traits_type::eof()) return traits_type::not_eof(c);
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && byte != '\n') || byte == 0x7F)
      out_ << fmt::format("\\x{:02x}", byte);
    else
      out_.put(static_cast<char>(byte));
    return out_ ? c : traits_type::eof();
  }
  int sync() override { return out_.flush() ? 0 : -1; }

 private:
  std::ostream& out_;
};

std::string version_line(const std::string& program) {
  const RuntimeInfo runtime = runtime_info();
  return fmt::format("{} {} ({}, {} thread{})", program, kVersion, runtime.instruction_set,
                     runtime.threads, runtime.threads == 1 ? "" : "s");
}

void describe(CLI::App& app, const Program& program) {
  app.name(program.name);
  app.description(program.description);
  app.footer(program.footer + "\n\nEvery verb has its own --help; " + program.name +
             " help VERB shows the same.");
  app.formatter_fn([](const CLI::App* shown, auto&&...) { return help_text(*shown); });
  app.set_help_flag("-h,--help", "This text");
  app.set_version_flag(
      "-V,--version", [&program] { return version_line(program.name); },
      "Version, instruction set and threads");
}

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

/// The parser takes an unknown verb for a stray argument; this says what is meant.
void require_verb(const CLI::App& app, const std::vector<std::string>& arguments) {
  const auto names = verb_names(app);
  const std::string& first = arguments.front();
  if (first.starts_with('-') || std::ranges::find(names, first) != names.end()) return;
  if (std::filesystem::exists(first))
    throw UsageError(fmt::format("{} is a file, expected a verb before it: one of {}", first,
                                 fmt::join(names, ", ")));
  throw UsageError(unknown_verb(first, names));
}

/// "bisector explain --help", for the verb that was being parsed.
std::string help_command(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return app.get_name() + (parsed.empty() ? "" : ' ' + parsed.front()->get_name()) + " --help";
}

/// Adds what all verbs have: the option --quiet.
void complete_verbs(CLI::App& app, bool& is_quiet) {
  for (CLI::App* verb : app.get_subcommands({})) {
    verb->get_help_ptr()->group("");  // --help is not listed in itself
    verb->add_flag("-q,--quiet", is_quiet, "No notes and no progress on standard error")
        ->group(kSpeedGroup);
  }
}

/// Parses and runs; usage errors of the parser and of the verbs come out as UsageError.
void parse_and_run(CLI::App& app, Action& action, const bool& is_quiet,
                   std::vector<std::string> arguments, std::ostream& out, std::ostream& err) {
  if (arguments.empty()) {
    out << app.help();
    return;
  }
  require_verb(app, arguments);
  std::ranges::reverse(arguments);  // the parser takes them from the back
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw UsageError(parser_message(app, error));
    app.exit(error, out, err);  // --help and --version
    action = [](std::ostream&, std::ostream&) {};
  }
  require_inputs_survive(app);
  tools::Progress::silence(is_quiet);
  std::ostream no_output(nullptr);
  action(out, is_quiet ? no_output : err);
  tools::Output({}, out).commit();  // flush standard output and report a failed write
}

}  // namespace

int run(const Program& program, std::vector<std::string> arguments, std::ostream& out,
        std::ostream& errors) {
  PrintableBuffer printable(errors);
  std::ostream err(&printable);
  CLI::App app;
  Action action;
  bool is_quiet = false;
  const auto fail = [&](int status, const std::string& message) {
    err << "error: " << one_line(with_limit_option(message)) << '\n';
    return status;
  };
  try {
    describe(app, program);
    for (const AddVerb add : program.verbs) add(app, action);
    complete_verbs(app, is_quiet);
    app.require_subcommand(1);
    parse_and_run(app, action, is_quiet, std::move(arguments), out, err);
    return 0;
  } catch (const UsageError& error) {
    return fail(kUsageError, fmt::format("{} (see {})", error.what(), help_command(app)));
  } catch (const UnusableCell& error) {
    return fail(kError,
                fmt::format("{} (use --missing skip to leave such rows out)", error.what()));
  } catch (const std::bad_alloc&) {
    return fail(kError, "out of memory");
  } catch (const std::exception& error) {
    return fail(kError, error.what());
  }
}

int run(std::vector<std::string> arguments, std::ostream& out, std::ostream& err) {
  return run({"bisector",
              "Explains the predictions of distance-based models (Gaussian SVM, nearest neighbors, "
              "kernel ridge): how much each feature contributed.",
              "Start with a table, here data.csv with a column y to predict:\n"
              "  bisector report data.csv --target y                  a page for the browser\n"
              "  bisector train data.csv --target y                   a model: data.model.npz\n"
              "  bisector explain data.model.npz data.csv --row 5     why row 5 is predicted so\n"
              "  bisector flip data.model.npz data.csv --row 5        what would change it",
              kVerbs},
             std::move(arguments), out, err);
}

}  // namespace bisector::cli
