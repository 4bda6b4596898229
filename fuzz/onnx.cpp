// ONNX files, read, written and read again.
#include "io/onnx/onnx_reader.h"

#include "models.h"
#include "target.h"

namespace bisector::fuzz {

using namespace io;

FUZZ_TARGET(onnx, bytes) {
  const auto model = attempt([&] { return read_onnx_bytes(bytes, "input"); });
  if (model) check_onnx_round_trip(*model);
}

}  // namespace bisector::fuzz
