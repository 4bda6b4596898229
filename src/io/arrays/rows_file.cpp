#include "bisector/io/rows_file.h"

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "bisector/error.h"
#include "io/arrays/npy.h"
#include "io/common/input_file.h"

namespace bisector {

using namespace io;

namespace {

class OpenRows : public FileRows {
 public:
  OpenRows(InputFile file, std::uint64_t offset, std::size_t rows, std::size_t cols)
      : FileRows(file.source(), rows, cols), file_(std::move(file)), offset_(offset) {}

  void read(std::size_t first, std::span<float> numbers) const override {
#ifdef _WIN32
    const std::lock_guard lock(mutex_);  // reading at an offset moves the position there
#endif
    const std::uint64_t row_bytes = cols() * sizeof(float);
    file_.read_exactly_at(offset_ + first * row_bytes,
                          {reinterpret_cast<char*>(numbers.data()), numbers.size_bytes()});
  }

 private:
  mutable InputFile file_;
  std::uint64_t offset_;
#ifdef _WIN32
  mutable std::mutex mutex_;
#endif
};

SharedMatrix checked_rows(InputFile file, std::uint64_t offset, std::size_t rows,
                          std::size_t cols) {
  constexpr std::size_t kMostRows = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t size = file.size();
  if (rows == 0 || cols == 0 || rows > kMostRows)
    throw FormatError(file.source(), 0,
                      fmt::format("{} x {} numbers, expected at least one row of one column, and "
                                  "at most {} rows",
                                  rows, cols, kMostRows));
  const std::uint64_t available = offset > size ? 0 : (size - offset) / sizeof(float) / cols;
  if (available < rows)
    throw FormatError(
        file.source(), 0,
        fmt::format("{} rows of {} float32 numbers, expected {} rows: the file is cut "
                    "off",
                    available, cols, rows));
  return SharedMatrix(std::make_shared<const OpenRows>(std::move(file), offset, rows, cols));
}

}  // namespace

SharedMatrix rows_in_file(const std::filesystem::path& path) {
  InputFile file(path);
  const std::string source = file.source();
  const NpyHeader header =
      parse_npy_header([&](std::span<char> bytes) { file.read_exactly(bytes); }, source);
  const bool is_float = header.kind == 'f' && header.item_size == sizeof(float) && !header.swapped;
  if (!is_float || header.fortran || header.shape.size() != 2)
    throw FormatError(
        source, 0,
        fmt::format("{} of shape ({}){}, expected rows and columns of float32: write them with "
                    "numpy.save(path, numpy.ascontiguousarray(rows, \"float32\"))",
                    npy_type_name(header), fmt::join(header.shape, ", "),
                    header.fortran ? " in Fortran order" : ""));
  const std::uint64_t offset = file.position();
  return checked_rows(std::move(file), offset, header.shape[0], header.shape[1]);
}

SharedMatrix rows_in_file(const std::filesystem::path& path, std::uint64_t offset, std::size_t rows,
                          std::size_t cols) {
  return checked_rows(InputFile(path), offset, rows, cols);
}

}  // namespace bisector
