// ONNX files that tests put together themselves, part by part.
#pragma once

#include <protozero/pbf_builder.hpp>
#include <string>
#include <utility>
#include <vector>

#include "io/onnx/onnx_fields.h"

namespace bisector::test {

namespace onnx = io::onnx;

using Names = std::vector<std::string>;

/// An AttributeProto.
class Attribute {
 public:
  Attribute(const std::string& name, const std::vector<float>& values) : Attribute(name) {
    builder_.add_packed_float(onnx::attribute::floats, values.begin(), values.end());
  }
  Attribute(const std::string& name, const std::vector<std::int64_t>& values) : Attribute(name) {
    builder_.add_packed_int64(onnx::attribute::ints, values.begin(), values.end());
  }
  Attribute(const std::string& name, const Names& values) : Attribute(name) {
    for (const auto& value : values) builder_.add_bytes(onnx::attribute::strings, value);
  }
  Attribute(const std::string& name, std::int64_t value) : Attribute(name) {
    builder_.add_int64(onnx::attribute::i, value);
  }
  Attribute(const std::string& name, float value) : Attribute(name) {
    builder_.add_float(onnx::attribute::f, value);
  }
  Attribute(const std::string& name, const char* value) : Attribute(name) {
    builder_.add_bytes(onnx::attribute::s, value);
  }
  Attribute(const Attribute& other) : name_(other.name_), bytes_(other.bytes_), builder_(bytes_) {}
  Attribute& operator=(const Attribute&) = delete;

  const std::string& name() const { return name_; }
  const std::string& bytes() const { return bytes_; }

 private:
  explicit Attribute(std::string name) : name_(std::move(name)), builder_(bytes_) {
    builder_.add_string(onnx::attribute::name, name_);
  }
  std::string name_, bytes_;
  protozero::pbf_builder<onnx::attribute::Field> builder_;
};

using Attributes = std::vector<Attribute>;

struct NodeDraft {
  std::string op, domain;
  Names inputs, outputs;
  Attributes attributes = {};

  /// The attribute in place of another of its name, or added.
  NodeDraft with(const Attribute& attribute) const {
    NodeDraft copy{op, domain, inputs, outputs};
    for (const auto& each : attributes) {
      if (each.name() != attribute.name()) copy.attributes.push_back(each);
    }
    copy.attributes.push_back(attribute);
    return copy;
  }
  NodeDraft without(const std::string& name) const {
    NodeDraft copy{op, domain, inputs, outputs};
    for (const auto& each : attributes) {
      if (each.name() != name) copy.attributes.push_back(each);
    }
    return copy;
  }
  std::string bytes() const {
    std::string bytes;
    protozero::pbf_builder<onnx::node::Field> node(bytes);
    for (const auto& each : inputs) node.add_string(onnx::node::input, each);
    for (const auto& each : outputs) node.add_string(onnx::node::output, each);
    node.add_string(onnx::node::name, "the_" + op);
    node.add_string(onnx::node::op_type, op);
    node.add_string(onnx::node::domain, domain);
    for (const auto& each : attributes) node.add_message(onnx::node::attribute, each.bytes());
    return bytes;
  }
};

struct ConstantDraft {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<double> values;

  std::string bytes() const {
    std::string bytes;
    protozero::pbf_builder<onnx::tensor::Field> tensor(bytes);
    tensor.add_packed_int64(onnx::tensor::dims, shape.begin(), shape.end());
    tensor.add_enum(onnx::tensor::data_type, onnx::tensor::kDouble);
    tensor.add_string(onnx::tensor::name, name);
    tensor.add_packed_double(onnx::tensor::double_data, values.begin(), values.end());
    return bytes;
  }
};

struct InputDraft {
  std::string name = "X";
  std::int64_t width = 2;  // 0: not said
  std::int32_t type = onnx::tensor::kFloat;

  std::string bytes() const {
    std::string bytes;
    protozero::pbf_builder<onnx::value_info::Field> info(bytes);
    info.add_string(onnx::value_info::name, name);
    protozero::pbf_builder<onnx::type::Field> any(info, onnx::value_info::type);
    protozero::pbf_builder<onnx::tensor_type::Field> tensor(any, onnx::type::tensor_type);
    tensor.add_enum(onnx::tensor_type::elem_type, type);
    protozero::pbf_builder<onnx::shape::Field> shape(tensor, onnx::tensor_type::shape);
    using Dimension = protozero::pbf_builder<onnx::dimension::Field>;
    Dimension(shape, onnx::shape::dim).add_string(onnx::dimension::dim_param, "N");
    Dimension second(shape, onnx::shape::dim);
    if (width > 0) second.add_int64(onnx::dimension::dim_value, width);
    return bytes;
  }
};

struct OnnxDraft {
  std::vector<NodeDraft> nodes;
  std::vector<ConstantDraft> constants = {};
  std::vector<InputDraft> inputs = {InputDraft{}};
  Names outputs = {"label"};
  std::vector<std::pair<std::string, std::string>> metadata = {};

  std::string bytes() const {
    std::string bytes;
    protozero::pbf_builder<onnx::model::Field> model(bytes);
    model.add_int64(onnx::model::ir_version, 8);
    {
      protozero::pbf_builder<onnx::graph::Field> graph(model, onnx::model::graph);
      for (const auto& each : nodes) graph.add_message(onnx::graph::node, each.bytes());
      for (const auto& each : constants) graph.add_message(onnx::graph::initializer, each.bytes());
      for (const auto& each : inputs) graph.add_message(onnx::graph::input, each.bytes());
      for (const auto& each : outputs)
        graph.add_message(onnx::graph::output, InputDraft{each}.bytes());
    }
    for (const auto& [key, value] : metadata) {
      protozero::pbf_builder<onnx::entry::Field> entry(model, onnx::model::metadata_props);
      entry.add_string(onnx::entry::key, key);
      entry.add_string(onnx::entry::value, value);
    }
    return bytes;
  }
};

/// Two classes, three support vectors in two columns.
inline NodeDraft svm_node(const std::string& input = "X") {
  return {"SVMClassifier",
          "ai.onnx.ml",
          {input},
          {"label", "scores"},
          {{"kernel_type", "RBF"},
           {"kernel_params", std::vector<float>{0.5F, 0.0F, 3.0F}},
           {"support_vectors", std::vector<float>{0, 1, 2, 3, 4, 5}},
           {"coefficients", std::vector<float>{1, -0.5F, -0.5F}},
           {"rho", std::vector<float>{0.25F}},
           {"vectors_per_class", std::vector<std::int64_t>{1, 2}},
           {"classlabels_ints", std::vector<std::int64_t>{7, 9}}}};
}

inline NodeDraft regressor_node(const std::string& input = "X") {
  return {"SVMRegressor",
          "ai.onnx.ml",
          {input},
          {"label"},
          {{"kernel_type", "RBF"},
           {"kernel_params", std::vector<float>{0.5F, 0.0F, 3.0F}},
           {"support_vectors", std::vector<float>{0, 1, 2, 3, 4, 5}},
           {"coefficients", std::vector<float>{1, -0.5F, -0.5F}},
           {"n_supports", std::int64_t{3}},
           {"rho", std::vector<float>{0.25F}}}};
}

}  // namespace bisector::test
