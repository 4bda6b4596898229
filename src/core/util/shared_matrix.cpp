#include <fmt/format.h>

#include <algorithm>

#include "bisector/error.h"
#include "bisector/matrix.h"

namespace bisector {
namespace {

/// Numbers of a file that are in memory at once.
constexpr std::size_t kBlockNumbers = std::size_t{1} << 18;

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
  const std::size_t most =
      std::max<std::size_t>(kBlockNumbers / std::max<std::size_t>(cols(), 1), 1);
  const std::size_t count = std::min(most, rows() - first);
  std::vector<float> floats(count * cols());
  file_->read(first, floats);
  block = Matrix(count, cols(), std::vector<double>(floats.begin(), floats.end()));
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
