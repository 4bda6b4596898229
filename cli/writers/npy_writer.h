// A matrix of doubles as an NPY file whose number of rows is known only at the end.
#pragma once

#include <cstddef>
#include <ostream>

#include "bisector/matrix.h"

namespace bisector::cli {

class NpyWriter {
 public:
  /// Leaves room for the header; `out` must be able to seek.
  NpyWriter(std::ostream& out, std::size_t columns);

  void write(const Matrix& rows);
  /// Writes the header.
  void finish();

 private:
  std::ostream& out_;
  std::size_t columns_, rows_ = 0;
};

}  // namespace bisector::cli
