#include "io/bundle/bundle_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_set>
#include <utility>

#include "bisector/error.h"
#include "io/common/input_file.h"
#include "io/common/limits.h"
#include "io/text/cells.h"
#include "io/text/text_lines.h"

namespace bisector::io {
namespace {

constexpr std::string_view kSuffix = ".npy";
constexpr std::size_t kChunkElements = 1 << 16;

std::string array_name(const std::string& name, const std::string& source) {
  if (!name.ends_with(kSuffix) || name.size() == kSuffix.size())
    throw FormatError(source, 0,
                      fmt::format("entry {}, expected only arrays (name.npy)", shown(name)));
  return name.substr(0, name.size() - kSuffix.size());
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

const char* expected_shape(std::size_t dimensions) {
  if (dimensions == 0) return "a single element, shape ()";
  return dimensions == 1 ? "one dimension" : "two dimensions";
}

/// Converts NumPy's Fortran order (columns one after the other) to rows.
std::vector<double> by_rows(const std::vector<double>& columns, std::size_t rows,
                            std::size_t cols) {
  std::vector<double> result(columns.size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t col = 0; col < cols; ++col)
      result[row * cols + col] = columns[col * rows + row];
  }
  return result;
}

void require_stored_size(const ZipFacts& facts, const std::string& title) {
  if (facts.size != facts.packed_size)
    throw FormatError(title, 0,
                      fmt::format("{} bytes stored as {}: the archive is damaged", facts.size,
                                  facts.packed_size));
}

void require_inflated_size(const ZipFacts& facts, const Limits& limits, const std::string& title) {
  if (facts.size > limits.max_unpacked_bytes)
    throw FormatError(
        title, 0,
        fmt::format("{} bytes when unpacked, expected at most {} (limit unpacked-bytes)",
                    facts.size, limits.max_unpacked_bytes));
  if (!limits.allow_unpacking(facts.packed_size, facts.size))
    throw FormatError(
        title, 0,
        fmt::format("{} bytes packed into {}, expected a ratio below {} (limit expansion)",
                    facts.size, facts.packed_size, limits.max_expansion));
}

void require_fair_size(const ZipFacts& facts, std::uint64_t file_size, const Limits& limits,
                       const std::string& title) {
  if (facts.packed_size > file_size)
    throw FormatError(title, 0,
                      fmt::format("{} bytes in a file of {}: the archive is damaged",
                                  facts.packed_size, file_size));
  if (facts.method == ZIP_CM_STORE)
    require_stored_size(facts, title);
  else if (facts.method == ZIP_CM_DEFLATE)
    require_inflated_size(facts, limits, title);
  else
    throw FormatError(
        title, 0, fmt::format("packed by method {}, expected it stored or deflated", facts.method));
}

/// Throws FormatError for an archive of `file_size` bytes with too many entries, two of one name, a
/// name with a path, an entry that is neither stored nor deflated, or one beyond the limits. The
/// whole directory is checked before an entry is opened.
void require_within_limits(const ZipArchive& archive, std::uint64_t file_size,
                           const Limits& limits) {
  const std::string& source = archive.source();
  const std::vector<ZipFacts> directory = archive.directory();
  if (directory.size() > kMaxArchiveEntries)
    throw FormatError(source, 0,
                      fmt::format("{} entries in the archive, expected at most {}",
                                  directory.size(), kMaxArchiveEntries));
  std::unordered_set<std::string> names;
  for (const ZipFacts& facts : directory) {
    const std::string title = fmt::format("{}: entry {}", source, shown(facts.name));
    if (facts.name.find_first_of("/\\") != std::string::npos)
      throw FormatError(title, 0, "expected a name without a path");
    if (!names.insert(facts.name).second) throw FormatError(title, 0, "the name occurs twice");
    require_fair_size(facts, file_size, limits, title);
  }
}

}  // namespace

BundleArrays::BundleArrays(const std::filesystem::path& path, const Limits& limits)
    : limits_(limits), file_size_(InputFile(path).size()), archive_(path) {
  require_within_limits(archive_, file_size_, limits_);
  for (const auto& name : archive_.names()) names_.push_back(array_name(name, source()));
}

bool BundleArrays::has(std::string_view name) const {
  return std::ranges::find(names_, name) != names_.end();
}

std::string BundleArrays::title(std::string_view name) const {
  return fmt::format("{}: array \"{}\"", source(), name);
}

void BundleArrays::fail(std::string_view name, std::string_view problem) const {
  throw FormatError(title(name), 0, problem);
}

BundleArrays::Open BundleArrays::open(std::string_view name) const {
  if (!has(name)) throw FormatError(source(), 0, fmt::format("array \"{}\" is missing", name));
  ZipEntry entry = archive_.open(std::string(name).append(kSuffix));
  const NpyHeader header =
      parse_npy_header([&](std::span<char> bytes) { entry.read_exactly(bytes); }, title(name));
  if (header.count() >= limits_.max_elements)
    fail(name, fmt::format("{} elements, expected fewer than {} (limit elements)", header.count(),
                           limits_.max_elements));
  if (header.bytes() != entry.remaining())
    fail(name, fmt::format("the shape {} needs {} bytes but {} follow", shape_text(header.shape),
                           header.bytes(), entry.remaining()));
  return {std::move(entry), header};
}

BundleArrays::Open BundleArrays::open_shaped(std::string_view name, std::size_t dimensions) const {
  Open array = open(name);
  if (array.header.shape.size() != dimensions)
    fail(name, fmt::format("the shape is {}, expected {}", shape_text(array.header.shape),
                           expected_shape(dimensions)));
  return array;
}

std::string BundleArrays::bytes(Open& array) const {
  std::string bytes(array.header.bytes(), '\0');
  array.entry.read_exactly(bytes);
  return bytes;
}

std::vector<double> BundleArrays::numbers(std::string_view name, Open& array) const {
  require_numeric(array.header, title(name));
  const std::size_t total = array.header.count();
  std::vector<double> numbers;
  // A stored entry has its size; a compressed one only claims it, so memory grows as it unpacks.
  if (array.entry.is_stored()) numbers.reserve(total);
  std::string chunk;
  // Read in chunks, so that a large array is not in memory twice.
  for (std::size_t first = 0; first < total; first += kChunkElements) {
    const std::size_t count = std::min(kChunkElements, total - first);
    numbers.resize(first + count);
    chunk.resize(count * array.header.item_size);
    array.entry.read_exactly(chunk);
    decode_npy_numbers(array.header, chunk, std::span(numbers).subspan(first, count));
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!std::isfinite(numbers[i]))
      fail(name, fmt::format("element {} is {}, expected a finite number", i + 1, numbers[i]));
  }
  return numbers;
}

