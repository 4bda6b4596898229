#include "bisector/model_file.h"

#include <array>
#include <string>

#include "bisector/error.h"
#include "io/libsvm_header.h"
#include "io/open_file.h"
#include "io/text_lines.h"

namespace bisector {
namespace {

// Long enough for some blank lines before the first keyword.
constexpr std::size_t kBytesToRecognise = 256;

bool is_zip(std::string_view start) {
  // The second is an archive of no entries: the reader then says what is missing.
  return start.starts_with("PK\x03\x04") || start.starts_with("PK\x05\x06");
}

bool is_libsvm(std::string_view start) {
  const std::size_t first = start.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  start.remove_prefix(first);
  return is_libsvm_keyword(start.substr(0, start.find_first_of(" \t\r\n")));
}

/// The first bytes of a file, which then stands at its start again.
std::string peek(std::ifstream& file, const std::filesystem::path& path) {
  std::string start(kBytesToRecognise, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (file.bad()) throw FileError("cannot read " + path.string());
  start.resize(static_cast<std::size_t>(file.gcount()));
  file.clear();
  if (!file.seekg(0))
    throw FileError("cannot read " + path.string() + " twice, expected a file rather than a pipe");
  return start;
}

}  // namespace

Model read_model(const std::filesystem::path& path) {
  std::ifstream file = open_input_file(path);
  const std::string start = peek(file, path);
  if (is_zip(start)) return read_bundle(path);
  if (is_libsvm(start)) return read_libsvm_model(file, path.string());
  throw FormatError(path.string(), 0,
                    "not a model: expected a LIBSVM model file or an .npz bundle");
}

}  // namespace bisector
