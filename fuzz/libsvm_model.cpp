// LIBSVM model files, read and explained.
#include <sstream>

#include "models.h"
#include "target.h"

namespace bisector::fuzz {

FUZZ_TARGET(libsvm_model, bytes) {
  std::istringstream in{std::string(bytes)};
  const auto model = attempt([&] { return read_libsvm_model(in, "input"); });
  if (model && is_small(*model)) explained(*model);
}

}  // namespace bisector::fuzz
