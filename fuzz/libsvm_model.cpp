// LIBSVM model files, read, written and read again.
#include <sstream>

#include "models.h"
#include "target.h"

namespace bisector::fuzz {

FUZZ_TARGET(libsvm_model, bytes) {
  std::istringstream in{std::string(bytes)};
  const auto model = attempt([&] { return read_libsvm_model(in, "input"); });
  if (model) check_libsvm_round_trip(*model);
}

}  // namespace bisector::fuzz
