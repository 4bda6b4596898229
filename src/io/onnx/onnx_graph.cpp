#include "io/onnx/onnx_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <protozero/pbf_message.hpp>
#include <unordered_set>

#include "bisector/error.h"
#include "io/common/limits.h"
#include "io/onnx/onnx_fields.h"
#include "io/text/cells.h"

namespace bisector::io {
namespace {

using protozero::pbf_message;
using protozero::pbf_wire_type;

constexpr auto kBytes = pbf_wire_type::length_delimited;
constexpr auto kVarint = pbf_wire_type::varint;

std::string_view view_of(const protozero::data_view& data) { return {data.data(), data.size()}; }

/// Calls `handle(field, bytes)` for each field of `message` that holds bytes (texts, messages);
/// other fields are skipped.
template <class Field, class Handle>
void for_each_bytes(std::string_view message, Handle&& handle) {
  pbf_message<Field> fields{protozero::data_view(message.data(), message.size())};
  while (fields.next()) {
    const Field tag = fields.tag();  // gone once the value is read
    if (fields.wire_type() == kBytes)
      handle(tag, view_of(fields.get_view()));
    else
      fields.skip();
  }
}

/// The last number in a varint field, as protobuf has it.
template <class Field>
std::optional<std::int64_t> integer_in(std::string_view message, Field field) {
  pbf_message<Field> fields{protozero::data_view(message.data(), message.size())};
  std::optional<std::int64_t> value;
  while (fields.next()) {
    if (fields.tag() == field && fields.wire_type() == kVarint)
      value = fields.get_int64();
    else
      fields.skip();
  }
  return value;
}

template <class Field>
std::string_view bytes_in(std::string_view message, Field field) {
  std::string_view value;
  for_each_bytes<Field>(message, [&](Field tag, std::string_view bytes) {
    if (tag == field) value = bytes;
  });
  return value;
}

/// The number of columns: the second of two dimensions, where it is a number.
std::optional<std::size_t> read_width(std::string_view shape) {
  std::vector<std::string_view> dimensions;
  for_each_bytes<onnx::shape::Field>(shape, [&](onnx::shape::Field tag, std::string_view bytes) {
    if (tag == onnx::shape::dim && dimensions.size() < 3) dimensions.push_back(bytes);
  });
  if (dimensions.size() != 2) return std::nullopt;
  const auto value = integer_in(dimensions[1], onnx::dimension::dim_value);
  if (!value || *value < 1) return std::nullopt;
  return static_cast<std::size_t>(*value);
}

OnnxInput read_input(std::string_view message) {
  OnnxInput input;
  input.name = bytes_in(message, onnx::value_info::name);
  const auto type = bytes_in(message, onnx::value_info::type);
  const auto tensor = bytes_in(type, onnx::type::tensor_type);
  input.is_text = integer_in(tensor, onnx::tensor_type::elem_type) == onnx::tensor::kText;
  input.width = read_width(bytes_in(tensor, onnx::tensor_type::shape));
  return input;
}

template <class Map>
auto found(const Map& map, std::string_view name) {
  const auto place = map.find(name);
  return place == map.end() ? std::nullopt : std::optional(place->second);
}

}  // namespace

std::string OnnxNode::title() const {
  if (name.empty()) return fmt::format("node {}", shown(op));
  const std::string quoted = shown(op);
  return fmt::format("node {} ({})", shown(name), quoted.substr(1, quoted.size() - 2));
}

OnnxGraph::OnnxGraph(std::string_view bytes, std::string_view source, const Limits& limits)
    : OnnxGraph(source, limits, bytes.size()) {
  read([&] { read_model(bytes); });
}

bool OnnxGraph::has_operator(std::string_view op) const {
  return std::ranges::find(nodes_, op, &OnnxNode::op) != nodes_.end();
}

OnnxGraph OnnxGraph::body(std::string_view message) const {
  OnnxGraph inner(source_, limits_, bytes_);
  inner.parts_ = parts_;
  inner.has_graph_ = true;
  inner.read([&] { inner.read_graph(message); });
  return inner;
}

template <class Read>
void OnnxGraph::read(Read&& read_parts) {
  try {
    read_parts();
  } catch (const protozero::exception& error) {
    fail(fmt::format("not a readable ONNX file: {}", error.what()));
  }
  if (!has_graph_) fail("no graph in the file, expected an ONNX model");
  index_names();
}

void OnnxGraph::read_model(std::string_view message) {
  for_each_bytes<onnx::model::Field>(message, [&](onnx::model::Field tag, std::string_view bytes) {
    if (tag == onnx::model::graph) {
      if (has_graph_) fail("two graphs in the file, expected one");
      has_graph_ = true;
      read_graph(bytes);
    } else if (tag == onnx::model::metadata_props && metadata_.size() < kMaxOnnxMetadata) {
      metadata_.emplace(bytes_in(bytes, onnx::entry::key), bytes_in(bytes, onnx::entry::value));
    }
  });
}

OnnxNode OnnxGraph::read_node(std::string_view message) {
  OnnxNode node;
  for_each_bytes<onnx::node::Field>(message, [&](onnx::node::Field tag, std::string_view bytes) {
    count_part();
    switch (tag) {
      case onnx::node::input:
        return node.inputs.push_back(bytes);
      case onnx::node::output:
        return node.outputs.push_back(bytes);
      case onnx::node::attribute:
        return node.attributes.push_back({bytes_in(bytes, onnx::attribute::name), bytes});
      case onnx::node::name:
        node.name = bytes;
        return;
      case onnx::node::op_type:
        node.op = bytes;
        return;
      case onnx::node::domain:
        node.domain = bytes;
        return;
    }
  });
  return node;
}

void OnnxGraph::count_part() {
  if (++parts_ > limits_.max_graph_parts)
    fail(fmt::format(
        "over {} nodes, constants, inputs and outputs, expected fewer (limit graph-parts)",
        limits_.max_graph_parts));
}

void OnnxGraph::read_graph(std::string_view message) {
  for_each_bytes<onnx::graph::Field>(message, [&](onnx::graph::Field tag, std::string_view bytes) {
    count_part();
    switch (tag) {
      case onnx::graph::node:
        nodes_.push_back(read_node(bytes));
        return;
      case onnx::graph::initializer:
        constants_.emplace(bytes_in(bytes, onnx::tensor::name), bytes);
        return;
      case onnx::graph::input:
        inputs_.push_back(read_input(bytes));
        return;
      case onnx::graph::output:
        outputs_.push_back(bytes_in(bytes, onnx::value_info::name));
        return;
      default:
        return;
    }
  });
}

void OnnxGraph::index_names() {
  std::erase_if(inputs_, [&](const OnnxInput& input) { return constants_.contains(input.name); });
  for (std::size_t n = 0; n < inputs_.size(); ++n) {
    if (!input_places_.emplace(inputs_[n].name, n).second)
      fail(
          fmt::format("two inputs are called {}, expected distinct names", shown(inputs_[n].name)));
  }
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    for (const std::string_view input : nodes_[n].inputs) takers_.emplace(input, n);
    for (const std::string_view output : nodes_[n].outputs) {
      if (output.empty()) continue;
      const bool is_new = !input(output) && !constant(output) && makers_.emplace(output, n).second;
      if (!is_new) fail(nodes_[n], fmt::format("makes {}, which is there already", shown(output)));
    }
  }
}

