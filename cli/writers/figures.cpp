#include "cli/writers/figures.h"

#include "tools/output_file.h"
#include "tools/platform/program.h"

namespace bisector::cli {
namespace {

/// Converts an SVG file to PNG by rsvg-convert. False if it is not installed.
bool convert(const std::filesystem::path& svg_file, const std::filesystem::path& png_file) {
  return tools::run_program(
      {"rsvg-convert", "--zoom", "2", "--output", png_file.string(), svg_file.string()});
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
    const tools::SignalsHeld held;  // the converter writes the file itself
    if (!convert(svg_file, picture.temporary())) continue;
    picture.commit();
    files.push_back(folder / (named.name + ".png"));
  }
  return files;
}

}  // namespace bisector::cli
