#include "io/onnx/onnx_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bisector/error.h"
#include "bisector/io/model_file.h"
#include "io/common/input_file.h"
#include "io/common/limits.h"
#include "io/onnx/onnx_classes.h"
#include "io/onnx/onnx_composed.h"
#include "io/onnx/onnx_fields.h"
#include "io/onnx/onnx_front.h"
#include "io/onnx/onnx_graph.h"
#include "io/onnx/onnx_metadata.h"
#include "io/onnx/onnx_tail.h"
#include "io/onnx/onnx_values.h"
#include "io/text/cells.h"

namespace bisector::io {
namespace {

/// The common attributes of SVMClassifier and SVMRegressor.
struct SvmNode {
  Matrix points;  // S x D
  std::vector<double> coefficients, intercepts;
  Kernel kernel = Kernel(1.0);
};

std::string read_bytes(const std::filesystem::path& path) {
  InputFile file(path);
  if (file.size() > kMaxOnnxBytes)
    throw FormatError(
        path.string(), 0,
        fmt::format("{} bytes, expected an ONNX file of at most {}", file.size(), kMaxOnnxBytes));
  std::string bytes(file.size(), '\0');
  file.read_exactly(bytes);
  return bytes;
}

bool is_svm(const OnnxNode& node) {
  return node.domain == onnx::kMlDomain &&
         (node.op == "SVMClassifier" || node.op == "SVMRegressor");
}

/// The operators of a graph for a message, each once, in order.
std::string operators_of(const OnnxGraph& graph) {
  constexpr std::size_t kMax = 8;
  std::vector<std::string> ops;
  for (const OnnxNode& node : graph.nodes()) {
    const std::string op = shown(node.op);
    if (std::ranges::find(ops, op) != ops.end()) continue;
    if (ops.size() == kMax) return fmt::format("{}, ...", fmt::join(ops, ", "));
    ops.push_back(op);
  }
  return ops.empty() ? "no node at all" : fmt::format("{}", fmt::join(ops, ", "));
}

/// nullopt if the graph has nearest neighbors or a Gaussian process.
std::optional<std::size_t> find_svm(const OnnxGraph& graph) {
  std::optional<std::size_t> svm;
  for (std::size_t n = 0; n < graph.nodes().size(); ++n) {
    if (!is_svm(graph.nodes()[n])) continue;
    if (svm)
      graph.fail(graph.nodes()[n], fmt::format("the second SVM after {}, expected one model",
                                               graph.nodes()[*svm].title()));
    svm = n;
  }
  if (!svm && !has_onnx_neighbors(graph) && !has_onnx_process(graph))
    graph.fail(fmt::format(
        "the graph has {}, expected an SVMClassifier, an SVMRegressor, nearest neighbors or a "
        "Gaussian process: save other models with bisector.Explainer(model).save(\"model.npz\")",
        operators_of(graph)));
  return svm;
}

/// From the type and gamma, coef0 and degree.
Kernel read_kernel(const OnnxAttributes& attributes) {
  const std::string type = attributes.text("kernel_type", "LINEAR");
  if (type == "LINEAR") return Kernel(KernelTerm{KernelForm::polynomial});
  const std::vector<double> parameters = attributes.numbers("kernel_params");
  if (parameters.empty()) attributes.fail("kernel_params", "no numbers, expected gamma first");
  if (type == "RBF") return Kernel(parameters[0]);
  if (parameters.size() < 3)
    attributes.fail("kernel_params",
                    fmt::format("{} numbers, expected gamma, coef0 and degree", parameters.size()));
  if (type == "POLY")
    return Kernel(
        KernelTerm{KernelForm::polynomial, parameters[0], parameters[2], 1.0, parameters[1]});
  if (type == "SIGMOID")
    return Kernel(KernelTerm{KernelForm::sigmoid, parameters[0], 1.0, 1.0, parameters[1]});
  attributes.fail("kernel_type",
                  fmt::format("{}, expected RBF, LINEAR, POLY or SIGMOID", shown(type)));
}

/// `points`: the support vectors that the node claims to have.
SvmNode read_svm(const OnnxGraph& graph, const OnnxNode& node, std::size_t points) {
  const OnnxAttributes attributes(graph, node);
  Kernel kernel = read_kernel(attributes);
  std::vector<double> vectors = attributes.numbers("support_vectors");
  if (points == 0 || vectors.size() % points != 0)
    attributes.fail("support_vectors", fmt::format("{} numbers for {} support vectors, expected as "
                                                   "many for each",
                                                   vectors.size(), points));
  const std::size_t features = vectors.size() / points;
  return {Matrix(points, features, std::move(vectors)), attributes.numbers("coefficients"),
          attributes.numbers("rho"), std::move(kernel)};
}

std::vector<std::string> read_labels(const OnnxGraph& graph, const OnnxNode& node) {
  const OnnxAttributes attributes(graph, node);
  if (attributes.has("classlabels_strings")) return attributes.texts("classlabels_strings");
  std::vector<std::string> labels;
  for (const std::int64_t label : attributes.integers("classlabels_ints"))
    labels.push_back(fmt::format("{}", label));
  return labels;
}

std::vector<std::size_t> read_counts(const OnnxGraph& graph, const OnnxNode& node) {
  const OnnxAttributes attributes(graph, node);
  std::vector<std::size_t> counts;
  for (const std::int64_t count : attributes.integers("vectors_per_class")) {
    if (count < 0 || static_cast<std::size_t>(count) >= kMaxCount)
      attributes.fail("vectors_per_class",
                      fmt::format("a class of {}, expected from 0 to {}", count, kMaxCount - 1));
    counts.push_back(static_cast<std::size_t>(count));
  }
  return counts;
}

KernelClassifier read_classifier(const OnnxGraph& graph, const OnnxNode& node) {
  const OnnxAttributes attributes(graph, node);
  const std::vector<std::string> labels = read_labels(graph, node);
  if (labels.size() < 2) graph.fail(node, "one class label, expected at least two");
  const std::vector<std::size_t> counts = read_counts(graph, node);
  if (counts.size() != labels.size())
    attributes.fail("vectors_per_class", fmt::format("{} classes, expected {} as there are labels",
                                                     counts.size(), labels.size()));
  std::size_t points = 0;
  for (const std::size_t count : counts) points += count;
  SvmNode kernel = read_svm(graph, node, points);
  const std::size_t pairs = labels.size() * (labels.size() - 1) / 2;
  if (kernel.coefficients.size() / points != labels.size() - 1 ||
      kernel.coefficients.size() % points != 0)
    attributes.fail("coefficients", fmt::format("{} numbers for {} support vectors of {} classes, "
                                                "expected {} for each",
                                                kernel.coefficients.size(), points, labels.size(),
                                                labels.size() - 1));
  if (kernel.intercepts.size() != pairs)
    attributes.fail("rho", fmt::format("{} numbers for {} classes, expected {}",
                                       kernel.intercepts.size(), labels.size(), pairs));
  KernelClassifier classifier(std::move(kernel.points), counts,
                              Matrix(labels.size() - 1, points, std::move(kernel.coefficients)),
                              std::move(kernel.intercepts), std::move(kernel.kernel), labels);
  return labels.size() == 2 ? with_classes_exchanged(classifier) : classifier;
}

KernelMachine read_machine(const OnnxGraph& graph, const OnnxNode& node) {
  const OnnxAttributes attributes(graph, node);
  const std::string transform = attributes.text("post_transform", "NONE");
  if (transform != "NONE")
    attributes.fail("post_transform", fmt::format("{}, expected NONE", shown(transform)));
  const std::size_t points = attributes.numbers("coefficients").size();
  const std::int64_t claimed = attributes.integer("n_supports", 0);
  SvmNode kernel = read_svm(graph, node, points);
  if (claimed < 0 || static_cast<std::size_t>(claimed) != points)
    attributes.fail("n_supports", fmt::format("{} but there are {} coefficients", claimed, points));
  if (kernel.intercepts.size() != 1)
    attributes.fail("rho", fmt::format("{} numbers, expected one", kernel.intercepts.size()));
  return {std::move(kernel.points), std::move(kernel.coefficients), std::move(kernel.kernel),
          kernel.intercepts.front()};
}

Predictor read_predictor(const OnnxGraph& graph, std::size_t svm, const OnnxMetadata& metadata) {
  const OnnxNode& node = graph.nodes()[svm];
  if (node.op == "SVMClassifier") {
    require_label_is_output(graph, svm);
    return read_classifier(graph, node);
  }
  KernelMachine machine = read_machine(graph, node);
  if (is_one_class(graph, svm)) return OneClassMachine{std::move(machine)};
  return KernelRegressor{std::move(machine), metadata.target_mean};
}

OnnxModel read_model(const OnnxGraph& graph, std::optional<std::size_t> svm,
                     const OnnxMetadata& metadata) {
  if (!svm)
    return has_onnx_neighbors(graph) ? read_onnx_neighbors(graph)
                                     : read_onnx_process(graph, metadata.target_mean);
  Predictor predictor = read_predictor(graph, *svm, metadata);
  return {std::move(predictor), graph.operand(graph.nodes()[*svm], 0)};
}

Model read_graph(const OnnxGraph& graph) {
  OnnxMetadata metadata = read_onnx_metadata(graph);
  const auto svm = find_svm(graph);
  OnnxModel model = read_model(graph, svm, metadata);
  const std::size_t features =
      std::visit([](const auto& each) { return each.features(); }, model.predictor);
  OnnxFront front = read_onnx_front(graph, model.rows, features);
  if (svm) require_no_path_past(graph, *svm, front.nodes);
  auto names = metadata.feature_names.empty() ? std::move(front.feature_names)
                                              : std::move(metadata.feature_names);
  return Model(std::move(model.predictor), std::move(front.map), std::move(names),
               metadata.median_distance);
}

}  // namespace

Model read_onnx_bytes(std::string_view bytes, std::string_view source, const Limits& limits) {
  try {
    return read_graph(OnnxGraph(bytes, source, limits));
  } catch (const InvalidModel& error) {
    throw FormatError(source, 0, error.what());
  }
}

}  // namespace bisector::io

namespace bisector {

Model read_onnx_model(const std::filesystem::path& path, const Limits& limits) {
  return io::read_onnx_bytes(io::read_bytes(path), path.string(), limits);
}

}  // namespace bisector
