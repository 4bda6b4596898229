// ONNX graphs built from the bytes: nodes of the kinds that the reader knows, with operands of any
// names, before an SVM or nearest neighbors.
#include <array>
#include <string>
#include <vector>

#include "io/onnx_testing.h"
#include "models.h"
#include "recipe.h"
#include "target.h"

namespace bisector::fuzz {
namespace {

class GraphCook {
 public:
  explicit GraphCook(Recipe& recipe) : recipe_(recipe) {}

  std::string bytes() {
    test::OnnxDraft draft;
    add_inputs(draft);
    const std::size_t constants = recipe_.below(4);
    for (std::size_t n = 0; n < constants; ++n) add_constant(draft);
    const std::size_t nodes = recipe_.below(6);
    for (std::size_t n = 0; n < nodes; ++n) add_node(draft);
    const std::uint8_t kind = recipe_.byte();
    kind < 192 ? add_svm(draft, kind % 2 == 1) : add_neighbors(draft);
    if (recipe_.below(4) == 3) add_tail(draft);
    if (recipe_.below(4) == 3) add_metadata(draft);
    return draft.bytes();
  }

 private:
  void add_inputs(test::OnnxDraft& draft) {
    draft.inputs.clear();
    const std::size_t count = 1 + recipe_.below(3);
    for (std::size_t n = 0; n < count; ++n) {
      const std::int64_t width =
          recipe_.below(16) == 15 ? static_cast<std::int64_t>(recipe_.word()) : recipe_.below(4);
      draft.inputs.push_back({"X" + std::to_string(n), width, recipe_.below(16) == 15 ? 8 : 1});
      tensors_.push_back(draft.inputs.back().name);
    }
  }

  std::vector<double> numbers(std::size_t count) {
    std::vector<double> values;
    for (std::size_t n = 0; n < count; ++n) values.push_back(recipe_.number());
    return values;
  }
  std::vector<float> floats(std::size_t count) {
    std::vector<float> values;
    for (std::size_t n = 0; n < count; ++n)
      values.push_back(static_cast<float>(std::clamp(recipe_.number(), -3e38, 3e38)));
    return values;
  }

  void add_constant(test::OnnxDraft& draft) {
    std::vector<std::int64_t> shape;
    std::size_t count = 1;
    const std::size_t dimensions = recipe_.below(3);
    for (std::size_t d = 0; d < dimensions; ++d) {
      shape.push_back(static_cast<std::int64_t>(recipe_.below(4)));
      count *= static_cast<std::size_t>(shape.back());
    }
    if (recipe_.below(16) == 15) shape.push_back(static_cast<std::int64_t>(recipe_.word()));
    draft.constants.push_back(
        {"c" + std::to_string(draft.constants.size()), shape, numbers(count)});
    constants_.push_back(draft.constants.back().name);
  }

  /// Usually an existing name, most often the last one.
  std::string tensor() {
    const std::size_t choice = recipe_.below(16);
    if (choice == 15) return std::string(recipe_.text(3));
    if (choice > 7 || tensors_.empty()) return tensors_.empty() ? "X0" : tensors_.back();
    return tensors_[choice % tensors_.size()];
  }
  std::string constant() {
    if (constants_.empty() || recipe_.below(8) == 7) return tensor();
    return constants_[recipe_.below(constants_.size())];
  }

  void add_node(test::OnnxDraft& draft) {
    constexpr std::array<const char*, 16> kOps{"Scaler",
                                               "Add",
                                               "Sub",
                                               "Mul",
                                               "Div",
                                               "MatMul",
                                               "Gemm",
                                               "Concat",
                                               "Gather",
                                               "Gather",
                                               "Cast",
                                               "Identity",
                                               "Sqrt",
                                               "Constant",
                                               "FeatureVectorizer",
                                               "ArrayFeatureExtractor"};
    const std::string op = kOps[recipe_.below(kOps.size())];
    const bool is_ml = op == "Scaler" || op == "FeatureVectorizer" || op == "ArrayFeatureExtractor";
    test::NodeDraft node{op, is_ml ? "ai.onnx.ml" : "", {tensor()}, {}};
    if (op == "Sqrt") node.inputs = {constant()};
    if (op == "Concat" || op == "FeatureVectorizer") {
      for (std::size_t n = recipe_.below(3); n > 0; --n) node.inputs.push_back(tensor());
    } else if (op != "Scaler" && op != "Cast" && op != "Identity" && op != "Sqrt") {
      node.inputs.push_back(constant());
      if (recipe_.flag()) std::swap(node.inputs.front(), node.inputs.back());
      if (op == "Gemm" && recipe_.flag()) node.inputs.push_back(constant());
    }
    add_attributes(node);
    node.outputs = {recipe_.below(16) == 15 ? tensor() : "t" + std::to_string(draft.nodes.size())};
    (op == "Sqrt" || op == "Constant" ? constants_ : tensors_).push_back(node.outputs.front());
    draft.nodes.push_back(node);
  }

