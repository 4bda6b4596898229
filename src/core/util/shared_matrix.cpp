#include <fmt/format.h>

#include <algorithm>

#include "bisector/error.h"
#include "bisector/matrix.h"

namespace bisector {
namespace {

/// Numbers of a file that are in memory at once.
constexpr std::size_t kBlockNumbers = std::size_t{1} << 18;
/// Numbers that stay in a cache between being read and being converted.
constexpr std::size_t kPieceNumbers = std::size_t{1} << 14;

/// The rows of this many numbers, at least one.
std::size_t rows_of(std::size_t numbers, std::size_t cols) {
  return std::max<std::size_t>(numbers / std::max<std::size_t>(cols, 1), 1);
}

}  // namespace

FileRows::~FileRows() = default;

const Matrix& SharedMatrix::refuse() const {
  throw InvalidInput(fmt::format(
      "{}: the rows are in a file, expected rows in memory: rows in a file are for predictions and "
      "explanations of neighbor models with the Euclidean distance",
      file_->path()));
}

std::span<const double> SharedMatrix::read_row(std::size_t row, std::vector<double>& buffer) const {
  std::vector<float> floats(cols());
  file_->read(row, floats);
  buffer.assign(floats.begin(), floats.end());
  return buffer;
}

void SharedMatrix::read_block(std::size_t first, Matrix& block) const {
  const std::size_t count = std::min(rows_of(kBlockNumbers, cols()), rows() - first);
  if (block.rows() != count) block = Matrix(count, cols());
  const std::size_t piece = rows_of(kPieceNumbers, cols());
  std::vector<float> floats(std::min(piece, count) * cols());
  for (std::size_t begin = 0; begin < count; begin += piece) {
    const std::span<float> some = std::span(floats).first(std::min(piece, count - begin) * cols());
    file_->read(first + begin, some);
    std::ranges::copy(some, block.row(begin).data());
  }
}

Matrix SharedMatrix::gather(std::span<const std::size_t> numbers) const {
  if (!file_) return gather_rows(*matrix_, numbers);
  Matrix gathered(numbers.size(), cols());
  std::vector<double> buffer;
  for (std::size_t r = 0; r < numbers.size(); ++r)
    std::ranges::copy(row(numbers[r], buffer), gathered.row(r).begin());
  return gathered;
}

bool SharedMatrix::operator==(const SharedMatrix& other) const {
  if (matrix_ == other.matrix_ && file_ == other.file_) return true;
  if (!file_ && !other.file_) return *matrix_ == *other.matrix_;
  if (rows() != other.rows() || cols() != other.cols()) return false;
  std::vector<double> own, others;
  for (std::size_t r = 0; r < rows(); ++r)
    if (!std::ranges::equal(row(r, own), other.row(r, others))) return false;
  return true;
}

}  // namespace bisector
