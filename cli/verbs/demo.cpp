// bisector demo: the verbs one after another, on data inside the command.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <numeric>
#include <ostream>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "bisector/random.h"
#include "cli/options/option_values.h"
#include "cli/run.h"
#include "cli/verbs.h"
#include "cli/verbs/demo_data.h"
#include "tools/output_file.h"
#include "tools/page_parts.h"

namespace bisector::cli {
namespace {

using Words = std::vector<std::string>;

struct DemoArguments {
  std::filesystem::path folder = "bisector-demo";
};

/// Writes the lines of the embedded table whose numbers are in `rows`, counted from zero.
void write_table(const std::filesystem::path& path, std::span<const std::size_t> rows) {
  std::vector<std::string_view> lines;
  for (std::string_view rest = demo_data(); !rest.empty();) {
    const std::size_t end = rest.find('\n');
    lines.push_back(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  tools::OutputFile file(path);
  file.stream() << lines.front() << "\n";
  for (const std::size_t row : rows) file.stream() << lines[row + 1] << "\n";
  file.commit();
}

/// A fifth of the rows is held out.
void write_split(const std::filesystem::path& training, const std::filesystem::path& held_out) {
  constexpr std::uint64_t kSeed = 7;
  std::vector<std::size_t> order(static_cast<std::size_t>(std::ranges::count(demo_data(), '\n')) -
                                 1);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(kSeed).shuffle(std::span(order));
  const auto middle = std::span(order).size() / 5;
  write_table(held_out, std::span(order).first(middle));
  write_table(training, std::span(order).subspan(middle));
}

/// Shows a command and runs it. Throws with its message if it fails.
void run_step(const std::string& why, const Words& words, std::ostream& out, std::ostream& notes) {
  std::string typed;
  for (const std::string& word : words)
    typed += word.find(' ') == std::string::npos ? ' ' + word : fmt::format(" \"{}\"", word);
  out << fmt::format("\n{}\n$ bisector{}\n", why, typed);
  out.flush();
  std::ostringstream said;
  if (run(words, out, said) != 0)
    throw std::runtime_error(said.str().substr(said.str().rfind("error: ") + 7));
  notes << said.str();
}

void demo_command(const DemoArguments& arguments, std::ostream& out, std::ostream& notes) {
  const auto file = [&](const char* name) { return (arguments.folder / name).string(); };
  const std::string training = file("training.csv"), rows = file("held_out.csv"),
                    model = file("model.npz"), target = "diagnosis";
  tools::make_folder(arguments.folder);
  write_split(training, rows);
  out << fmt::format(
      "Breast cancer, Wisconsin: 30 measurements of cell nuclei, malignant or benign?\n"
      "Most patients are in {}, a fifth of them in {}.\n",
      training, rows);
  const auto step = [&](const std::string& why, const Words& words) {
    run_step(why, words, out, notes);
  };
  step("Train a Gaussian SVM, and cross-validate it:",
       {"train", training, "--target", target, "--gamma", "0.1", "--cost", "100", "--tune", "-o",
        model});
  step("How good is it for new patients?", {"score", model, rows, "--target", target});
  step("Which measurements matter, and why is a patient predicted so?",
       {"explain", model, rows, "--target", target, "--text"});
  step("What would have to change?", {"flip", model, rows, "--row", "5", "--changes", "2"});
  step("All contributions as a table:", {"explain", model, rows, "-o", file("relevance.csv")});
  if (tools::page_parts().page.empty()) return;
  step("A page for the browser:",
       {"report", model, rows, "--target", target, "--evaluate", "--title",
        "Breast cancer, Wisconsin: malignant or benign?", "-o", file("report.html")});
  out << fmt::format("\nThe report, to open in a browser: {}\n",
                     std::filesystem::absolute(file("report.html")).lexically_normal().string());
}

}  // namespace

void add_demo(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "demo",
      "Runs the verbs on built-in data: trains an SVM, explains new patients and writes a "
      "report.");
  const auto arguments = std::make_shared<DemoArguments>();
  add_output(verb, "-o,--output", arguments->folder, "DIR",
             "Where data, model, relevance and report are written (default: bisector-demo)");
  verb.footer("Example:\n  bisector demo -o demo");
  set_action(verb, action, arguments, demo_command);
}

}  // namespace bisector::cli
