// The arrays of an NPZ archive as one table.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "bisector/error.h"
#include "io/arrays/array_reader.h"
#include "io/arrays/zip_archive.h"
#include "io/text/cells.h"

namespace bisector::io {
namespace {

constexpr std::string_view kExtension = ".npy";
constexpr std::string_view kTable = "X", kTarget = "y", kFeatureNames = "feature_names";

/// An array of the archive, open at its first element.
struct OpenArray {
  NpyHeader header;
  std::shared_ptr<ZipEntry> entry;
};

/// The arrays of an archive, by the names that numpy.load() shows.
class Arrays {
 public:
  Arrays(const std::filesystem::path& path, const Limits& limits)
      : archive_(path), limits_(limits) {
    for (const auto& name : archive_.names()) {
      if (name.ends_with(kExtension))
        names_.push_back(name.substr(0, name.size() - kExtension.size()));
    }
    if (names_.empty()) refuse();
  }

  const std::string& source() const { return archive_.source(); }
  const std::vector<std::string>& names() const { return names_; }
  bool has(std::string_view name) const { return std::ranges::find(names_, name) != names_.end(); }
  std::string title(std::string_view name) const {
    return fmt::format("{}: {}", source(), printed(name));
  }
  OpenArray open(std::string_view name) const;
  std::string list() const;

 private:
  [[noreturn]] void refuse() const;

