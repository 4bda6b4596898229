#include "io/onnx/onnx_distances.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "io/text/cells.h"

namespace bisector::io {
namespace {

Matrix read_points(const OnnxWalk& walk, const OnnxNode& node, std::string_view tensor) {
  OnnxTensor tensor_of_points = read_onnx_constant(walk.graph(), tensor);
  if (tensor_of_points.shape.size() != 2)
    walk.fail(node, fmt::format("points in {} dimensions, expected a table",
                                tensor_of_points.shape.size()));
  return {tensor_of_points.shape[0], tensor_of_points.shape[1], std::move(tensor_of_points.values)};
}

void require_plain_transpose(const OnnxWalk& walk, const OnnxNode& node) {
  const OnnxAttributes attributes(walk.graph(), node);
  if (attributes.has("perm") && attributes.integers("perm") != std::vector<std::int64_t>{1, 0})
    walk.fail(node, "expected rows and columns to be exchanged");
}

/// The power p of sum_d |x_d - u_d|^p, which the Scan's body makes of all rows and one point.
double power_of(const OnnxWalk& walk, const OnnxNode& scan) {
  for (const OnnxAttribute& attribute : scan.attributes) {
    if (attribute.name != "body" && attribute.name != "num_scan_inputs")
      walk.fail(scan, fmt::format("the attribute {}, expected a plain pass over the points",
                                  shown(attribute.name)));
  }
  const OnnxAttributes attributes(walk.graph(), scan);
  if (attributes.integer("num_scan_inputs", 0) != 1)
    walk.fail(scan, "expected one scanned input, the points");
  const OnnxGraph body = walk.graph().body(attributes.graph("body"));
  const OnnxWalk inside(body, walk.advice());
  if (body.inputs().size() != 2 || body.outputs().size() != 2)
    walk.fail(scan, "expected a body that takes the rows and a point");
  const std::string_view rows = body.inputs()[0].name, point = body.inputs()[1].name;
  if (inside.before(body.outputs()[0], "Identity") != rows)
    walk.fail(scan, "expected the rows to stay as they are");
  const std::string_view sum = inside.same_values(body.outputs()[1]);
  double power = 1.0;
  std::string_view difference;
  if (inside.is_made_by(sum, "ReduceSumSquare")) {
    difference = inside.reduced(sum, "ReduceSumSquare", 1);
    power = 2.0;
  } else {
    std::string_view part = inside.reduced(sum, "ReduceSum", 1);
    if (inside.is_made_by(part, "Pow")) {
      const OnnxNode& raised = inside.maker(part, "Pow");
      power = inside.number(inside.input(raised, 1));
      part = inside.input(raised, 0);
    }
    difference = inside.before(part, "Abs");
  }
  const OnnxNode& less = inside.maker(difference, "Sub");
  if (inside.input(less, 0) != rows || inside.input(less, 1) != point)
    walk.fail(scan, "expected differences of the rows and a point");
  return power;
}

/// Sums by a Scan, of which no root is taken yet.
OnnxDistances scanned(const OnnxWalk& walk, std::string_view tensor) {
  const OnnxNode& turned = walk.maker(tensor, "Transpose");
  require_plain_transpose(walk, turned);
  const OnnxNode& scan = walk.maker(walk.input(turned, 0), "Scan", /*output=*/1);
  if (scan.inputs.size() != 2) walk.fail(scan, "expected two inputs, the rows and the points");
  return {read_points(walk, scan, scan.inputs[1]), Distance(power_of(walk, scan)), scan.inputs[0]};
}

/// A root that is not of the sum's own power would be another distance.
void require_root(const OnnxWalk& walk, std::string_view tensor, const Distance& distance,
                  double root) {
  if (std::abs(root * distance.power() - 1.0) > 1e-6)
    walk.fail(walk.graph().nodes()[*walk.graph().maker(tensor)],
              fmt::format("the power {:g} of a sum of powers {:g}, expected their product to be 1",
                          root, distance.power()));
}

OnnxDistances by_operator(const OnnxWalk& walk, std::string_view tensor,
                          std::string_view expected) {
  const OnnxNode& node = walk.maker(tensor, "CDist");
  const std::string metric = OnnxAttributes(walk.graph(), node).text("metric", "sqeuclidean");
  if (metric != expected)
    walk.fail(node, fmt::format("the metric {}, expected {}", shown(metric), expected));
  return {read_points(walk, node, walk.input(node, 1)), Distance(), walk.input(node, 0)};
}

/// 1 - X U' / (|X| |U|').
OnnxDistances by_cosine(const OnnxWalk& walk, std::string_view tensor) {
  const OnnxNode& rest = walk.maker(tensor, "Sub");
  if (walk.number(walk.input(rest, 0)) != 1.0) walk.fail(rest, "expected 1 less a cosine");
  const OnnxNode& ratio = walk.maker(walk.input(rest, 1), "Div");
  const OnnxNode& product = walk.maker(walk.input(ratio, 0), "MatMul");
  const OnnxNode& lengths = walk.maker(walk.input(ratio, 1), "MatMul");
  const std::string_view rows = walk.input(product, 0), columns = walk.input(product, 1);
  const auto length = [&](std::size_t place, std::int64_t axis) {
    return walk.reduced(walk.before(walk.input(lengths, place), "Sqrt"), "ReduceSumSquare", axis);
  };
  if (length(0, 1) != rows || length(1, 0) != columns)
    walk.fail(lengths, "expected the lengths of the rows and the points");
  const OnnxNode& turned = walk.maker(columns, "Transpose");
  require_plain_transpose(walk, turned);
  return {read_points(walk, turned, walk.input(turned, 0)), Distance::cosine(), rows};
}

}  // namespace

OnnxDistances read_onnx_distances(const OnnxWalk& walk, std::string_view tensor) {
  if (walk.is_made_by(tensor, "CDist")) return by_operator(walk, tensor, "euclidean");
  if (walk.is_made_by(tensor, "Sub")) return by_cosine(walk, tensor);
  double root = 1.0;
  std::string_view sums = tensor;
  if (walk.is_made_by(tensor, "Sqrt")) {
    root = 0.5;
    sums = walk.before(tensor, "Sqrt");
  } else if (walk.is_made_by(tensor, "Pow")) {
    const OnnxNode& raised = walk.maker(tensor, "Pow");
    root = walk.number(walk.input(raised, 1));
    sums = walk.input(raised, 0);
  }
  OnnxDistances result = scanned(walk, sums);
  require_root(walk, tensor, result.distance, root);
  return result;
}

OnnxDistances read_onnx_squared_distances(const OnnxWalk& walk, std::string_view tensor) {
  if (walk.is_made_by(tensor, "CDist")) return by_operator(walk, tensor, "sqeuclidean");
  OnnxDistances result = scanned(walk, tensor);
  require_root(walk, tensor, result.distance, 0.5);
  return result;
}

}  // namespace bisector::io
