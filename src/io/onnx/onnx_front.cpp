#include "io/onnx/onnx_front.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>

#include "bisector/text.h"
#include "io/common/limits.h"
#include "io/onnx/onnx_fields.h"
#include "io/onnx/onnx_linear.h"
#include "io/onnx/onnx_values.h"
#include "io/text/cells.h"

namespace bisector::io {
namespace {

using Width = std::optional<std::size_t>;

constexpr std::string_view kExpectedInFront =
    "expected Scaler, Add, Sub, Mul, Div, MatMul, Gemm, Concat, FeatureVectorizer, "
    "ArrayFeatureExtractor, Gather, Cast or Identity";

class FrontReader {
 public:
  /// `nodes`: the nodes before the model.
  FrontReader(const OnnxGraph& graph, const std::vector<bool>& nodes, std::string_view tensor);

  LinearColumns columns(std::string_view tensor, Width width);
  std::vector<std::string> feature_names() const;
  void require_matrix_size(std::size_t columns) const;

 private:
  LinearColumns columns_of_input(std::size_t input, Width width);
  LinearColumns columns_of_node(const OnnxNode& node, Width width);
  LinearColumns scaler(const OnnxNode& node, Width width);
  LinearColumns arithmetic(const OnnxNode& node, Width width);
  LinearColumns product(const OnnxNode& node);
  LinearColumns concatenation(const OnnxNode& node, Width width);
  LinearColumns selection(const OnnxNode& node);

  bool is_constant(std::string_view tensor) const;
  OnnxTensor constant_row(const OnnxNode& node, std::string_view tensor) const;
  void require_values(const OnnxNode& node, std::size_t values, std::size_t columns) const;
  void require_no_zero(const OnnxNode& node, std::span<const double> factors) const;
  void count_columns(std::size_t input, std::size_t width);
  void spend(std::size_t columns);

