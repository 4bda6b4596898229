#include "cli/options/columnar_files.h"

#include <cstdlib>
#include <sstream>
#include <system_error>

#ifdef BISECTOR_ARROW
#include "bisector/columnar/open_columnar.h"
#endif

namespace bisector::cli {
namespace {

// One line for each file that python/bisector/_converted.py converted: the descriptor of the CSV
// file and the path of the original.
constexpr auto kVariable = "BISECTOR_CONVERTED";

#ifdef BISECTOR_ARROW
constexpr decltype(DataFormat::open_columnar) kBuiltIn = open_columnar;
#else
constexpr decltype(DataFormat::open_columnar) kBuiltIn = nullptr;
#endif

std::unique_ptr<DataReader> open_as_converted(const std::filesystem::path& path,
                                              const DataFormat& format) {
  std::istringstream lines(std::getenv(kVariable));
  std::string number, original;
  while (std::getline(lines, number, ' ') && std::getline(lines, original)) {
    std::error_code none;
    if (std::filesystem::equivalent(path, original, none))
      return open_converted("/dev/fd/" + number, path.string(), format.limits);
  }
  DataFormat built_in = format;
  built_in.open_columnar = kBuiltIn;
  return open_data(path, built_in);
}

}  // namespace

decltype(DataFormat::open_columnar) columnar_reader() {
  return std::getenv(kVariable) != nullptr ? open_as_converted : kBuiltIn;
}

}  // namespace bisector::cli
