#include "cli/writers/figures.h"

#include <spawn.h>
#include <sys/wait.h>

#include "tools/output_file.h"

extern char** environ;

namespace bisector::cli {
namespace {

/// Makes a PNG of an SVG, by a program and not through a shell. False where there is no converter.
bool convert(const std::filesystem::path& svg_file, const std::filesystem::path& png_file) {
  std::string words[] = {"rsvg-convert", "--zoom",          "2",
                         "--output",     png_file.string(), svg_file.string()};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(),
                       words[4].data(), words[5].data(), nullptr};
  pid_t process = 0;
  if (::posix_spawnp(&process, arguments[0], nullptr, nullptr, arguments, environ) != 0)
    return false;
  int status = 0;
  ::waitpid(process, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

std::vector<std::filesystem::path> write_figures(const std::filesystem::path& folder,
                                                 const std::vector<NamedChart>& charts) {
  tools::make_folder(folder);
  std::vector<std::filesystem::path> files;
  for (const NamedChart& named : charts) {
    const std::filesystem::path svg_file = folder / (named.name + ".svg");
    tools::OutputFile file(svg_file);
    file.stream() << svg(named.chart);
    file.commit();
    files.push_back(svg_file);
    tools::OutputFile picture(folder / (named.name + ".png"));
    const tools::SignalsHeld held;  // the converter writes a file of its own
    if (!convert(svg_file, picture.temporary())) continue;
    picture.commit();
    files.push_back(folder / (named.name + ".png"));
  }
  return files;
}

}  // namespace bisector::cli