  const OnnxGraph& graph_;
  std::vector<bool> nodes_of_data_;          // true for nodes that depend on an input
  std::vector<std::size_t> first_, widths_;  // of the graph's inputs; 0 columns: not used
  std::size_t total_ = 0;
  int depth_ = 0;
  // Results are kept, because a file could use a tensor very often.
  std::size_t budget_ = 1'000'000;
};

FrontReader::FrontReader(const OnnxGraph& graph, const std::vector<bool>& nodes,
                         std::string_view tensor)
    : graph_(graph), first_(graph.inputs().size()), widths_(graph.inputs().size()) {
  std::vector<std::string_view> inputs, used = {tensor};
  for (const OnnxInput& input : graph.inputs()) inputs.push_back(input.name);
  nodes_of_data_ = graph.nodes_behind(inputs);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const auto& operands = graph.nodes()[n].inputs;
    if (nodes[n]) used.insert(used.end(), operands.begin(), operands.end());
  }
  const std::unordered_set<std::string_view> names(used.begin(), used.end());
  const auto is_used = [&](const OnnxInput& input) { return names.contains(input.name); };
  const bool has_several = std::ranges::count_if(graph.inputs(), is_used) > 1;
  for (std::size_t n = 0; n < widths_.size(); ++n) {
    const OnnxInput& input = graph.inputs()[n];
    if (!is_used(input)) continue;
    if (input.is_text)
      graph.fail(fmt::format("the input {} is text, expected numbers", shown(input.name)));
    if (!input.width && has_several)
      graph.fail(fmt::format("the input {} has no fixed number of columns, expected [N, columns]",
                             shown(input.name)));
    if (input.width) count_columns(n, *input.width);
  }
}

void FrontReader::count_columns(std::size_t input, std::size_t width) {
  const Limits& limits = graph_.limits();
  if (width > limits.max_features || total_ > limits.max_features - width)
    graph_.fail(fmt::format("the inputs have over {} columns, expected fewer (limit features)",
                            limits.max_features));
  if (!limits.allow_table(graph_.bytes(), 1, total_ + width))
    graph_.fail(
        fmt::format("the inputs have {} columns in a file of {} bytes, expected fewer "
                    "(limit expansion)",
                    total_ + width, graph_.bytes()));
  first_[input] = total_;
  widths_[input] = width;
  total_ += width;
  constexpr std::size_t kTimesAsked = 20;
  budget_ += kTimesAsked * width;
}

std::vector<std::string> FrontReader::feature_names() const {
  std::vector<std::string> names;
  for (std::size_t n = 0; n < widths_.size(); ++n) {
    if (widths_[n] > 1) return {};
    const std::string_view name = graph_.inputs()[n].name;
    if (widths_[n] == 1) names.emplace_back(is_utf8(name) ? name : "");
  }
  const bool has_all = std::ranges::none_of(names, &std::string::empty);
  return names.size() > 1 && has_all ? names : std::vector<std::string>{};
}

void FrontReader::spend(std::size_t columns) {
  if (columns + 1 >= budget_)
    graph_.fail("too many columns in front of the model, expected a plain chain of scalers");
  budget_ -= columns + 1;
}

LinearColumns FrontReader::columns(std::string_view tensor, Width width) {
  if (const auto input = graph_.input(tensor)) return columns_of_input(*input, width);
  const auto node = graph_.maker(tensor);
  if (!node)
    graph_.fail(fmt::format("{} in front of the model is not made from an input of the graph",
                            shown(tensor)));
  if (++depth_ > kMaxOnnxDepth)
    graph_.fail(graph_.nodes()[*node],
                fmt::format("over {} nodes behind one another, expected fewer", kMaxOnnxDepth));
  LinearColumns result = columns_of_node(graph_.nodes()[*node], width);
  --depth_;
  spend(result.count());
  if (width && result.count() != *width)
    graph_.fail(graph_.nodes()[*node],
                fmt::format("makes {} columns, expected {}", result.count(), *width));
  return result;
}

LinearColumns FrontReader::columns_of_input(std::size_t input, Width width) {
  // If the file does not state the width of its only input, the model determines it.
  if (widths_[input] == 0 && width) count_columns(input, *width);
  if (widths_[input] == 0)
    graph_.fail(fmt::format("the input {} has no fixed number of columns, expected [N, columns]",
                            shown(graph_.inputs()[input].name)));
  if (width && *width != widths_[input])
    graph_.fail(fmt::format("the input {} has {} columns, expected {} as in what follows it",
                            shown(graph_.inputs()[input].name), widths_[input], *width));
  spend(widths_[input]);
  return {total_, first_[input], widths_[input]};
}

LinearColumns FrontReader::columns_of_node(const OnnxNode& node, Width width) {
  if (node.domain == onnx::kMlDomain) {
    if (node.op == "Scaler") return scaler(node, width);
    if (node.op == "FeatureVectorizer") return concatenation(node, width);
    if (node.op == "ArrayFeatureExtractor") return selection(node);
  } else if (node.domain.empty() || node.domain == "ai.onnx") {
    if (node.op == "Add" || node.op == "Sub" || node.op == "Mul" || node.op == "Div")
      return arithmetic(node, width);
    if (node.op == "MatMul" || node.op == "Gemm") return product(node);
    if (node.op == "Concat") return concatenation(node, width);
    if (node.op == "Gather") return selection(node);
    if (node.op == "Cast") require_cast_to_real(graph_, node);
    if (node.op == "Cast" || node.op == "Identity") return columns(graph_.operand(node, 0), width);
  }
  graph_.fail(node, fmt::format("not known to be linear, {}", kExpectedInFront));
}

void FrontReader::require_values(const OnnxNode& node, std::size_t values,
                                 std::size_t columns) const {
  if (values != 1 && values != columns)
    graph_.fail(node,
                fmt::format("{} values for {} columns, expected one for each", values, columns));
}

void FrontReader::require_no_zero(const OnnxNode& node, std::span<const double> factors) const {
  if (std::ranges::find(factors, 0.0) != factors.end())
    graph_.fail(node, "scales a column by 0, expected every scale to be non-zero");
}

LinearColumns FrontReader::scaler(const OnnxNode& node, Width width) {
  const OnnxAttributes attributes(graph_, node);
  std::vector<double> offset = attributes.numbers("offset");
  const std::vector<double> scale = attributes.numbers("scale");
  if (!width && std::max(offset.size(), scale.size()) > 1)
    width = std::max(offset.size(), scale.size());
  LinearColumns result = columns(graph_.operand(node, 0), width);
  require_values(node, offset.size(), result.count());
  require_values(node, scale.size(), result.count());
  require_no_zero(node, scale);
  for (double& value : offset) value = -value;
  result.add(offset);
  result.multiply(scale);
  return result;
}

/// x + c, c + x, x - c, c - x, x * c, c * x and x / c.
LinearColumns FrontReader::arithmetic(const OnnxNode& node, Width width) {
  const std::string_view left = graph_.operand(node, 0), right = graph_.operand(node, 1);
  const bool is_left_constant = is_constant(left);
  if (is_left_constant == is_constant(right))
    graph_.fail(node, "both inputs come from the data, expected one of them to be constant");
  if (is_left_constant && node.op == "Div")
    graph_.fail(node, "divides by what comes from the data, expected a constant divisor");
  std::vector<double> values = constant_row(node, is_left_constant ? left : right).values;
  if (!width && values.size() > 1) width = values.size();
  LinearColumns result = columns(is_left_constant ? right : left, width);
  require_values(node, values.size(), result.count());
  if (node.op == "Sub" && is_left_constant)
    result.multiply(std::vector<double>{-1.0});
  else if (node.op == "Sub")
    for (double& value : values) value = 0.0 - value;
  if (node.op == "Add" || node.op == "Sub") {
    result.add(values);
    return result;
  }
  require_no_zero(node, values);
  if (node.op == "Div")
    for (double& value : values) value = 1.0 / value;
  result.multiply(values);
  return result;
}

void FrontReader::require_matrix_size(std::size_t columns) const {
  if (!graph_.limits().allow_table(graph_.bytes(), columns, total_))
    graph_.fail(
        fmt::format("a matrix from {} to {} columns in front of the model from a file of {} bytes, "
                    "expected a smaller one (limits elements, expansion)",
                    total_, columns, graph_.bytes()));
}

Matrix matrix_of(OnnxTensor tensor) {
  return {tensor.shape[0], tensor.shape[1], std::move(tensor.values)};
}

Matrix transposed(const Matrix& matrix) {
  Matrix result(matrix.cols(), matrix.rows());
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    for (std::size_t col = 0; col < matrix.cols(); ++col) result(col, row) = matrix(row, col);
  }
  return result;
}

