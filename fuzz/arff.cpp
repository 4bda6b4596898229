// ARFF files.
#include "io/text/text_formats.h"

#include "memory_file.h"
#include "rows.h"
#include "target.h"

namespace bisector::fuzz {

using namespace io;

FUZZ_TARGET(arff, bytes) {
  const MemoryFile file(bytes);
  check_rows([&](int time) { return open_arff(text_input(file, time)); });
}

}  // namespace bisector::fuzz
