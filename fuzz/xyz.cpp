// Molecules as XYZ text, or whatever the bytes look like: gzip, bzip2 and tar are recognized.
#include "memory_file.h"
#include "molecules.h"
#include "target.h"

namespace bisector::fuzz {

FUZZ_TARGET(xyz, bytes) {
  const MemoryFile file(bytes);
  check_molecules(file.path());
}

}  // namespace bisector::fuzz
