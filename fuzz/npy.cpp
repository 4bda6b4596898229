// NPY files of rows.
#include "memory_file.h"
#include "rows.h"
#include "target.h"

namespace bisector::fuzz {

FUZZ_TARGET(npy, bytes) {
  const MemoryFile file(bytes);
  DataFormat format;
  format.kind = DataFormat::Kind::npy;
  check_rows([&](int) { return open_data(file.path(), format); });
}

}  // namespace bisector::fuzz
