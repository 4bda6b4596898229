// Zip archives of arrays, byte for byte: as a model bundle, and as rows.
#include "archives.h"
#include "target.h"

namespace bisector::fuzz {

FUZZ_TARGET(npz, bytes) { check_archive(bytes); }

}  // namespace bisector::fuzz
