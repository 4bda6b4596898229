// One broken thing per case, and files cut or changed anywhere.
#include <gtest/gtest.h>

#include "bisector/io/model_file.h"
#include "io/model_test_support.h"
#include "io/onnx/onnx_reader.h"
#include "io/onnx_testing.h"

namespace bisector {

using namespace io;

namespace {

using test::Attribute;
using test::ConstantDraft;
using test::InputDraft;
using test::NodeDraft;
using test::OnnxDraft;
using test::regressor_node;
using test::svm_node;

using Floats = std::vector<float>;
using Integers = std::vector<std::int64_t>;

std::string problem_of(const OnnxDraft& draft) {
  return test::error_of([&] { read_onnx_bytes(draft.bytes(), "m.onnx"); });
}

std::string error_of_svm(const NodeDraft& node) { return problem_of({{node}}); }

TEST(OnnxDrafts, AreModels) {
  EXPECT_EQ(problem_of({{svm_node()}}), "(no error)");
  EXPECT_EQ(problem_of({{regressor_node()}}), "(no error)");
}

TEST(OnnxAttributesOfTheSvm, AreHeldAgainstEachOther) {
  const std::string node = "m.onnx: node \"the_SVMClassifier\" (SVMClassifier): ";
  EXPECT_EQ(error_of_svm(svm_node().with({"kernel_type", "PRECOMPUTED"})),
            node + "kernel_type: \"PRECOMPUTED\", expected RBF, LINEAR, POLY or SIGMOID");
  EXPECT_EQ(error_of_svm(svm_node().without("rho")), node + "the attribute rho is missing");
  EXPECT_EQ(error_of_svm(svm_node().with({"rho", Floats{1, 2}})),
            node + "rho: 2 numbers for 2 classes, expected 1");
  EXPECT_EQ(error_of_svm(svm_node().with({"rho", Integers{1}})),
            node + "rho: expected a list of real numbers");
  EXPECT_EQ(error_of_svm(svm_node().with({"support_vectors", Floats{1, 2, 3, 4}})),
            node + "support_vectors: 4 numbers for 3 support vectors, expected as many for each");
  EXPECT_EQ(error_of_svm(svm_node().with({"coefficients", Floats{1, 2}})),
            node +
                "coefficients: 2 numbers for 3 support vectors of 2 classes, expected 1 for "
                "each");
  EXPECT_EQ(error_of_svm(svm_node().with({"vectors_per_class", Integers{3}})),
            node + "vectors_per_class: 1 classes, expected 2 as there are labels");
  EXPECT_EQ(error_of_svm(svm_node().with({"vectors_per_class", Integers{-1, 4}})),
            node + "vectors_per_class: a class of -1, expected from 0 to 2147483647");
  EXPECT_EQ(error_of_svm(svm_node().with({"classlabels_ints", Integers{7}})),
            node + "one class label, expected at least two");
  EXPECT_EQ(error_of_svm(svm_node().with({"kernel_params", Floats{0, 0, 3}})),
            "m.onnx: gamma is 0, expected a finite number above 0");
  EXPECT_EQ(error_of_svm(regressor_node().with({"n_supports", std::int64_t{4}})),
            "m.onnx: node \"the_SVMRegressor\" (SVMRegressor): n_supports: 4 but there are 3 "
            "coefficients");
  EXPECT_EQ(error_of_svm(regressor_node().with({"post_transform", "LOGISTIC"})),
            "m.onnx: node \"the_SVMRegressor\" (SVMRegressor): post_transform: \"LOGISTIC\", "
            "expected NONE");
}

TEST(OnnxAttributesOfTheSvm, ClaimsOfTrillionsTakeNoMemory) {
  const std::int64_t many = 2147483647;
  EXPECT_NE(error_of_svm(svm_node().with({"vectors_per_class", Integers{many, many}})),
            "(no error)");
  EXPECT_EQ(problem_of({{svm_node()}, {}, {InputDraft{"X", std::int64_t{1} << 40}}}),
            "m.onnx: the inputs have over 10000000 columns, expected fewer (limit features)");
}

NodeDraft node(const char* op, test::Names inputs, test::Attributes attributes = {},
               const char* domain = "") {
  return {op, domain, std::move(inputs), {"Y"}, std::move(attributes)};
}

std::string error_in_front(const NodeDraft& first, std::vector<ConstantDraft> constants = {}) {
  return problem_of({{first, svm_node("Y")}, std::move(constants)});
}

TEST(OnnxFront, RefusesWhatIsNotLinear) {
  EXPECT_EQ(
      error_in_front(node("Normalizer", {"X"}, {{"norm", "L2"}}, "ai.onnx.ml")),
      "m.onnx: node \"the_Normalizer\" (Normalizer): not known to be linear, expected Scaler, "
      "Add, Sub, Mul, Div, MatMul, Gemm, Concat, FeatureVectorizer, ArrayFeatureExtractor, "
      "Gather, Cast or Identity");
  EXPECT_EQ(error_in_front(node("Mul", {"X", "X"})),
            "m.onnx: node \"the_Mul\" (Mul): both inputs come from the data, expected one of them "
            "to be constant");
  EXPECT_EQ(error_in_front(node("Div", {"c", "X"}), {{"c", {2}, {1, 2}}}),
            "m.onnx: node \"the_Div\" (Div): divides by what comes from the data, expected a "
            "constant divisor");
  EXPECT_EQ(error_in_front(node("Cast", {"X"}, {{"to", std::int64_t{7}}})),
            "m.onnx: node \"the_Cast\" (Cast): casts to ONNX type 7, expected float or double");
}

TEST(OnnxFront, RefusesWhatDoesNotFit) {
  EXPECT_EQ(error_in_front(node("Mul", {"X", "c"}), {{"c", {2}, {1, 0}}}),
            "m.onnx: node \"the_Mul\" (Mul): scales a column by 0, expected every scale to be "
            "non-zero");
  EXPECT_EQ(error_in_front(node("Add", {"X", "c"}), {{"c", {3}, {1, 2, 3}}}),
            "m.onnx: node \"the_Add\" (Add): 3 values for 2 columns, expected one for each");
  EXPECT_EQ(error_in_front(node("Add", {"X", "c"}), {{"c", {2, 1}, {1, 2}}}),
            "m.onnx: node \"the_Add\" (Add): \"c\" has the shape (2, 1), expected a value for each "
            "column");
  EXPECT_EQ(error_in_front(node("Add", {"X", "c"}), {{"c", {1LL << 40, 1LL << 40}, {1, 2}}}),
            "m.onnx: the constant \"c\": 2 values do not fit the shape (1099511627776, "
            "1099511627776)");
  EXPECT_EQ(error_in_front(node("MatMul", {"X", "c"}), {{"c", {2, 3}, {1, 2, 3, 4, 5, 6}}}),
            "m.onnx: node \"the_MatMul\" (MatMul): makes 3 columns, expected 2");
  EXPECT_EQ(error_in_front(node("Concat", {"X", "X"}, {{"axis", std::int64_t{1}}})),
            "m.onnx: node \"the_Concat\" (Concat): makes 4 columns, expected 2");
  EXPECT_EQ(
      error_in_front(node("ArrayFeatureExtractor", {"X", "c"}, {}, "ai.onnx.ml"),
                     {{"c", {2}, {0, 2}}}),
      "m.onnx: node \"the_ArrayFeatureExtractor\" (ArrayFeatureExtractor): picks column 2 of 2, "
      "expected one from 0 to 1");
  EXPECT_EQ(problem_of({{svm_node()}, {}, {InputDraft{"X", 3}}}),
            "m.onnx: the input \"X\" has 3 columns, expected 2 as in what follows it");
  EXPECT_EQ(problem_of({{svm_node()}, {}, {InputDraft{"X", 2, onnx::tensor::kText}}}),
            "m.onnx: the input \"X\" is text, expected numbers");
  EXPECT_EQ(problem_of({{svm_node("Z")}}),
            "m.onnx: \"Z\" in front of the model is not made from an input of the graph");
}

TEST(OnnxFront, ComposesArithmetic) {
  const OnnxDraft draft{{{"Sub", "", {"X", "mean"}, {"a"}},
                         {"Div", "", {"a", "deviation"}, {"b"}},
                         {"Sub", "", {"one", "b"}, {"c"}},
                         {"Mul", "", {"c", "row"}, {"d"}},
                         svm_node("d")},
                        {{"mean", {2}, {3, 4}},
                         {"deviation", {1, 2}, {2, 4}},
                         {"one", {}, {1}},
                         {"row", {2}, {10, 100}}}};
  const Model model = read_onnx_bytes(draft.bytes(), "m.onnx");
  std::vector<double> out(2);
  model.input().apply(std::vector<double>{7, 8}, out);
  EXPECT_DOUBLE_EQ(out[0], (1 - (7 - 3) / 2.0) * 10);
  EXPECT_DOUBLE_EQ(out[1], (1 - (8 - 4) / 4.0) * 100);
}

/// The map against the same arithmetic by hand, with a column that goes two ways.
TEST(OnnxFront, ComposesMatricesAndColumnsSideBySide) {
  const OnnxDraft draft{{{"Scaler",
                          "ai.onnx.ml",
                          {"X"},
                          {"s"},
                          {{"offset", Floats{1, 2, 3}}, {"scale", Floats{2, 4, 8}}}},
                         {"MatMul", "", {"s", "m"}, {"p"}},
                         {"Gather", "", {"X", "second"}, {"g"}, {{"axis", std::int64_t{1}}}},
                         {"Mul", "", {"g", "ten"}, {"t"}},
                         {"Concat", "", {"p", "t"}, {"c"}, {{"axis", std::int64_t{1}}}},
                         svm_node("c")},
                        {{"m", {3, 1}, {1, -1, 0.5}}, {"second", {1}, {1}}, {"ten", {}, {10}}},
                        {InputDraft{"X", 3}}};
  const AffineMap map = read_onnx_bytes(draft.bytes(), "m.onnx").input();
  std::vector<double> out(2);
  map.apply(std::vector<double>{7, 8, 9}, out);
  EXPECT_DOUBLE_EQ(out[0], (7 - 1) * 2.0 - (8 - 2) * 4.0 + 0.5 * (9 - 3) * 8.0);
  EXPECT_DOUBLE_EQ(out[1], 80.0);
  // Columns that are used once keep their scaler.
  EXPECT_EQ(map.shift(), (std::vector<double>{1, 0, 3}));
  EXPECT_EQ(map.scale(), (std::vector<double>{2, 1, 8}));
}

TEST(OnnxFront, TakesAPlainGemm) {
  const auto gemm = [](float alpha) {
    const NodeDraft node{"Gemm",
                         "",
                         {"X", "m", "c"},
                         {"Y"},
                         {{"alpha", alpha}, {"beta", 1.0F}, {"transB", std::int64_t{1}}}};
    return OnnxDraft{{node, svm_node("Y")}, {{"m", {2, 2}, {1, 2, 3, 4}}, {"c", {2}, {10, 20}}}};
  };
  std::vector<double> out(2);
  const Model model = read_onnx_bytes(gemm(1.0F).bytes(), "m.onnx");
  model.input().apply(std::vector<double>{5, 6}, out);
  EXPECT_EQ(out, (std::vector<double>{1 * 5 + 2 * 6 + 10, 3 * 5 + 4 * 6 + 20}));
  EXPECT_EQ(problem_of(gemm(2.0F)),
            "m.onnx: node \"the_Gemm\" (Gemm): alpha, beta or transA is not the default, expected "
            "a plain product");
}

TEST(OnnxFront, EndsWhereNodesGoInCirclesOrDoubleForEver) {
  EXPECT_NE(
      problem_of({{{"Identity", "", {"b"}, {"a"}}, {"Identity", "", {"a"}, {"b"}}, svm_node("a")}}),
      "(no error)");
  std::vector<NodeDraft> nodes;
  std::string last = "X";
  for (int n = 0; n < 60; ++n) {
    const std::string next = "t" + std::to_string(n);
    nodes.push_back({"Concat", "", {last, last}, {next}, {{"axis", std::int64_t{1}}}});
    last = next;
  }
  nodes.push_back(svm_node(last));
  EXPECT_EQ(problem_of({nodes}),
            "m.onnx: too many columns in front of the model, expected a plain chain of scalers");
}

TEST(OnnxTail, RefusesAPredictionThatIsChanged) {
  EXPECT_EQ(problem_of({{svm_node()}, {}, {InputDraft{}}, {"scores"}}),
            "m.onnx: node \"the_SVMClassifier\" (SVMClassifier): its label is not an output of the "
            "graph, expected the SVM's own decision to be one");
  EXPECT_EQ(
      problem_of({{regressor_node(), {"Exp", "", {"label"}, {"y"}}}, {}, {InputDraft{}}, {"y"}}),
      "m.onnx: node \"the_Exp\" (Exp): changes the prediction of node \"the_SVMRegressor\" "
      "(SVMRegressor), expected it to be an output as it is, or its sign");
  EXPECT_EQ(problem_of({{svm_node(), {"Identity", "", {"X"}, {"y"}}}}),
            "m.onnx: node \"the_Identity\" (Identity): takes the data past node "
            "\"the_SVMClassifier\" (SVMClassifier), expected all of it to go through the SVM");
}

TEST(OnnxTail, KnowsAOneClassModelByItsSignOrItsAttribute) {
  const auto is_one_class = [](const OnnxDraft& draft) {
    const Model model = read_onnx_bytes(draft.bytes(), "m.onnx");
    return std::holds_alternative<OneClassMachine>(model.predictor());
  };
  EXPECT_FALSE(is_one_class({{regressor_node()}}));
  EXPECT_TRUE(is_one_class({{regressor_node().with({"one_class", std::int64_t{1}})}}));
  EXPECT_TRUE(is_one_class(
      {{regressor_node(), {"Sign", "", {"label"}, {"s"}}}, {}, {InputDraft{}}, {"s", "label"}}));
}

TEST(OnnxGraphs, WithoutOrWithTwoSvmsAreRefused) {
  EXPECT_EQ(problem_of({{{"Scan", "", {"X"}, {"label"}}, {"Abs", "", {"label"}, {"t"}}}}),
            "m.onnx: the graph has \"Scan\", \"Abs\", expected an SVMClassifier, an SVMRegressor, "
            "nearest neighbors or a Gaussian process: save other models with "
            "bisector.Explainer(model).save(\"model.npz\")");
  NodeDraft second = svm_node();
  second.outputs = {"l2", "s2"};
  EXPECT_EQ(problem_of({{svm_node(), second}}),
            "m.onnx: node \"the_SVMClassifier\" (SVMClassifier): the second SVM after node "
            "\"the_SVMClassifier\" (SVMClassifier), expected one model");
  EXPECT_EQ(problem_of({{svm_node(), svm_node()}}),
            "m.onnx: node \"the_SVMClassifier\" (SVMClassifier): makes \"label\", which is there "
            "already");
  EXPECT_EQ(test::error_of([] { read_onnx_bytes("\b\b", "m.onnx"); }),
            "m.onnx: no graph in the file, expected an ONNX model");
}

constexpr char kAdvice[] =
    ": nearest neighbors are read as skl2onnx writes them, save others with "
    "bisector.Explainer(model).save(\"model.npz\")";

/// The draft with one node in the place of the one that makes the same.
OnnxDraft with_node(OnnxDraft draft, const NodeDraft& node) {
  std::vector<NodeDraft> nodes{node};
  for (const NodeDraft& each : draft.nodes) {
    if (each.outputs != node.outputs) nodes.push_back(each);
  }
  draft.nodes.swap(nodes);
  return draft;
}

OnnxDraft with_constant(OnnxDraft draft, const ConstantDraft& constant) {
  std::erase_if(draft.constants, [&](const auto& each) { return each.name == constant.name; });
  draft.constants.push_back(constant);
  return draft;
}

TEST(OnnxNeighborGraphs, AreModels) {
  for (const bool by_scan : {false, true}) {
    const Model model = read_onnx_bytes(test::neighbors_draft(by_scan).bytes(), "m.onnx");
    const auto& neighbors = std::get<NeighborModel>(model.predictor());
    EXPECT_EQ(neighbors,
              NeighborModel(Matrix(4, 2, {0, 0, 0, 1, 2, 2, 3, 2}), {0, 0, 1, 1}, {"7", "9"}, 3,
                            {NeighborVote::Weights::distance,
                             std::nullopt,
                             {},
                             by_scan ? Distance::manhattan() : Distance()}));
  }
}

TEST(OnnxNeighborGraphs, ThatCountOtherwiseAreRefused) {
  const auto error = [](const NodeDraft& node) {
    return problem_of(with_node(test::neighbors_draft(false), node));
  };
  const auto expected = [](const std::string& node, const std::string& problem) {
    return "m.onnx: node \"the_" + node + "\" (" + node + "): " + problem + kAdvice;
  };
  const Attribute axis("axis", std::int64_t{1}), smallest("largest", std::int64_t{0});
  EXPECT_EQ(error({"Exp", "", {"bounded"}, {"weights"}}),
            expected("Exp", "expected Reciprocal in its place"));
  EXPECT_EQ(error({"Max", "", {"who", "least"}, {"bounded"}}),
            expected("TopK", "\"who\" is another of its outputs, expected output 1"));
  EXPECT_EQ(error({"ReduceSum", "", {"weighted1", "0"}, {"sum1"}}),
            expected("ReduceSum", "goes along the axes (0), expected axis 1"));
  EXPECT_EQ(error({"Equal", "", {"of", "0"}, {"is1"}}),
            expected("Equal", "counts class 0, expected class 1"));
  EXPECT_EQ(error({"Mul", "", {"one1", "one0"}, {"weighted1"}}),
            expected("Concat",
                     "votes of other neighbors or weights for each class, expected the "
                     "same"));
  EXPECT_EQ(
      error({"ArgMax", "", {"sums"}, {"most"}, {axis, {"select_last_index", std::int64_t{1}}}}),
      expected("ArgMax", "expected the first of the largest along axis 1"));
  EXPECT_EQ(error({"Concat", "", {"sum0"}, {"sums"}, {axis}}),
            expected("Concat", "expected the votes of 2 classes along axis 1"));
  EXPECT_EQ(error({"CDist", "", {"X", "points"}, {"far"}, {{"metric", "sqeuclidean"}}}),
            expected("CDist", "the metric \"sqeuclidean\", expected euclidean"));
  EXPECT_EQ(error({"TopK", "", {"far", "k"}, {"near", "who"}, {}}),
            expected("CDist", "expected Mul in its place"));
  EXPECT_EQ(error({"Cast", "", {"is1"}, {"one1"}, {{"to", std::int64_t{6}}}}),
            expected("Cast", "casts to ONNX type 6, expected float, double or int64"));
}

TEST(OnnxNeighborGraphs, ThatWeighEveryNeighborAlikeByMistakeAreRefused) {
  OnnxDraft draft =
      with_node(test::neighbors_draft(false), {"Max", "", {"minus", "least"}, {"bounded"}});
  draft.nodes.push_back({"Mul", "", {"near", "-1"}, {"minus"}});
  draft.constants.push_back({"-1", {1}, {-1}});
  EXPECT_EQ(problem_of(draft),
            std::string("m.onnx: node \"the_Max\" (Max): distances are negative here, so every "
                        "neighbor weighs the same, which scikit-learn's weights='distance' does "
                        "not mean (a known fault of skl2onnx)") +
                kAdvice);
}

TEST(OnnxNeighborGraphs, NumbersThatDoNotFitAreRefused) {
  const auto error = [](const ConstantDraft& constant) {
    return problem_of(with_constant(test::neighbors_draft(true), constant));
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos ? "" : text;
  };
  EXPECT_EQ(has(error({"k", {1}, {0}}), "asks for the 0 nearest, expected a whole number"), "");
  EXPECT_EQ(has(error({"k", {1}, {5}}), "another shape than (-1, 5), expected one target"), "");
  EXPECT_EQ(has(error({"least", {1}, {0.5}}), "bounds distances by 0.5, expected at most"), "");
  EXPECT_EQ(has(error({"targets", {3}, {0, 0, 1}}), "4 points with 3 classes or targets"), "");
  EXPECT_EQ(has(error({"targets", {4}, {0, 0, 1, 2}}), "a point of class 2, expected one"), "");
  EXPECT_EQ(has(error({"labels", {2}, {0.5, 1}}), "a class called 0.5, expected whole"), "");
  EXPECT_EQ(has(error({"points", {8}, {0, 0, 0, 1, 2, 2, 3, 2}}), "points in 1 dimensions"), "");
}

TEST(OnnxNeighborGraphs, OtherScansAreRefused) {
  const auto error = [](const OnnxDraft& body, const Attribute& more) {
    const NodeDraft scan{
        "Scan",
        "",
        {"X", "points"},
        {"state", "turned"},
        {Attribute::graph("body", body.graph_bytes()), {"num_scan_inputs", std::int64_t{1}}}};
    const std::string problem = problem_of(with_node(test::neighbors_draft(true), scan.with(more)));
    return problem.substr(0, problem.find(": nearest"));
  };
  const Attribute one("num_scan_inputs", std::int64_t{1});
  EXPECT_EQ(error(test::scan_body(), one), "(no error)");
  EXPECT_EQ(error(test::scan_body(), {"scan_input_directions", Integers{1}}),
            "m.onnx: node \"the_Scan\" (Scan): the attribute \"scan_input_directions\", expected a "
            "plain pass over the points");
  OnnxDraft swapped = test::scan_body();
  std::swap(swapped.outputs[0], swapped.outputs[1]);
  EXPECT_EQ(error(swapped, one),
            "m.onnx: node \"the_ReduceSum\" (ReduceSum): expected Identity in "
            "its place");
  EXPECT_EQ(error(with_node(test::scan_body(), {"Sub", "", {"rows", "rows"}, {"less"}}), one),
            "m.onnx: node \"the_Scan\" (Scan): expected differences of the rows and a point");
  OnnxDraft squares = with_node(test::scan_body(), {"Pow", "", {"size", "two"}, {"part"}});
  squares.nodes.push_back({"Abs", "", {"less"}, {"size"}});
  squares.constants.push_back({"two", {1}, {2}});
  EXPECT_EQ(
      error(squares, one),
      "m.onnx: node \"the_Transpose\" (Transpose): the power 1 of a sum of powers 2, expected "
      "their product to be 1");
}

/// 3 exp(-|x - u|^2 / 2) of two points, weighted, plus a mean.
OnnxDraft process_draft() {
  return {{{"CDist", "com.microsoft", {"X", "points"}, {"far"}, {{"metric", "sqeuclidean"}}},
           {"Mul", "", {"far", "half"}, {"halved"}},
           {"Neg", "", {"halved"}, {"minus"}},
           {"Exp", "", {"minus"}, {"kernel"}},
           {"Mul", "", {"three", "kernel"}, {"scaled"}},
           {"MatMul", "", {"scaled", "weights"}, {"sum"}},
           {"Add", "", {"sum", "mean"}, {"label"}}},
          {{"points", {2, 2}, {0, 0, 2, 1}},
           {"half", {1}, {0.5}},
           {"three", {1}, {3}},
           {"weights", {2}, {1, -2}},
           {"mean", {1}, {4}}}};
}

TEST(OnnxProcesses, AreKernelMachines) {
  const Model model = read_onnx_bytes(process_draft().bytes(), "m.onnx");
  EXPECT_EQ(std::get<KernelRegressor>(model.predictor()).machine,
            KernelMachine(Matrix(2, 2, {0, 0, 2, 1}), {3, -6}, Kernel(0.5), 4.0));
}

TEST(OnnxProcesses, OfOtherKernelsAreRefused) {
  const auto error = [](const OnnxDraft& draft) {
    const std::string problem = problem_of(draft);
    return problem.substr(0, problem.find(": Gaussian"));
  };
  const OnnxDraft draft = process_draft();
  EXPECT_EQ(error(with_node(draft, {"Abs", "", {"halved"}, {"minus"}})),
            "m.onnx: node \"the_Abs\" (Abs): expected Neg in its place");
  EXPECT_EQ(error(with_node(draft, {"Mul", "", {"kernel", "kernel"}, {"scaled"}})),
            "m.onnx: node \"the_Mul\" (Mul): expected Exp in its place");
  EXPECT_EQ(
      error(with_node(draft, {"CDist", "", {"X", "points"}, {"far"}, {{"metric", "euclidean"}}})),
      "m.onnx: node \"the_CDist\" (CDist): the metric \"euclidean\", expected sqeuclidean");
  EXPECT_EQ(error(with_constant(draft, {"weights", {2, 2}, {1, 2, 3, 4}})),
            "m.onnx: node \"the_MatMul\" (MatMul): 4 weights of 2 points, expected as many: one "
            "target");
}

TEST(OnnxMetadata, IsCheckedWhereItIsOurs) {
  const auto error = [](const std::string& key, const std::string& value) {
    return problem_of({{svm_node()}, {}, {InputDraft{}}, {"label"}, {{key, value}}});
  };
  EXPECT_EQ(error("author", "somebody"), "(no error)");
  EXPECT_EQ(error("bisector.feature_names", R"(["a", "b"])"), "(no error)");
  EXPECT_EQ(error("bisector.feature_names", R"(["a", 1])"),
            "m.onnx: metadata bisector.feature_names: expected a JSON list of texts");
  EXPECT_EQ(error("bisector.feature_names", std::string(100000, '[')),
            "m.onnx: metadata bisector.feature_names: expected a plain list of texts");
  EXPECT_EQ(error("bisector.median_distance", "nan"),
            "m.onnx: metadata bisector.median_distance: \"nan\", expected a finite number");
}

class HostileOnnx : public testing::TestWithParam<const char*> {
 protected:
  std::string file_ = test::read_file(std::filesystem::path(BISECTOR_TEST_DATA) / GetParam());
};

TEST_P(HostileOnnx, EveryPrefixIsRefusedOrRead) {
  std::size_t read = 0;
  for (std::size_t size = 0; size < file_.size(); ++size) {
    SCOPED_TRACE(size);
    const std::string prefix = file_.substr(0, size);
    read += test::succeeds_or_rejects([&] { read_onnx_bytes(prefix, "m.onnx"); });
  }
  // What is cut off behind the graph (the versions of operators) is not missed.
  EXPECT_LT(read, 100u);
}

TEST_P(HostileOnnx, EveryFlippedBitIsRefusedOrRead) {
  for (std::size_t bit = 0; bit < 8 * file_.size(); ++bit) {
    SCOPED_TRACE(bit);
    std::string changed = file_;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    test::succeeds_or_rejects([&] { read_onnx_bytes(changed, "m.onnx"); });
  }
}

INSTANTIATE_TEST_SUITE_P(Files, HostileOnnx,
                         testing::Values("two_classes.onnx", "two_names.onnx", "one_class.onnx",
                                         "columns.onnx", "neighbors.onnx", "neighbors_cdist.onnx",
                                         "process.onnx"),
                         [](const auto& each) {
                           const std::string name = each.param;
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace bisector