std::optional<std::size_t> OnnxGraph::maker(std::string_view tensor) const {
  return found(makers_, tensor);
}

std::optional<std::string_view> OnnxGraph::constant(std::string_view tensor) const {
  return found(constants_, tensor);
}

std::optional<std::size_t> OnnxGraph::input(std::string_view tensor) const {
  return found(input_places_, tensor);
}

std::vector<bool> OnnxGraph::nodes_before(std::string_view tensor) const {
  std::vector<bool> before(nodes_.size());
  std::vector<std::string_view> to_visit = {tensor};
  while (!to_visit.empty()) {
    const auto node = maker(to_visit.back());
    to_visit.pop_back();
    if (!node || before[*node]) continue;
    before[*node] = true;
    to_visit.insert(to_visit.end(), nodes_[*node].inputs.begin(), nodes_[*node].inputs.end());
  }
  return before;
}

std::vector<bool> OnnxGraph::nodes_behind(std::vector<std::string_view> tensors,
                                          std::optional<std::size_t> barrier) const {
  std::vector<bool> behind(nodes_.size());
  while (!tensors.empty()) {
    const auto [first, last] = takers_.equal_range(tensors.back());
    tensors.pop_back();
    for (auto taker = first; taker != last; ++taker) {
      const std::size_t node = taker->second;
      if (node == barrier || behind[node]) continue;
      behind[node] = true;
      tensors.insert(tensors.end(), nodes_[node].outputs.begin(), nodes_[node].outputs.end());
    }
  }
  return behind;
}

std::string_view OnnxGraph::operand(const OnnxNode& node, std::size_t place) const {
  if (place >= node.inputs.size())
    fail(node, fmt::format("{} inputs, expected at least {}", node.inputs.size(), place + 1));
  return node.inputs[place];
}

std::optional<std::string_view> OnnxGraph::metadata(std::string_view key) const {
  return found(metadata_, key);
}

void OnnxGraph::fail(std::string_view problem) const { throw FormatError(source_, 0, problem); }

void OnnxGraph::fail(const OnnxNode& node, std::string_view problem) const {
  fail(fmt::format("{}: {}", node.title(), problem));
}

}  // namespace bisector::io