  void add_attributes(test::NodeDraft& node) {
    if (node.op == "Scaler") {
      node.attributes.push_back({"offset", floats(1 + recipe_.below(3))});
      node.attributes.push_back({"scale", floats(1 + recipe_.below(3))});
    }
    if (node.op == "Concat" || node.op == "Gather")
      node.attributes.push_back({"axis", std::int64_t{recipe_.below(8) == 7 ? 0 : 1}});
    if (node.op == "Cast")
      node.attributes.push_back({"to", std::int64_t{recipe_.below(8) == 7 ? 7 : 1}});
    if (node.op == "Gemm" && recipe_.flag())
      node.attributes.push_back({"transB", static_cast<std::int64_t>(recipe_.below(2))});
  }

  void add_svm(test::OnnxDraft& draft, bool is_classifier) {
    const std::size_t classes = is_classifier ? 2 + recipe_.below(3) : 2;
    const std::size_t points = classes + recipe_.below(3), features = 1 + recipe_.below(4);
    test::NodeDraft svm = is_classifier ? test::svm_node(tensor()) : test::regressor_node(tensor());
    svm = svm.with({"support_vectors", floats(points * features)})
              .with({"coefficients", floats(points * (classes - 1))})
              .with({"rho", floats(classes * (classes - 1) / 2)})
              .with({"kernel_params", floats(1 + recipe_.below(3))});
    if (is_classifier) {
      std::vector<std::int64_t> counts(classes, 1), labels(classes);
      counts.back() = static_cast<std::int64_t>(points - classes + 1);
      for (std::int64_t& label : labels) label = recipe_.byte();
      if (recipe_.below(16) == 15) counts[0] = static_cast<std::int64_t>(recipe_.word());
      svm = svm.with({"vectors_per_class", counts}).with({"classlabels_ints", labels});
      if (recipe_.below(8) == 7) {
        test::Names names;
        for (std::size_t c = 0; c < classes; ++c) names.emplace_back(recipe_.text(4));
        svm = svm.with({"classlabels_strings", names});
      }
    } else {
      svm = svm.with({"n_supports", static_cast<std::int64_t>(points)});
      if (recipe_.below(8) == 7) svm = svm.with({"one_class", std::int64_t{1}});
    }
    if (recipe_.below(16) == 15)
      svm = svm.with({std::string(recipe_.text(16)), std::int64_t{recipe_.byte()}});
    draft.nodes.push_back(svm);
    tensors_.push_back("label");
  }

  /// As skl2onnx writes them, with a few changed nodes and constants.
  void add_neighbors(test::OnnxDraft& draft) {
    test::OnnxDraft part = test::neighbors_draft(recipe_.flag(), tensor());
    if (recipe_.flag()) {
      test::NodeDraft& node = part.nodes[recipe_.below(part.nodes.size())];
      const std::string from = node.inputs[recipe_.below(node.inputs.size())];
      const std::size_t other = recipe_.below(part.nodes.size());
      if (recipe_.flag())
        std::ranges::replace(part.nodes[other].inputs, part.nodes[other].inputs.front(), from);
      else
        std::swap(node.op, part.nodes[other].op);
    }
    test::ConstantDraft& constant = part.constants[recipe_.below(part.constants.size())];
    if (recipe_.flag()) constant.values[recipe_.below(constant.values.size())] = recipe_.number();
    for (const test::NodeDraft& node : part.nodes) draft.nodes.push_back(node);
    draft.constants.insert(draft.constants.end(), part.constants.begin(), part.constants.end());
    tensors_.push_back("label");
  }

  void add_tail(test::OnnxDraft& draft) {
    constexpr std::array<const char*, 6> kOps{"Cast", "Identity", "Reshape",
                                              "Sign", "Mul",      "Flatten"};
    const std::string op = kOps[recipe_.below(kOps.size())];
    draft.nodes.push_back({op, "", {recipe_.flag() ? "label" : tensor()}, {"end"}});
    if (recipe_.flag()) draft.outputs = {"end"};
  }

  void add_metadata(test::OnnxDraft& draft) {
    constexpr std::array<const char*, 4> kKeys{"bisector.feature_names", "bisector.target_mean",
                                               "bisector.median_distance", "other"};
    draft.metadata.emplace_back(kKeys[recipe_.below(kKeys.size())], recipe_.text());
  }

  Recipe& recipe_;
  std::vector<std::string> tensors_, constants_;
};

}  // namespace

FUZZ_TARGET(onnx_graph, bytes) {
  Recipe recipe(bytes);
  const std::string file = GraphCook(recipe).bytes();
  const auto model = attempt([&] { return read_onnx_bytes(file, "input"); });
  if (model) check_onnx_round_trip(*model);
}

}  // namespace bisector::fuzz
