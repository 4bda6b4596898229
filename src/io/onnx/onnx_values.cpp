#include "io/onnx/onnx_values.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <protozero/pbf_message.hpp>

#include "bisector/error.h"
#include "bisector/text.h"
#include "io/common/limits.h"
#include "io/onnx/onnx_fields.h"
#include "io/text/cells.h"

namespace bisector::io {
namespace {

using protozero::pbf_wire_type;

template <class Field>
protozero::pbf_message<Field> fields_of(std::string_view message) {
  return protozero::pbf_message<Field>{protozero::data_view(message.data(), message.size())};
}

template <class Fields>
std::string_view view_in(Fields& fields) {
  const auto bytes = fields.get_view();
  return {bytes.data(), bytes.size()};
}

/// Integers may need more memory than their bytes in the file.
struct TooManyValues : protozero::exception {
  const char* what() const noexcept override { return "too many values in a list"; }
};

template <class To>
void append(std::vector<To>& values, To value, std::size_t limit) {
  if (values.size() == limit) throw TooManyValues();
  values.push_back(value);
}

/// Values of a repeated field may be single or packed; other wire types are skipped.
template <class Fields>
void append_floats(Fields& fields, std::vector<double>& values) {
  if (fields.wire_type() == pbf_wire_type::fixed32)
    append(values, double{fields.get_float()}, kMaxElements);
  else if (fields.wire_type() == pbf_wire_type::length_delimited)
    for (const float value : fields.get_packed_float()) append(values, double{value}, kMaxElements);
  else
    fields.skip();
}

template <class Fields>
void append_doubles(Fields& fields, std::vector<double>& values) {
  if (fields.wire_type() == pbf_wire_type::fixed64)
    append(values, fields.get_double(), kMaxElements);
  else if (fields.wire_type() == pbf_wire_type::length_delimited)
    for (const double value : fields.get_packed_double()) append(values, value, kMaxElements);
  else
    fields.skip();
}

template <class To, class Fields>
void append_integers(Fields& fields, std::vector<To>& values, std::size_t limit = kMaxListed) {
  if (fields.wire_type() == pbf_wire_type::varint)
    append(values, static_cast<To>(fields.get_int64()), limit);
  else if (fields.wire_type() == pbf_wire_type::length_delimited)
    for (const std::int64_t value : fields.get_packed_int64())
      append(values, static_cast<To>(value), limit);
  else
    fields.skip();
}

/// Adds the position, which protozero's exceptions lack.
template <class Read, class Fail>
auto guarded(Read&& read, Fail&& fail) {
  try {
    return read();
  } catch (const protozero::exception& error) {
    fail(fmt::format("not readable: {}", error.what()));
    throw;
  }
}

struct RawTensor {
  std::vector<std::int64_t> dims;
  std::int64_t data_type = 0;
  std::vector<double> listed;  // in a field for its type
  std::string_view raw;        // or as little-endian bytes
  std::vector<std::string_view> texts;
  bool is_elsewhere = false;
};

RawTensor read_raw_tensor(std::string_view message) {
  RawTensor tensor;
  auto fields = fields_of<onnx::tensor::Field>(message);
  while (fields.next()) {
    switch (fields.tag_and_type()) {
      case tag_and_type(onnx::tensor::data_type, pbf_wire_type::varint):
        tensor.data_type = fields.get_int64();
        continue;
      case tag_and_type(onnx::tensor::data_location, pbf_wire_type::varint):
        tensor.is_elsewhere = fields.get_int64() != 0;
        continue;
      case tag_and_type(onnx::tensor::raw_data, pbf_wire_type::length_delimited):
        tensor.raw = view_in(fields);
        continue;
      case tag_and_type(onnx::tensor::string_data, pbf_wire_type::length_delimited):
        append(tensor.texts, view_in(fields), kMaxListed);
        continue;
      default:
        break;
    }
    switch (fields.tag()) {
      case onnx::tensor::dims:
        append_integers(fields, tensor.dims, kMaxOnnxDimensions);
        break;
      case onnx::tensor::float_data:
        append_floats(fields, tensor.listed);
        break;
      case onnx::tensor::double_data:
        append_doubles(fields, tensor.listed);
        break;
      case onnx::tensor::int32_data:
      case onnx::tensor::int64_data:
        append_integers(fields, tensor.listed);
        break;
      default:
        fields.skip();
    }
  }
  return tensor;
}

template <class Fail>
std::vector<std::string> utf8_texts(const std::vector<std::string_view>& texts, Fail&& fail) {
  if (texts.empty()) fail("expected a list of texts");
  for (const std::string_view text : texts) {
    if (!is_utf8(text)) fail(fmt::format("{} is not UTF-8 text", shown(text)));
  }
  return {texts.begin(), texts.end()};
}

static_assert(std::endian::native == std::endian::little, "raw tensors are copied as they are");

template <class Number>
std::vector<double> raw_numbers(std::string_view raw) {
  std::vector<double> values(raw.size() / sizeof(Number));
  for (std::size_t n = 0; n < values.size(); ++n) {
    Number number;
    std::memcpy(&number, raw.data() + n * sizeof(Number), sizeof(Number));
    values[n] = static_cast<double>(number);
  }
  return values;
}

std::optional<std::vector<double>> raw_numbers(std::int64_t data_type, std::string_view raw) {
  switch (data_type) {
    case onnx::tensor::kFloat:
      return raw_numbers<float>(raw);
    case onnx::tensor::kDouble:
      return raw_numbers<double>(raw);
    case onnx::tensor::kInt32:
      return raw_numbers<std::int32_t>(raw);
    case onnx::tensor::kInt64:
      return raw_numbers<std::int64_t>(raw);
    default:
      return std::nullopt;
  }
}

}  // namespace

bool OnnxTensor::is_row() const {
  for (std::size_t n = 0; n + 1 < shape.size(); ++n) {
    if (shape[n] != 1) return false;
  }
  return true;
}

OnnxTensor read_onnx_tensor(const OnnxGraph& graph, std::string_view message,
                            std::string_view title) {
  const auto fail = [&](std::string_view problem) {
    graph.fail(fmt::format("{}: {}", title, problem));
  };
  RawTensor raw = guarded([&] { return read_raw_tensor(message); }, fail);
  if (raw.is_elsewhere) fail("its values are in another file, expected them in this one");
  auto values = raw_numbers(raw.data_type, raw.raw);
  if (!values)
    fail(fmt::format("elements of ONNX type {}, expected float, double, int32 or int64",
                     raw.data_type));
  OnnxTensor tensor{{}, raw.raw.empty() ? std::move(raw.listed) : std::move(*values)};
  std::size_t size = 1;
  for (const std::int64_t length : raw.dims) {
    // Compared with the number of values at each step, so that the product cannot overflow.
    if (length < 1 || static_cast<std::size_t>(length) > tensor.values.size() / size)
      fail(fmt::format("{} values do not fit the shape ({})", tensor.values.size(),
                       fmt::join(raw.dims, ", ")));
    size *= static_cast<std::size_t>(length);
    tensor.shape.push_back(static_cast<std::size_t>(length));
  }
  if (size != tensor.values.size())
    fail(fmt::format("{} values do not fit the shape ({})", tensor.values.size(),
                     fmt::join(raw.dims, ", ")));
  return tensor;
}

/// An AttributeProto. Of the members only those of its type are filled.
struct OnnxAttributes::Value {
  std::optional<std::int64_t> integer;
  std::optional<double> number;
  std::optional<std::string_view> text, tensor, graph;
  std::vector<double> numbers;
  std::vector<std::int64_t> integers;
  std::vector<std::string_view> texts;
};

OnnxAttributes::Value OnnxAttributes::value(std::string_view message) {
  Value value;
  auto fields = fields_of<onnx::attribute::Field>(message);
  while (fields.next()) {
    switch (fields.tag_and_type()) {
      case tag_and_type(onnx::attribute::i, pbf_wire_type::varint):
        value.integer = fields.get_int64();
        continue;
      case tag_and_type(onnx::attribute::f, pbf_wire_type::fixed32):
        value.number = fields.get_float();
        continue;
      case tag_and_type(onnx::attribute::s, pbf_wire_type::length_delimited):
        value.text = view_in(fields);
        continue;
      case tag_and_type(onnx::attribute::t, pbf_wire_type::length_delimited):
        value.tensor = view_in(fields);
        continue;
      case tag_and_type(onnx::attribute::g, pbf_wire_type::length_delimited):
        value.graph = view_in(fields);
        continue;
      case tag_and_type(onnx::attribute::strings, pbf_wire_type::length_delimited):
        append(value.texts, view_in(fields), kMaxListed);
        continue;
      default:
        break;
    }
    if (fields.tag() == onnx::attribute::floats)
      append_floats(fields, value.numbers);
    else if (fields.tag() == onnx::attribute::ints)
      append_integers(fields, value.integers);
    else
      fields.skip();
  }
  return value;
}

bool OnnxAttributes::has(std::string_view name) const { return find(name).has_value(); }

std::optional<std::string_view> OnnxAttributes::find(std::string_view name) const {
  for (const OnnxAttribute& attribute : node_.attributes) {
    if (attribute.name == name) return attribute.message;
  }
  return std::nullopt;
}

OnnxAttributes::Value OnnxAttributes::required(std::string_view name) const {
  const auto message = find(name);
  if (!message) graph_.fail(node_, fmt::format("the attribute {} is missing", name));
  return guarded([&] { return value(*message); },
                 [&](std::string_view problem) { fail(name, problem); });
}

void OnnxAttributes::fail(std::string_view name, std::string_view problem) const {
  graph_.fail(node_, fmt::format("{}: {}", name, problem));
}

std::int64_t OnnxAttributes::integer(std::string_view name, std::int64_t fallback) const {
  if (!has(name)) return fallback;
  const Value value = required(name);
  if (!value.integer) fail(name, "expected a whole number");
  return *value.integer;
}

double OnnxAttributes::number(std::string_view name, double fallback) const {
  if (!has(name)) return fallback;
  const Value value = required(name);
  if (!value.number) fail(name, "expected a real number");
  return *value.number;
}

std::string OnnxAttributes::text(std::string_view name, std::string_view fallback) const {
  if (!has(name)) return std::string(fallback);
  const Value value = required(name);
  if (!value.text) fail(name, "expected a text");
  return std::string(*value.text);
}

std::vector<double> OnnxAttributes::numbers(std::string_view name) const {
  Value value = required(name);
  if (value.numbers.empty()) fail(name, "expected a list of real numbers");
  return std::move(value.numbers);
}

std::vector<std::int64_t> OnnxAttributes::integers(std::string_view name) const {
  Value value = required(name);
  if (value.integers.empty()) fail(name, "expected a list of whole numbers");
  return std::move(value.integers);
}

std::vector<std::string> OnnxAttributes::texts(std::string_view name) const {
  return utf8_texts(required(name).texts, [&](std::string_view problem) { fail(name, problem); });
}

std::string_view OnnxAttributes::tensor(std::string_view name) const {
  const Value value = required(name);
  if (!value.tensor) fail(name, "expected a tensor");
  return *value.tensor;
}

std::string_view OnnxAttributes::graph(std::string_view name) const {
  const Value value = required(name);
  if (!value.graph) fail(name, "expected a graph");
  return *value.graph;
}

namespace {

/// Each column by its number, or all by one.
OnnxTensor divided(const OnnxGraph& graph, const OnnxNode& node, OnnxTensor values,
                   const OnnxTensor& by) {
  const std::size_t columns = values.shape.empty() ? 1 : values.shape.back();
  if (!by.is_row() || (by.values.size() != 1 && by.values.size() != columns))
    graph.fail(node, fmt::format("divides {} columns by {} numbers, expected one or as many",
                                 columns, by.values.size()));
  for (std::size_t n = 0; n < values.values.size(); ++n)
    values.values[n] /= by.values[by.values.size() == 1 ? 0 : n % columns];
  return values;
}

OnnxTensor constant_of(const OnnxGraph& graph, std::string_view tensor, int depth) {
  if (const auto message = graph.constant(tensor))
    return read_onnx_tensor(graph, *message, fmt::format("the constant {}", shown(tensor)));
  const auto place = graph.maker(tensor);
  if (!place || depth > kMaxOnnxDepth)
    graph.fail(fmt::format("{} is no constant of the graph, expected one", shown(tensor)));
  const OnnxNode& node = graph.nodes()[*place];
  if (node.op == "Constant")
    return read_onnx_tensor(graph, OnnxAttributes(graph, node).tensor("value"), node.title());
  // Only initializers count: a file must not decide how often a constant is evaluated.
  if (node.op == "Div" && node.inputs.size() == 2 && graph.constant(node.inputs[0]) &&
      graph.constant(node.inputs[1]))
    return divided(graph, node, constant_of(graph, node.inputs[0], depth),
                   constant_of(graph, node.inputs[1], depth));
  const bool is_root = node.op == "Sqrt";
  if (node.inputs.empty() || (!is_root && node.op != "Identity" && node.op != "Cast"))
    graph.fail(node, "computes a constant, expected Constant, Div, Sqrt, Cast or Identity");
  OnnxTensor result = constant_of(graph, node.inputs.front(), depth + 1);
  if (is_root)
    for (double& value : result.values) value = std::sqrt(value);
  return result;
}

}  // namespace

OnnxTensor read_onnx_constant(const OnnxGraph& graph, std::string_view tensor) {
  return constant_of(graph, tensor, 0);
}

bool has_onnx_texts(std::string_view message) {
  try {
    return read_raw_tensor(message).data_type == onnx::tensor::kText;
  } catch (const protozero::exception&) {
    return false;  // its reader reports it
  }
}

std::vector<std::string> read_onnx_texts(const OnnxGraph& graph, std::string_view message,
                                         std::string_view title) {
  const auto fail = [&](std::string_view problem) {
    graph.fail(fmt::format("{}: {}", title, problem));
  };
  return utf8_texts(guarded([&] { return read_raw_tensor(message); }, fail).texts, fail);
}

}  // namespace bisector::io
