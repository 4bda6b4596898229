// The numbers that ONNX gives to the fields and values of its protobuf messages, as far as we read
// or write them (onnx-ml.proto of the ONNX standard).
#pragma once

#include <cstdint>

namespace bisector::io::onnx {

namespace model {
enum Field : std::uint32_t {
  ir_version = 1,
  producer_name = 2,
  producer_version = 3,
  graph = 7,
  opset_import = 8,
  metadata_props = 14,
};
}
namespace opset {
enum Field : std::uint32_t { domain = 1, version = 2 };
}
namespace entry {
enum Field : std::uint32_t { key = 1, value = 2 };
}
namespace graph {
enum Field : std::uint32_t { node = 1, name = 2, initializer = 5, input = 11, output = 12 };
}
namespace node {
enum Field : std::uint32_t {
  input = 1,
  output = 2,
  name = 3,
  op_type = 4,
  attribute = 5,
  domain = 7
};
}
namespace attribute {
enum Field : std::uint32_t {
  name = 1,
  f = 2,
  i = 3,
  s = 4,
  t = 5,
  g = 6,
  floats = 7,
  ints = 8,
  strings = 9,
  type = 20,
};
enum Type : std::int32_t {
  kFloat = 1,
  kInt = 2,
  kString = 3,
  kFloats = 6,
  kInts = 7,
  kStrings = 8
};
}  // namespace attribute
namespace tensor {
enum Field : std::uint32_t {
  dims = 1,
  data_type = 2,
  float_data = 4,
  int32_data = 5,
  string_data = 6,
  int64_data = 7,
  name = 8,
  raw_data = 9,
  double_data = 10,
  data_location = 14,
};
enum Type : std::int32_t { kFloat = 1, kInt32 = 6, kInt64 = 7, kText = 8, kDouble = 11 };
}  // namespace tensor
namespace value_info {
enum Field : std::uint32_t { name = 1, type = 2 };
}
namespace type {
enum Field : std::uint32_t { tensor_type = 1 };
}
namespace tensor_type {
enum Field : std::uint32_t { elem_type = 1, shape = 2 };
}
namespace shape {
enum Field : std::uint32_t { dim = 1 };
}
namespace dimension {
enum Field : std::uint32_t { dim_value = 1, dim_param = 2 };
}

/// The domain of the operators that are for trained models.
inline constexpr char kMlDomain[] = "ai.onnx.ml";

}  // namespace bisector::io::onnx
