// Calls a target with every file of some folders, in order: fuzz_replay TARGET FOLDER...
// The ordinary tests do so with the corpora and with every input that ever failed.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "target.h"

namespace bisector::fuzz {
namespace {

std::map<std::string, Target>& targets() {
  static std::map<std::string, Target> all;
  return all;
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(folder)) return files;  // no crash was ever found
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string content_of(const std::filesystem::path& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

int replay(const std::vector<std::string>& arguments) {
  const auto target = arguments.empty() ? targets().end() : targets().find(arguments.front());
  if (target == targets().end()) {
    std::fprintf(stderr, "usage: fuzz_replay TARGET FOLDER..., with TARGET one of\n");
    for (const auto& [name, function] : targets()) std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
  }
  std::size_t count = 0;
  for (std::size_t n = 1; n < arguments.size(); ++n) {
    for (const auto& file : files_in(arguments[n])) {
      // Names the file first, so that the last line tells which one crashed.
      std::printf("%s\n", file.c_str());
      std::fflush(stdout);
      target->second(content_of(file));
      ++count;
    }
  }
  std::printf("%zu inputs\n", count);
  return count > 0 ? 0 : 1;
}

}  // namespace

Registration::Registration(const char* name, Target target) { targets().emplace(name, target); }

}  // namespace bisector::fuzz

int main(int count, char** arguments) {
  return bisector::fuzz::replay({arguments + 1, arguments + count});
}
