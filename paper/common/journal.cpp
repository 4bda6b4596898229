#include "common/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

#include "bisector/error.h"
#include "tools/sha256.h"

namespace bisector::paper {
namespace {

// A file is a heading, then for every unit "begin <unit>", its lines, and "end <unit> <checksum>".
constexpr std::string_view kBegin = "begin ", kEnd = "end ";
constexpr std::size_t kDigits = 16;         // digits of a checksum
constexpr std::size_t kLongestQuote = 200;  // characters of a heading in a message

/// The last line of a unit, with a checksum of `text`, the lines before it.
std::string end_of(std::string_view unit, std::string_view text) {
  std::istringstream in{std::string(text)};
  return fmt::format("{}{} {}", kEnd, unit, tools::sha256(in).substr(0, kDigits));
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Repeats a short write, so that a full disk gives its error.
bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void append(const std::filesystem::path& path, const std::string& text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  const bool written = file >= 0 && write_all(file, text) && ::fsync(file) == 0;
  const int error = errno;
  if (file >= 0) ::close(file);
  if (!written)
    throw FileError(fmt::format("cannot write {}: {}", path.string(), std::strerror(error)));
}

}  // namespace

Journal::Journal(std::filesystem::path path, std::string heading) : path_(std::move(path)) {
  const std::string text = read_file(path_);
  const std::string first_line = heading + "\n";
  // A truncated heading, for instance by a full disk, has no units.
  if (text.size() < first_line.size() && first_line.starts_with(text)) {
    if (!text.empty()) std::filesystem::resize_file(path_, 0);
    append(path_, first_line);
    return;
  }
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  if (line != heading)
    throw InvalidInput(fmt::format(
        "{}: made with other settings ({}), expected {}: choose another --out or remove it",
        path_.string(), line.substr(0, kLongestQuote), heading));
  std::string unit;
  std::vector<std::string> lines;
  std::size_t begin = first_line.size(), complete = begin, line_at = begin;
  while (std::getline(in, line) && !in.eof()) {
    const std::size_t behind = line_at + line.size() + 1;
    if (line.starts_with(kBegin)) {
      unit = line.substr(kBegin.size());
      lines.clear();
      begin = line_at;
    } else if (line.starts_with(kEnd) &&
               line == end_of(unit, std::string_view(text).substr(begin, line_at - begin))) {
      units_[unit] = lines;
      complete = behind;
    } else {
      lines.push_back(line);
    }
    line_at = behind;
  }
  // The rest belongs to an incomplete unit.
  if (complete < text.size()) std::filesystem::resize_file(path_, complete);
}

void Journal::add(const std::string& unit, const std::vector<std::string>& lines) {
  std::string text = fmt::format("{}{}\n", kBegin, unit);
  for (const std::string& line : lines) text += line + "\n";
  append(path_, text + end_of(unit, text) + "\n");
  units_[unit] = lines;
}

}  // namespace bisector::paper
