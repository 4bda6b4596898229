#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <protozero/pbf_builder.hpp>
#include <string>
#include <variant>
#include <vector>

#include "bisector/error.h"
#include "bisector/io/model_file.h"
#include "bisector/text.h"
#include "bisector/version.h"
#include "core/models/model_fields.h"
#include "io/onnx/onnx_classes.h"
#include "io/onnx/onnx_fields.h"
#include "io/onnx/onnx_metadata.h"
#include "io/text/cells.h"
#include "io/text/text_lines.h"

namespace bisector {

using namespace io;
using namespace detail;

namespace {

using protozero::pbf_builder;

constexpr std::int64_t kIrVersion = 8;
constexpr std::int64_t kOpset = 13;
constexpr std::int64_t kMlOpset = 1;
constexpr char kInput[] = "X";

[[noreturn]] void refuse_onnx(std::string_view reason) {
  throw InvalidInput(fmt::format("the ONNX format cannot hold {}", reason));
}

void require_utf8(const std::vector<std::string>& texts, std::string_view what) {
  for (const std::string& text : texts) {
    if (!is_utf8(text))
      refuse_onnx(fmt::format("{} in {}, expected UTF-8 text", shown(text), what));
  }
}

/// ONNX's operators for SVMs have numbers of 32 bits.
float narrowed(double value, std::string_view what) {
  const auto number = static_cast<float>(value);
  if (!std::isfinite(number) || (number == 0.0F && value != 0.0))
    refuse_onnx(fmt::format("{} in {}, expected numbers that 32 bits can hold", value, what));
  return number;
}

std::vector<float> narrowed(const std::vector<double>& values, std::string_view what) {
  std::vector<float> numbers;
  numbers.reserve(values.size());
  for (const double value : values) {
    // A small coefficient may vanish, as it would in the sum.
    const auto number = static_cast<float>(value);
    numbers.push_back(std::isfinite(number) ? number : narrowed(value, what));
  }
  return numbers;
}

class Node {
 public:
  Node(pbf_builder<onnx::graph::Field>& graph, const char* op, const char* domain = "")
      : node_(graph, onnx::graph::node) {
    node_.add_string(onnx::node::name, op);
    node_.add_string(onnx::node::op_type, op);
    if (*domain != '\0') node_.add_string(onnx::node::domain, domain);
  }

  Node& input(const char* tensor) {
    node_.add_string(onnx::node::input, tensor);
    return *this;
  }
  Node& output(const char* tensor) {
    node_.add_string(onnx::node::output, tensor);
    return *this;
  }
  Node& set(const char* name, std::int64_t value) {
    Attribute attribute = begin(name, onnx::attribute::kInt);
    attribute.add_int64(onnx::attribute::i, value);
    return *this;
  }
  Node& set(const char* name, const char* value) {
    Attribute attribute = begin(name, onnx::attribute::kString);
    attribute.add_bytes(onnx::attribute::s, value);
    return *this;
  }
  Node& set(const char* name, const std::vector<float>& values) {
    Attribute attribute = begin(name, onnx::attribute::kFloats);
    for (const float value : values) attribute.add_float(onnx::attribute::floats, value);
    return *this;
  }
  Node& set(const char* name, const std::vector<std::int64_t>& values) {
    Attribute attribute = begin(name, onnx::attribute::kInts);
    for (const std::int64_t value : values) attribute.add_int64(onnx::attribute::ints, value);
    return *this;
  }
  Node& set(const char* name, const std::vector<std::string>& values) {
    Attribute attribute = begin(name, onnx::attribute::kStrings);
    for (const std::string& value : values) attribute.add_bytes(onnx::attribute::strings, value);
    return *this;
  }

 private:
  using Attribute = pbf_builder<onnx::attribute::Field>;
  Attribute begin(const char* name, onnx::attribute::Type type) {
    Attribute attribute(node_, onnx::node::attribute);
    attribute.add_string(onnx::attribute::name, name);
    attribute.add_enum(onnx::attribute::type, type);
    return attribute;
  }

