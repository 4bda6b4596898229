#include "io/onnx/onnx_values.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <functional>
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

/// Appends the values of a repeated field, which are single, of wire type `single`, or packed;
/// other wire types are skipped.
template <class Fields, class To, class Get, class GetPacked>
void append_list(Fields& fields, std::vector<To>& values, std::size_t limit, pbf_wire_type single,
                 const Get& get, const GetPacked& get_packed) {
  if (fields.wire_type() == single)
    append(values, static_cast<To>(std::invoke(get, fields)), limit);
  else if (fields.wire_type() == pbf_wire_type::length_delimited)
    for (const auto value : std::invoke(get_packed, fields))
      append(values, static_cast<To>(value), limit);
  else
    fields.skip();
}

template <class Fields>
void append_floats(Fields& fields, std::vector<double>& values) {
  append_list(fields, values, kMaxElements, pbf_wire_type::fixed32, &Fields::get_float,
              &Fields::get_packed_float);
}
template <class To, class Fields>
void append_integers(Fields& fields, std::vector<To>& values, std::size_t limit = kMaxListed) {
  append_list(fields, values, limit, pbf_wire_type::varint, &Fields::get_int64,
              &Fields::get_packed_int64);
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
  using onnx::tensor::Field;
  RawTensor tensor;
  auto fields = fields_of<Field>(message);
  while (fields.next()) {
    const Field tag = fields.tag();
    const bool is_integer = fields.wire_type() == pbf_wire_type::varint;
    const bool is_bytes = fields.wire_type() == pbf_wire_type::length_delimited;
    if (tag == Field::data_type && is_integer)
      tensor.data_type = fields.get_int64();
    else if (tag == Field::data_location && is_integer)
      tensor.is_elsewhere = fields.get_int64() != 0;
    else if (tag == Field::raw_data && is_bytes)
      tensor.raw = view_in(fields);
    else if (tag == Field::string_data && is_bytes)
      append(tensor.texts, view_in(fields), kMaxListed);
    else if (tag == Field::dims)
      append_integers(fields, tensor.dims, kMaxOnnxDimensions);
    else if (tag == Field::float_data)
      append_floats(fields, tensor.listed);
    else if (tag == Field::double_data)
      append_list(
          fields, tensor.listed, kMaxElements, pbf_wire_type::fixed64,
          [](auto& own) { return own.get_double(); },
          [](auto& own) { return own.get_packed_double(); });
    else if (tag == Field::int32_data || tag == Field::int64_data)
      append_integers(fields, tensor.listed);
    else
      fields.skip();
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
    tensor.shape.push_back(static_cast<std::size_t>(length));
    // Compared with the number of values at each step, so that the product cannot overflow.
    const bool fits = length > 0 && tensor.shape.back() <= tensor.values.size() / size;
    size = fits ? size * tensor.shape.back() : 0;
    if (!fits) break;
  }
  if (size != tensor.values.size() || size == 0)
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
  using onnx::attribute::Field;
  Value value;
  auto fields = fields_of<Field>(message);
  while (fields.next()) {
    const Field tag = fields.tag();
    const bool is_bytes = fields.wire_type() == pbf_wire_type::length_delimited;
    if (tag == Field::i && fields.wire_type() == pbf_wire_type::varint)
      value.integer = fields.get_int64();
    else if (tag == Field::f && fields.wire_type() == pbf_wire_type::fixed32)
      value.number = fields.get_float();
    else if (tag == Field::s && is_bytes)
      value.text = view_in(fields);
    else if (tag == Field::t && is_bytes)
      value.tensor = view_in(fields);
    else if (tag == Field::g && is_bytes)
      value.graph = view_in(fields);
    else if (tag == Field::strings && is_bytes)
      append(value.texts, view_in(fields), kMaxListed);
    else if (tag == Field::floats)
      append_floats(fields, value.numbers);
    else if (tag == Field::ints)
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

template <class T>
T OnnxAttributes::get(std::string_view name, std::optional<T> Value::*member,
                      std::string_view expected) const {
  const Value value = required(name);
  if (!(value.*member)) fail(name, expected);
  return *(value.*member);
}

template <class T>
std::vector<T> OnnxAttributes::get_list(std::string_view name, std::vector<T> Value::*member,
                                        std::string_view expected) const {
  Value value = required(name);
  if ((value.*member).empty()) fail(name, expected);
  return std::move(value.*member);
}

std::int64_t OnnxAttributes::integer(std::string_view name, std::int64_t fallback) const {
  return has(name) ? get(name, &Value::integer, "expected a whole number") : fallback;
}

double OnnxAttributes::number(std::string_view name, double fallback) const {
  return has(name) ? get(name, &Value::number, "expected a real number") : fallback;
}

std::string OnnxAttributes::text(std::string_view name, std::string_view fallback) const {
  return std::string(has(name) ? get(name, &Value::text, "expected a text") : fallback);
}

std::vector<double> OnnxAttributes::numbers(std::string_view name) const {
  return get_list(name, &Value::numbers, "expected a list of real numbers");
}

std::vector<std::int64_t> OnnxAttributes::integers(std::string_view name) const {
  return get_list(name, &Value::integers, "expected a list of whole numbers");
}

std::vector<std::string> OnnxAttributes::texts(std::string_view name) const {
  return utf8_texts(required(name).texts, [&](std::string_view problem) { fail(name, problem); });
}

std::string_view OnnxAttributes::tensor(std::string_view name) const {
  return get(name, &Value::tensor, "expected a tensor");
}

std::string_view OnnxAttributes::graph(std::string_view name) const {
  return get(name, &Value::graph, "expected a graph");
}

void require_cast_to_real(const OnnxGraph& graph, const OnnxNode& node) {
  const std::int64_t to = OnnxAttributes(graph, node).integer("to", 0);
  if (to != onnx::tensor::kFloat && to != onnx::tensor::kDouble)
    graph.fail(node, fmt::format("casts to ONNX type {}, expected float or double", to));
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