Matrix BundleArrays::rectangle(std::string_view name, Open& array) const {
  const std::size_t rows = array.header.shape[0], cols = array.header.shape[1];
  std::vector<double> values = numbers(name, array);
  // An empty array may claim any number of rows.
  if (array.header.fortran && !values.empty()) values = by_rows(values, rows, cols);
  return Matrix(rows, cols, std::move(values));
}

Matrix BundleArrays::matrix(std::string_view name) const {
  Open array = open_shaped(name, 2);
  return rectangle(name, array);
}

Matrix BundleArrays::matrix_or_row(std::string_view name) const {
  Open array = open(name);
  auto& shape = array.header.shape;
  if (shape.size() == 1) shape.insert(shape.begin(), 1);
  if (shape.size() != 2)
    fail(name, fmt::format("the shape is {}, expected one or two dimensions", shape_text(shape)));
  return rectangle(name, array);
}

std::vector<double> BundleArrays::vector(std::string_view name) const {
  Open array = open_shaped(name, 1);
  return numbers(name, array);
}

double BundleArrays::scalar(std::string_view name) const {
  Open array = open_shaped(name, 0);
  return numbers(name, array).front();
}

std::optional<double> BundleArrays::optional_scalar(std::string_view name) const {
  return has(name) ? std::optional(scalar(name)) : std::nullopt;
}

std::vector<std::size_t> BundleArrays::whole_numbers(std::string_view name, Open& array) const {
  const char kind = array.header.kind;
  if (kind != 'i' && kind != 'u')
    fail(name, fmt::format("the elements are {}, expected integers", npy_type_name(array.header)));
  std::vector<std::size_t> result;
  for (const double number : numbers(name, array)) {
    if (number < 0.0 || number >= static_cast<double>(kMaxCount))
      fail(name, fmt::format("element {} is {}, expected from 0 to {}", result.size() + 1, number,
                             kMaxCount - 1));
    result.push_back(static_cast<std::size_t>(number));
  }
  return result;
}

std::vector<std::size_t> BundleArrays::counts(std::string_view name) const {
  Open array = open_shaped(name, 1);
  return whole_numbers(name, array);
}

std::size_t BundleArrays::count(std::string_view name) const {
  Open array = open_shaped(name, 0);
  return whole_numbers(name, array).front();
}

BundleArrays::Open BundleArrays::open_names(std::string_view name) const {
  Open array = open_shaped(name, 1);
  if (array.header.count() > limits_.max_features)
    fail(name, fmt::format("{} elements, expected at most {} (limit features)",
                           array.header.count(), limits_.max_features));
  return array;
}

std::vector<std::string> BundleArrays::labels(std::string_view name) const {
  Open array = open_names(name);
  const NpyHeader& header = array.header;
  if (header.is_text()) return texts(name);
  if (!header.is_numeric() || header.kind == 'b')
    fail(name, fmt::format("the elements are {}, expected integers, floats or Unicode text",
                           npy_type_name(header)));
  const std::string all = bytes(array);
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < header.count(); ++i) {
    labels.push_back(npy_number_text(header, std::string_view(all).substr(i * header.item_size)));
    if (!parse_finite(labels.back()))
      fail(name, fmt::format("element {} is {}, expected a finite number", i + 1, labels.back()));
  }
  return labels;
}

std::vector<std::string> BundleArrays::texts(std::string_view name) const {
  Open array = open_names(name);
  require_text(array.header, title(name));
  return decode_npy_text(array.header, bytes(array), title(name));
}

std::string BundleArrays::text(std::string_view name, std::size_t longest) const {
  Open array = open_shaped(name, 0);
  require_text(array.header, title(name));
  constexpr std::size_t kBytesPerCharacter = 4;
  if (array.header.item_size > longest * kBytesPerCharacter)
    fail(name, fmt::format("{} characters, expected at most {} (limit metadata-bytes)",
                           array.header.item_size / kBytesPerCharacter, longest));
  return decode_npy_text(array.header, bytes(array), title(name)).front();
}

}  // namespace bisector::io