  ZipArchive archive_;
  Limits limits_;
  std::vector<std::string> names_;
};

/// Refuses an archive without arrays.
void Arrays::refuse() const {
  if (archive_.has("xl/workbook.xml"))
    throw FormatError(
        source(), 0,
        fmt::format("an Excel workbook: save it as CSV UTF-8 in Excel, or type python3 -c \"import "
                    "openpyxl, csv, sys; csv.writer(sys.stdout).writerows(openpyxl.load_workbook("
                    "'{}', data_only=True).active.values)\" > table.csv",
                    source()));
  const auto file = std::ranges::find_if(archive_.names(), [](const std::string& name) {
    return !name.ends_with('/') && !name.starts_with("__MACOSX/");
  });
  throw FormatError(source(), 0,
                    fmt::format("a zip archive without NumPy arrays, expected an .npz file, or a "
                                "table taken out of the archive: unzip -p {} {} | bisector ... -",
                                source(), file == archive_.names().end() ? "TABLE" : *file));
}

OpenArray Arrays::open(std::string_view name) const {
  const auto entry =
      std::make_shared<ZipEntry>(archive_.open(fmt::format("{}{}", name, kExtension)));
  if (!limits_.allow_unpacking(entry->packed_size(), entry->size()))
    throw FormatError(title(name), 0,
                      fmt::format("{} bytes packed into {}, expected a ratio below {} (limit "
                                  "expansion)",
                                  entry->size(), entry->packed_size(), limits_.max_expansion));
  std::uint64_t header_bytes = 0;
  const auto read = [&](std::span<char> to) {
    entry->read_exactly(to);
    header_bytes += to.size();
  };
  NpyHeader header = parse_npy_header(read, title(name));
  if (header.bytes() > entry->size() - header_bytes)
    throw FormatError(title(name), 0,
                      fmt::format("an array of {} bytes, but only {} follow the header",
                                  header.bytes(), entry->size() - header_bytes));
  return {std::move(header), entry};
}

/// "X (100, 3) float64, y (100,) int64".
std::string Arrays::list() const {
  constexpr std::size_t kMax = 20;
  std::vector<std::string> items;
  for (const auto& name : names_) {
    if (items.size() == kMax) return fmt::format("{} and more", fmt::join(items, ", "));
    const NpyHeader header = open(name).header;
    items.push_back(fmt::format("{} ({}) {}", printed(name), fmt::join(header.shape, ", "),
                                npy_type_name(header)));
  }
  return fmt::format("{}", fmt::join(items, ", "));
}

std::string choose(const Arrays& arrays, const std::string& wanted, const std::string& target) {
  if (!wanted.empty()) {
    if (arrays.has(wanted)) return wanted;
    throw InvalidInput(
        fmt::format("{} has no array \"{}\"; it has {}", arrays.source(), wanted, arrays.list()));
  }
  if (arrays.has(kTable)) return std::string(kTable);
  std::vector<std::string> tables;
  for (const auto& name : arrays.names()) {
    const NpyHeader header = arrays.open(name).header;
    const bool is_table = header.shape.size() == 2 && name != target;
    if (header.is_numeric() && is_table) tables.push_back(name);
  }
  if (tables.size() == 1) return tables.front();
  throw InvalidInput(fmt::format(
      "{} has no array \"X\" and {} tables of numbers, so the array must "
      "be named, as in {}:NAME, and that of the target by --target NAME; it has {}",
      arrays.source(), tables.empty() ? "no" : "several", arrays.source(), arrays.list()));
}

/// All elements. Memory grows with the decompressed data, not with the header's claim.
std::vector<char> load(const OpenArray& array) {
  constexpr std::size_t kBlock = std::size_t{1} << 20;
  std::vector<char> bytes;
  while (bytes.size() < array.header.bytes()) {
    const std::size_t done = bytes.size();
    bytes.resize(done + std::min(kBlock, array.header.bytes() - done));
    array.entry->read_exactly(std::span(bytes).subspan(done));
  }
  return bytes;
}

std::unique_ptr<ArrayRows> rows_of(OpenArray array) {
  if (is_row_major(array.header))
    return sequential_rows(std::move(array.header),
                           [entry = array.entry](std::span<char> to) { entry->read_exactly(to); });
  const auto bytes = std::make_shared<std::vector<char>>(load(array));
  return column_major_rows(
      std::move(array.header), [bytes](std::uint64_t offset, std::span<char> to) {
        std::ranges::copy(std::span(*bytes).subspan(offset, to.size()), to.begin());
      });
}

/// The array of the target: the named one, which must fit if it is there, or `y` if it has one
/// element per row.
std::unique_ptr<ArrayRows> target_of(const Arrays& arrays, const std::string& table,
                                     const std::string& wanted, std::size_t rows) {
  const std::string name = wanted.empty() ? std::string(kTarget) : wanted;
  if (!arrays.has(name) || (wanted.empty() && table == name)) return nullptr;
  OpenArray array = arrays.open(name);
  std::vector<std::size_t>& shape = array.header.shape;
  if (shape == std::vector<std::size_t>{rows, 1}) shape.pop_back();
  const bool is_readable =
      array.header.is_numeric() || (array.header.is_text() && array.header.item_size > 0);
  if (is_readable && shape == std::vector{rows}) return rows_of(std::move(array));
  if (wanted.empty()) return nullptr;
  throw InvalidInput(fmt::format(
      "{}: {} of shape ({}), expected {} numbers or texts, one for each "
      "row of {}",
      arrays.title(name), npy_type_name(array.header), fmt::join(shape, ", "), rows, table));
}

std::vector<std::string> feature_names(const Arrays& arrays, const std::string& table,
                                       std::size_t columns) {
  const OpenArray array = arrays.open(kFeatureNames);
  const std::string title = arrays.title(kFeatureNames);
  require_text(array.header, title);
  if (array.header.shape != std::vector{columns})
    throw FormatError(title, 0,
                      fmt::format("shape ({}), expected one name for each of the {} columns of {}",
                                  fmt::join(array.header.shape, ", "), columns, table));
  const auto bytes = load(array);
  return decode_npy_text(array.header, {bytes.data(), bytes.size()}, title);
}

Columns columns_of(const Arrays& arrays, const std::string& table, std::size_t features,
                   bool has_target, const std::string& target) {
  Columns columns;
  columns.count = features + has_target;
  columns.has_meaningful_names = arrays.has(kFeatureNames);
  if (columns.has_meaningful_names) {
    columns.names = feature_names(arrays, table, features);
  } else if (has_target) {
    // Only the target has a name; the other columns are named by their numbers.
    for (std::size_t i = 1; i <= features; ++i) columns.names.push_back(fmt::format_int(i).str());
  }
  const std::string target_name = target.empty() ? std::string(kTarget) : target;
  if (has_target) columns.names.push_back(target_name);
  columns.reading.summary =
      fmt::format("NPZ, rows from the array {}{}", printed(table),
                  has_target ? fmt::format(", target from {}", printed(target_name)) : "");
  return columns;
}

}  // namespace

std::unique_ptr<DataReader> open_npz(const std::filesystem::path& path, const DataFormat& format) {
  const Arrays arrays(path, format.limits);
  const std::string name = choose(arrays, format.array, format.target_array);
  OpenArray chosen = arrays.open(name);
  const bool is_packed = !chosen.entry->is_stored();
  chosen.header = as_table(std::move(chosen.header), arrays.title(name));
  auto table = rows_of(std::move(chosen));
  auto target = target_of(arrays, name, format.target_array, table->rows());
  Columns columns =
      columns_of(arrays, name, table->columns(), target != nullptr, format.target_array);
  return std::make_unique<ArrayReader>(arrays.source(), std::move(columns), is_packed,
                                       std::move(table), std::move(target));
}

}  // namespace bisector::io
