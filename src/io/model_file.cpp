#include "bisector/io/model_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>

#include "bisector/error.h"
#include "io/bundle/bundle_meta.h"
#include "io/common/input_file.h"
#include "io/libsvm/libsvm_header.h"

namespace bisector {

using namespace io;

namespace {

// Long enough for some blank lines before the first keyword.
constexpr std::size_t kBytesToRecognize = 256;
constexpr std::string_view kWhitespace = " \t\r\n";

bool is_zip(std::string_view start) {
  // The second is an archive of no entries: its reader then says what is missing.
  return start.starts_with("PK\x03\x04") || start.starts_with("PK\x05\x06");
}

bool is_libsvm_model(std::string_view start) {
  start.remove_prefix(std::min(start.find_first_not_of(kWhitespace), start.size()));
  return is_libsvm_keyword(start.substr(0, start.find_first_of(kWhitespace)));
}

/// ONNX has no mark of its own, but every writer begins with the version of the format: field 1, a
/// varint. No text begins with a backspace.
bool is_onnx(std::string_view start) { return start.starts_with('\b'); }

/// Only for regular files: a pipe could not be read a second time.
std::string first_bytes(const std::filesystem::path& path) {
  InputFile file(path);
  std::string start(std::min<std::size_t>(kBytesToRecognize, file.size()), '\0');
  file.read_exactly(start);
  return start;
}

}  // namespace

Model read_model(const std::filesystem::path& path, const Limits& limits) {
  const std::string start = first_bytes(path);
  if (is_zip(start)) return read_bundle(path, limits);
  if (is_onnx(start))
    throw FormatError(
        path.string(), 0,
        fmt::format("an ONNX model, expected a bundle: python -m bisector convert {} {}",
                    path.string(), std::filesystem::path(path).replace_extension(".npz").string()));
  if (!is_libsvm_model(start))
    throw FormatError(path.string(), 0,
                      "not a model: expected a LIBSVM model file or an .npz bundle (bisector train "
                      "makes a model of a table)");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError("cannot open " + path.string());
  return read_libsvm_model(file, path.string(), limits);
}

BundleExtras read_bundle_extras(const std::filesystem::path& path, const Limits& limits) {
  const std::string start = first_bytes(path);
  if (is_zip(start)) return read_extras(path, limits);
  if (!is_libsvm_model(start)) return {};
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError("cannot open " + path.string());
  TextLines lines(file, path.string());
  LibsvmHeader header = read_libsvm_header(lines);
  if (header.prob_a.empty()) return {};
  return {SvmProbabilities(header.classes, std::move(header.prob_a), std::move(header.prob_b)), {}};
}

}  // namespace bisector
