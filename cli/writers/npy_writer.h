// A matrix of doubles as an NPY file whose number of rows is known only at the end.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

#include "bisector/matrix.h"

namespace bisector::cli {

class NpyWriter {
 public:
  /// If `out` can go back, the header is written at the end; else all rows are kept until then.
  /// With a `depth`, a row is a matrix of columns x depth.
  NpyWriter(std::ostream& out, std::size_t columns, bool can_go_back, std::size_t depth = 0);

  void write(const Matrix& rows);
  /// Writes the header.
  void finish();

 private:
  std::ostream& out_;
  std::size_t columns_, depth_, rows_ = 0;
  bool can_go_back_;
  std::string kept_;
};

}  // namespace bisector::cli
