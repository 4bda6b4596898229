#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "io/common/limits.h"
#include "io/onnx/onnx_composed.h"
#include "io/onnx/onnx_distances.h"
#include "io/onnx/onnx_walk.h"
#include "io/text/cells.h"

namespace bisector::io {
namespace {

constexpr std::string_view kNeighborsAdvice =
    "nearest neighbors are read as skl2onnx writes them, save others with "
    "bisector.Explainer(model).save(\"model.npz\")";

/// The classes or the targets of the k nearest points.
struct Nearest {
  std::vector<double> values;  // of all points
  const OnnxNode* search;      // TopK
  std::size_t k;
};

std::size_t read_k(const OnnxWalk& walk, const OnnxNode& search) {
  const OnnxAttributes attributes(walk.graph(), search);
  const double k = search.inputs.size() > 1 ? walk.number(search.inputs[1])
                                            : static_cast<double>(attributes.integer("k", 0));
  if (!(k >= 1.0) || k >= static_cast<double>(kMaxCount) || k != std::floor(k))
    walk.fail(search, fmt::format("asks for the {} nearest, expected a whole number from 1", k));
  return static_cast<std::size_t>(k);
}

Nearest read_nearest(const OnnxWalk& walk, std::string_view tensor) {
  const OnnxNode& shaped = walk.maker(tensor, "Reshape");
  const OnnxNode& picked = walk.maker(walk.input(shaped, 0), "ArrayFeatureExtractor");
  const OnnxNode& search =
      walk.maker(walk.same_values(walk.input(picked, 1)), "TopK", /*output=*/1);
  const std::size_t k = read_k(walk, search);
  if (walk.values(walk.input(shaped, 1)) != std::vector<double>{-1.0, static_cast<double>(k)})
    walk.fail(shaped, fmt::format("another shape than (-1, {}), expected one target", k));
  return {walk.values(walk.input(picked, 0)), &search, k};
}

/// The searched tensor: distances, negated if the search is for the largest.
std::string_view searched(const OnnxWalk& walk, const OnnxNode& search, bool& is_negated) {
  is_negated = OnnxAttributes(walk.graph(), search).integer("largest", 1) != 0;
  if (!is_negated) return walk.input(search, 0);
  double factor = 0.0;
  const OnnxNode& node = walk.maker(walk.input(search, 0), "Mul");
  const std::string_view distances = walk.with_number(node, factor);
  if (factor != -1.0) walk.fail(node, "a factor other than -1, expected the nearest to be sought");
  return distances;
}

/// `tensor` is 1 over the distances found, bounded for distances near 0.
void require_inverse_distances(const OnnxWalk& walk, std::string_view tensor,
                               const OnnxNode& search, bool is_negated) {
  double least = 0.0, factor = 1.0;
  const OnnxNode& bounded = walk.maker(walk.before(tensor, "Reciprocal"), "Max");
  std::string_view found = walk.with_number(bounded, least);
  if (!(least > 0.0 && least <= 1e-6))
    walk.fail(bounded, fmt::format("bounds distances by {:g}, expected at most 1e-06", least));
  if (walk.is_made_by(found, "Mul")) found = walk.with_number(walk.maker(found, "Mul"), factor);
  if (&walk.maker(found, "TopK") != &search)
    walk.fail(bounded, "weights of other neighbors, expected those of the vote");
  if (factor != (is_negated ? -1.0 : 1.0))
    walk.fail(
        bounded,
        "distances are negative here, so every neighbor weighs the same, which scikit-learn's "
        "weights='distance' does not mean (a known fault of skl2onnx)");
}

NeighborVote read_vote(const OnnxWalk& walk, const Nearest& nearest,
                       const std::optional<std::string_view>& weights, OnnxDistances& distances) {
  bool is_negated = false;
  distances = read_onnx_distances(walk, searched(walk, *nearest.search, is_negated));
  if (nearest.values.size() != distances.points.rows())
    walk.fail(*nearest.search, fmt::format("{} points with {} classes or targets, expected as many",
                                           distances.points.rows(), nearest.values.size()));
  if (weights) require_inverse_distances(walk, *weights, *nearest.search, is_negated);
  const auto kind = weights ? NeighborVote::Weights::distance : NeighborVote::Weights::uniform;
  return {kind, std::nullopt, {}, distances.distance, {}, {}};
}

std::vector<std::string> read_labels(const OnnxWalk& walk, const OnnxNode& node) {
  const std::string_view tensor = walk.input(node, 0);
  const auto message = walk.graph().constant(tensor);
  if (message && has_onnx_texts(*message))
    return read_onnx_texts(walk.graph(), *message, fmt::format("the constant {}", shown(tensor)));
  std::vector<std::string> labels;
  for (const double label : walk.values(tensor)) {
    if (label != std::floor(label) || std::abs(label) > 9e15)
      walk.fail(node, fmt::format("a class called {}, expected whole numbers or texts", label));
    labels.push_back(fmt::format("{}", static_cast<std::int64_t>(label)));
  }
  return labels;
}

/// The weights and the classes of the neighbors in the sum of votes for one class.
struct ClassVotes {
  std::string_view classes;
  std::optional<std::string_view> weights;
  bool operator==(const ClassVotes&) const = default;
};

ClassVotes read_class_votes(const OnnxWalk& walk, std::string_view sum, std::size_t its_class) {
  std::string_view votes = walk.reduced(sum, "ReduceSum", 1);
  ClassVotes class_votes;
  if (walk.is_made_by(votes, "Mul")) {
    const OnnxNode& product = walk.maker(votes, "Mul");
    votes = walk.input(product, 0);
    class_votes.weights = walk.input(product, 1);
  }
  const OnnxNode& equal = walk.maker(walk.same_values(votes), "Equal");
  double counted = -1.0;
  class_votes.classes = walk.with_number(equal, counted);
  if (counted != static_cast<double>(its_class))
    walk.fail(equal, fmt::format("counts class {}, expected class {}", counted, its_class));
  return class_votes;
}

ClassVotes read_votes_of_classes(const OnnxWalk& walk, const OnnxNode& largest,
                                 std::size_t classes) {
  const OnnxAttributes attributes(walk.graph(), largest);
  if (attributes.integer("axis", 0) != 1 || attributes.integer("select_last_index", 0) != 0)
    walk.fail(largest, "expected the first of the largest along axis 1");
  const OnnxNode& sums = walk.maker(walk.input(largest, 0), "Concat");
  if (OnnxAttributes(walk.graph(), sums).integer("axis", 0) != 1 || sums.inputs.size() != classes)
    walk.fail(sums, fmt::format("expected the votes of {} classes along axis 1", classes));
  const ClassVotes first = read_class_votes(walk, walk.input(sums, 0), 0);
  for (std::size_t c = 1; c < classes; ++c) {
    if (read_class_votes(walk, sums.inputs[c], c) != first)
      walk.fail(sums, "votes of other neighbors or weights for each class, expected the same");
  }
  return first;
}

OnnxModel read_classifier(const OnnxWalk& walk, std::string_view label) {
  const OnnxNode& named = walk.maker(label, "ArrayFeatureExtractor");
  std::vector<std::string> labels = read_labels(walk, named);
  const OnnxNode& largest = walk.maker(walk.same_values(walk.input(named, 1)), "ArgMax");
  const ClassVotes class_votes = read_votes_of_classes(walk, largest, labels.size());
  const Nearest nearest = read_nearest(walk, class_votes.classes);
  OnnxDistances distances;
  NeighborVote vote = read_vote(walk, nearest, class_votes.weights, distances);
  std::vector<std::size_t> classes;
  for (const double value : nearest.values) {
    if (!(value >= 0.0) || value >= static_cast<double>(labels.size()) ||
        value != std::floor(value))
      walk.fail(*nearest.search, fmt::format("a point of class {}, expected one from 0 to {}",
                                             value, labels.size() - 1));
    classes.push_back(static_cast<std::size_t>(value));
  }
  return {NeighborModel(std::move(distances.points), std::move(classes), std::move(labels),
                        nearest.k, std::move(vote)),
          distances.rows};
}

/// The sum of the weighted targets over the sum of the weights.
std::string_view weighted_targets(const OnnxWalk& walk, std::string_view mean,
                                  std::optional<std::string_view>& weights) {
  const OnnxNode& ratio = walk.maker(mean, "Div");
  weights = walk.reduced(walk.same_values(walk.input(ratio, 1)), "ReduceSum", 1);
  const OnnxNode& product = walk.maker(walk.reduced(walk.input(ratio, 0), "ReduceSum", 1), "Mul");
  if (walk.input(product, 1) != *weights)
    walk.fail(product, "weights other than those that are summed, expected the same");
  return walk.input(product, 0);
}

/// Skips casts and changes of shape of the neighbors' targets.
std::string_view behind_casts(const OnnxWalk& walk, std::string_view tensor) {
  if (!walk.is_made_by(tensor, "Cast")) return tensor;
  const OnnxNode& cast = walk.maker(tensor, "Cast");
  require_cast_to_real(walk.graph(), cast);
  return walk.input(cast, 0);
}

OnnxModel read_regressor(const OnnxWalk& walk, std::string_view mean) {
  std::optional<std::string_view> weights;
  const std::string_view targets = walk.is_made_by(mean, "Div")
                                       ? weighted_targets(walk, mean, weights)
                                       : walk.reduced(mean, "ReduceMean", 1);
  Nearest nearest = read_nearest(walk, behind_casts(walk, targets));
  OnnxDistances distances;
  NeighborVote vote = read_vote(walk, nearest, weights, distances);
  return {NeighborRegressor(std::move(distances.points), std::move(nearest.values), nearest.k,
                            std::move(vote)),
          distances.rows};
}

}  // namespace

bool has_onnx_neighbors(const OnnxGraph& graph) { return graph.has_operator("TopK"); }

OnnxModel read_onnx_neighbors(const OnnxGraph& graph) {
  const OnnxWalk walk(graph, kNeighborsAdvice);
  const std::string_view output = walk.prediction();
  return walk.is_made_by(output, "ArrayFeatureExtractor") ? read_classifier(walk, output)
                                                          : read_regressor(walk, output);
}

}  // namespace bisector::io