/// x M, and Gemm's x M + c without its other factors.
LinearColumns FrontReader::product(const OnnxNode& node) {
  const OnnxAttributes attributes(graph_, node);
  const bool is_gemm = node.op == "Gemm";
  if (!is_constant(graph_.operand(node, 1)))
    graph_.fail(node, "the second factor comes from the data, expected a constant matrix");
  OnnxTensor tensor = read_onnx_constant(graph_, graph_.operand(node, 1));
  if (tensor.shape.size() != 2)
    graph_.fail(node,
                fmt::format("a factor of {} dimensions, expected a matrix", tensor.shape.size()));
  const bool has_factors =
      attributes.number("alpha", 1.0) != 1.0 || attributes.number("beta", 1.0) != 1.0;
  if (is_gemm && (has_factors || attributes.integer("transA", 0) != 0))
    graph_.fail(node, "alpha, beta or transA is not the default, expected a plain product");
  Matrix matrix = matrix_of(std::move(tensor));
  if (is_gemm && attributes.integer("transB", 0) != 0) matrix = transposed(matrix);
  const LinearColumns factor = columns(graph_.operand(node, 0), matrix.rows());
  require_matrix_size(matrix.cols());
  LinearColumns result = factor.times(matrix);
  if (is_gemm && node.inputs.size() > 2 && !node.inputs[2].empty()) {
    const OnnxTensor offset = constant_row(node, node.inputs[2]);
    require_values(node, offset.values.size(), result.count());
    result.add(offset.values);
  }
  return result;
}

LinearColumns FrontReader::concatenation(const OnnxNode& node, Width width) {
  if (node.op == "Concat") {
    const std::int64_t axis = OnnxAttributes(graph_, node).integer("axis", 1);
    if (axis != 1 && axis != -1)
      graph_.fail(node, fmt::format("axis is {}, expected 1: columns side by side", axis));
  }
  LinearColumns result =
      columns(graph_.operand(node, 0), node.inputs.size() == 1 ? width : Width());
  for (std::size_t n = 1; n < node.inputs.size(); ++n) {
    const LinearColumns others = columns(node.inputs[n], std::nullopt);
    if (result.is_mixed() || others.is_mixed())
      require_matrix_size(result.count() + others.count());
    result.append(others);
  }
  return result;
}

LinearColumns FrontReader::selection(const OnnxNode& node) {
  if (node.op == "Gather" && OnnxAttributes(graph_, node).integer("axis", 0) != 1)
    graph_.fail(node, "picks rows, expected axis 1: columns");
  if (!is_constant(graph_.operand(node, 1)))
    graph_.fail(node, "the columns to pick come from the data, expected constants");
  const OnnxTensor tensor = read_onnx_constant(graph_, graph_.operand(node, 1));
  const LinearColumns from = columns(graph_.operand(node, 0), std::nullopt);
  std::vector<std::size_t> places;
  for (const double value : tensor.values) {
    if (!(value >= 0.0) || value >= static_cast<double>(from.count()) || value != std::floor(value))
      graph_.fail(node, fmt::format("picks column {} of {}, expected one from 0 to {}", value,
                                    from.count(), from.count() - 1));
    places.push_back(static_cast<std::size_t>(value));
  }
  if (from.is_mixed()) require_matrix_size(places.size());
  return from.picked(places);
}

bool FrontReader::is_constant(std::string_view tensor) const {
  const auto node = graph_.maker(tensor);
  return node ? !nodes_of_data_[*node] : graph_.constant(tensor).has_value();
}

OnnxTensor FrontReader::constant_row(const OnnxNode& node, std::string_view tensor) const {
  OnnxTensor result = read_onnx_constant(graph_, tensor);
  if (!result.is_row() || result.values.empty())
    graph_.fail(node, fmt::format("{} has the shape ({}), expected a value for each column",
                                  shown(tensor), fmt::join(result.shape, ", ")));
  return result;
}

}  // namespace

OnnxFront read_onnx_front(const OnnxGraph& graph, std::string_view tensor, std::size_t width) {
  std::vector<bool> nodes = graph.nodes_before(tensor);
  FrontReader reader(graph, nodes, tensor);
  const LinearColumns columns = reader.columns(tensor, width);
  if (columns.needs_matrix()) reader.require_matrix_size(columns.count());
  return {columns.map(), reader.feature_names(), std::move(nodes)};
}

}  // namespace bisector::io