  pbf_builder<onnx::node::Field> node_;
};

using Graph = pbf_builder<onnx::graph::Field>;

/// A tensor of rows of `columns` numbers, or of single ones where there are none.
void add_value_info(Graph& graph, onnx::graph::Field field, const char* name, std::int32_t type,
                    std::optional<std::size_t> columns) {
  pbf_builder<onnx::value_info::Field> info(graph, field);
  info.add_string(onnx::value_info::name, name);
  pbf_builder<onnx::type::Field> any(info, onnx::value_info::type);
  pbf_builder<onnx::tensor_type::Field> tensor(any, onnx::type::tensor_type);
  tensor.add_enum(onnx::tensor_type::elem_type, type);
  pbf_builder<onnx::shape::Field> shape(tensor, onnx::tensor_type::shape);
  pbf_builder<onnx::dimension::Field>(shape, onnx::shape::dim)
      .add_string(onnx::dimension::dim_param, "N");
  if (columns)
    pbf_builder<onnx::dimension::Field>(shape, onnx::shape::dim)
        .add_int64(onnx::dimension::dim_value, static_cast<std::int64_t>(*columns));
}

void add_constant(Graph& graph, const char* name, const std::vector<std::int64_t>& shape,
                  const std::vector<float>& values) {
  pbf_builder<onnx::tensor::Field> tensor(graph, onnx::graph::initializer);
  for (const std::int64_t length : shape) tensor.add_int64(onnx::tensor::dims, length);
  tensor.add_enum(onnx::tensor::data_type, onnx::tensor::kFloat);
  tensor.add_string(onnx::tensor::name, name);
  tensor.add_packed_float(onnx::tensor::float_data, values.begin(), values.end());
}

/// Scaler, and MatMul and Add where there is a matrix. Returns the name of what they make.
const char* add_preprocessing(Graph& graph, const AffineMap& map) {
  if (map.is_identity()) return kInput;
  Node(graph, "Scaler", onnx::kMlDomain)
      .input(kInput)
      .output("scaled")
      .set("offset", narrowed(map.shift(), "the preprocessing"))
      .set("scale", narrowed(map.scale(), "the preprocessing"));
  if (!map.has_matrix()) return "scaled";
  const Matrix& matrix = map.matrix();
  std::vector<double> transposed;
  for (std::size_t column = 0; column < matrix.cols(); ++column) {
    for (std::size_t row = 0; row < matrix.rows(); ++row) transposed.push_back(matrix(row, column));
  }
  add_constant(graph, "matrix",
               {static_cast<std::int64_t>(matrix.cols()), static_cast<std::int64_t>(matrix.rows())},
               narrowed(transposed, "the preprocessing"));
  Node(graph, "MatMul").input("scaled").input("matrix").output("mixed");
  if (map.offset().empty()) return "mixed";
  add_constant(graph, "offset", {static_cast<std::int64_t>(map.offset().size())},
               narrowed(map.offset(), "the preprocessing"));
  Node(graph, "Add").input("mixed").input("offset").output("moved");
  return "moved";
}

/// Whole numbers where every label is one, else nothing.
std::optional<std::vector<std::int64_t>> integers_of(const std::vector<std::string>& labels) {
  std::vector<std::int64_t> integers;
  for (const std::string& label : labels) {
    const auto integer = parse_integer<std::int64_t>(label);
    if (!integer || fmt::format("{}", *integer) != label) return std::nullopt;
    integers.push_back(*integer);
  }
  return integers;
}

void set_kernel(Node& node, const Matrix& points, const std::vector<double>& coefficients,
                const std::vector<double>& intercepts, double gamma) {
  node.set("kernel_type", "RBF")
      .set("kernel_params", std::vector<float>{narrowed(gamma, "gamma"), 0.0F, 3.0F})
      .set("support_vectors", narrowed(points.values(), "the support vectors"))
      .set("coefficients", narrowed(coefficients, "the coefficients"))
      .set("rho", narrowed(intercepts, "the intercepts"))
      .set("post_transform", "NONE");
}

void add_predictor(Graph& graph, const char* input, const KernelClassifier& model) {
  const KernelClassifier classifier = model.classes() == 2 ? with_classes_exchanged(model) : model;
  const auto integers = integers_of(classifier.labels());
  {
    Node node(graph, "SVMClassifier", onnx::kMlDomain);
    node.input(input).output("label").output("scores");
    set_kernel(node, classifier.points(), classifier.coefficients().values(),
               classifier.intercepts(), classifier.gamma());
    const auto& counts = classifier.points_per_class();
    node.set("vectors_per_class", std::vector<std::int64_t>(counts.begin(), counts.end()));
    if (integers)
      node.set("classlabels_ints", *integers);
    else
      node.set("classlabels_strings", classifier.labels());
  }
  add_value_info(graph, onnx::graph::output, "label",
                 integers ? onnx::tensor::kInt64 : onnx::tensor::kText, std::nullopt);
  const std::size_t classes = classifier.classes();
  add_value_info(graph, onnx::graph::output, "scores", onnx::tensor::kFloat,
                 classes == 2 ? 2 : classes * (classes - 1) / 2);
}

void add_machine(Graph& graph, const char* input, const char* output,
                 const KernelMachine& machine) {
  Node node(graph, "SVMRegressor", onnx::kMlDomain);
  node.input(input).output(output);
  set_kernel(node, machine.points(), machine.coefficients(), {machine.intercept()},
             machine.gamma());
  node.set("n_supports", static_cast<std::int64_t>(machine.points().rows()));
}

void add_predictor(Graph& graph, const char* input, const KernelRegressor& model) {
  add_machine(graph, input, "prediction", model.machine);
  add_value_info(graph, onnx::graph::output, "prediction", onnx::tensor::kFloat, 1);
}

/// The label is the sign of the score, as skl2onnx writes it.
void add_predictor(Graph& graph, const char* input, const OneClassMachine& model) {
  add_machine(graph, input, "scores", model.machine);
  Node(graph, "Sign").input("scores").output("sign");
  Node(graph, "Cast").input("sign").output("label").set("to", std::int64_t{onnx::tensor::kInt64});
  add_value_info(graph, onnx::graph::output, "label", onnx::tensor::kInt64, 1);
  add_value_info(graph, onnx::graph::output, "scores", onnx::tensor::kFloat, 1);
}

template <class M>
requires(!KernelKind<M>) void add_predictor(Graph&, const char*, const M&) {
  refuse_onnx(fmt::format(
      "a model of kind {}, expected a kernel machine: write an .npz bundle instead", M::kKind));
}

using ModelFile = pbf_builder<onnx::model::Field>;

void add_opset(ModelFile& file, const char* domain, std::int64_t version) {
  pbf_builder<onnx::opset::Field> opset(file, onnx::model::opset_import);
  opset.add_string(onnx::opset::domain, domain);
  opset.add_int64(onnx::opset::version, version);
}

void add_metadata(ModelFile& file, const char* key, const std::string& value) {
  pbf_builder<onnx::entry::Field> entry(file, onnx::model::metadata_props);
  entry.add_string(onnx::entry::key, key);
  entry.add_string(onnx::entry::value, value);
}

void add_metadata(ModelFile& file, const Model& model) {
  if (!model.feature_names().empty())
    add_metadata(file, kOnnxFeatureNames, nlohmann::json(model.feature_names()).dump());
  const auto* regressor = std::get_if<KernelRegressor>(&model.predictor());
  if (regressor != nullptr && regressor->target_mean)
    add_metadata(file, kOnnxTargetMean, fmt::format("{}", *regressor->target_mean));
  if (model.median_distance())
    add_metadata(file, kOnnxMedianDistance, fmt::format("{}", *model.median_distance()));
}

void add_graph(ModelFile& file, const Model& model) {
  Graph graph(file, onnx::model::graph);
  graph.add_string(onnx::graph::name, "bisector");
  add_value_info(graph, onnx::graph::input, kInput, onnx::tensor::kFloat, model.features());
  const char* const input = add_preprocessing(graph, model.input());
  std::visit([&](const auto& predictor) { add_predictor(graph, input, predictor); },
             model.predictor());
}

std::string encoded(const Model& model) {
  std::string bytes;
  ModelFile file(bytes);
  file.add_int64(onnx::model::ir_version, kIrVersion);
  file.add_string(onnx::model::producer_name, "bisector");
  file.add_string(onnx::model::producer_version, std::string(kVersion));
  add_graph(file, model);
  add_opset(file, "", kOpset);
  add_opset(file, onnx::kMlDomain, kMlOpset);
  add_metadata(file, model);
  return bytes;
}

}  // namespace

void write_onnx_model(std::ostream& out, const Model& model) {
  if (model.encoding())
    refuse_onnx(
        "how a table becomes features, expected a model of plain numbers: write an .npz bundle "
        "instead");
  if (model.kernel() && !model.kernel()->is_gaussian())
    refuse_onnx("this kernel, expected a Gaussian one: write an .npz bundle instead");
  if (const auto* machines = std::get_if<KernelClassifier>(&model.predictor());
      machines && machines->arrangement() != KernelClassifier::Arrangement::one_vs_one)
    refuse_onnx(
        "one machine for each class or how ties of votes are broken, expected votes of pairs: "
        "write "
        "an .npz bundle instead");
  require_utf8(model.feature_names(), "the feature names");
  require_utf8(model.labels(), "the labels");
  const std::string bytes = encoded(model);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out) throw FileError("cannot write the ONNX model");
}

}  // namespace bisector
