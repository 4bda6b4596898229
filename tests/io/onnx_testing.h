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
  /// A graph, as its message.
  static Attribute graph(const std::string& name, const std::string& message) {
    Attribute attribute(name);
    attribute.builder_.add_message(onnx::attribute::g, message);
    return attribute;
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

  std::string graph_bytes() const {
    std::string bytes;
    protozero::pbf_builder<onnx::graph::Field> graph(bytes);
    for (const auto& each : nodes) graph.add_message(onnx::graph::node, each.bytes());
    for (const auto& each : constants) graph.add_message(onnx::graph::initializer, each.bytes());
    for (const auto& each : inputs) graph.add_message(onnx::graph::input, each.bytes());
    for (const auto& each : outputs)
      graph.add_message(onnx::graph::output, InputDraft{each}.bytes());
    return bytes;
  }
  std::string bytes() const {
    std::string bytes;
    protozero::pbf_builder<onnx::model::Field> model(bytes);
    model.add_int64(onnx::model::ir_version, 8);
    model.add_message(onnx::model::graph, graph_bytes());
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

/// sum_d |x_d - u_d| of all rows and one point, for a Scan.
inline OnnxDraft scan_body() {
  return {{{"Identity", "", {"rows"}, {"same"}},
           {"Sub", "", {"rows", "point"}, {"less"}},
           {"Abs", "", {"less"}, {"part"}},
           {"ReduceSum", "", {"part", "one"}, {"sum"}, {{"keepdims", std::int64_t{0}}}}},
          {{"one", {1}, {1}}},
          {InputDraft{"rows"}, InputDraft{"point"}},
          {"same", "sum"}};
}

/// Two classes, the three nearest of four points in two columns, as skl2onnx writes them; weighted
/// by distance, and the distances by Manhattan in a Scan or Euclidean by CDist.
inline OnnxDraft neighbors_draft(bool by_scan, const std::string& input = "X") {
  OnnxDraft draft{{{"TopK", "", {"far", "k"}, {"near", "who"}, {{"largest", std::int64_t{0}}}},
                   {"Max", "", {"near", "least"}, {"bounded"}},
                   {"Reciprocal", "", {"bounded"}, {"weights"}},
                   {"Flatten", "", {"who"}, {"flat"}},
                   {"ArrayFeatureExtractor", "ai.onnx.ml", {"targets", "flat"}, {"classes"}},
                   {"Reshape", "", {"classes", "shape"}, {"of"}},
                   {"Concat", "", {"sum0", "sum1"}, {"sums"}, {{"axis", std::int64_t{1}}}},
                   {"ArgMax", "", {"sums"}, {"most"}, {{"axis", std::int64_t{1}}}},
                   {"ArrayFeatureExtractor", "ai.onnx.ml", {"labels", "most"}, {"label"}}},
                  {{"points", {4, 2}, {0, 0, 0, 1, 2, 2, 3, 2}},
                   {"targets", {4}, {0, 0, 1, 1}},
                   {"labels", {2}, {7, 9}},
                   {"k", {1}, {3}},
                   {"shape", {2}, {-1, 3}},
                   {"least", {1}, {1e-6}},
                   {"0", {1}, {0}},
                   {"1", {1}, {1}}}};
  for (const std::string each : {"0", "1"}) {
    draft.nodes.push_back({"Equal", "", {"of", each}, {"is" + each}});
    draft.nodes.push_back({"Cast", "", {"is" + each}, {"one" + each}, {{"to", std::int64_t{1}}}});
    draft.nodes.push_back({"Mul", "", {"one" + each, "weights"}, {"weighted" + each}});
    draft.nodes.push_back({"ReduceSum", "", {"weighted" + each, "1"}, {"sum" + each}});
  }
  if (by_scan) {
    draft.nodes.push_back({"Scan",
                           "",
                           {input, "points"},
                           {"state", "turned"},
                           {Attribute::graph("body", scan_body().graph_bytes()),
                            {"num_scan_inputs", std::int64_t{1}}}});
    draft.nodes.push_back({"Transpose", "", {"turned"}, {"far"}});
  } else {
    draft.nodes.push_back(
        {"CDist", "com.microsoft", {input, "points"}, {"far"}, {{"metric", "euclidean"}}});
  }
  return draft;
}

}  // namespace bisector::test
