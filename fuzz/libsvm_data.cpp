// LIBSVM's sparse rows.
#include "io/libsvm/libsvm_data.h"

#include "memory_file.h"
#include "rows.h"
#include "target.h"

namespace bisector::fuzz {

using namespace io;

FUZZ_TARGET(libsvm_data, bytes) {
  const MemoryFile file(bytes);
  check_rows([&](int time) { return open_libsvm(text_input(file, time)); });
}

}  // namespace bisector::fuzz
