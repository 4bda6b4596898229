// Interactions of pairs of features.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bisector/baselines.h"
#include "bisector/explain.h"
#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector {

struct InteractionOptions {
  /// The number of rows whose values replace those of absent features. Without it they are those of
  /// exact Shapley values: the reference point, or the whole background if it is given.
  std::optional<std::size_t> references = 60;
  std::uint64_t seed = 0;  // of the references
  /// The player of each input feature, 0, 1, ...; empty: those of the ExplainOptions.
  std::vector<std::size_t> players = {};
  std::size_t steps = 8;  // integrated Hessians: points per path
};

/// The references and the seed of a method, so that interactions sum to its values if these are
/// exact Shapley values. A method with automatic references gives the default number.
BISECTOR_EXPORT InteractionOptions interactions_of(const Method& method);

/// Why the sums over pairs differ from the values of a method; empty if they are equal.
BISECTOR_EXPORT std::string note_on_sums(const Model& model, const Method& method);

/// Pair interactions of single rows. Copies share the prepared model. Safe to share between
/// threads.
///
/// Machines with a product kernel have Shapley interaction values of f: entries off the diagonal
/// are half of the pair's Shapley interaction index, the diagonal has the main effects, and rows
/// sum to the exact Shapley values. Other kernel machines of a distance have integrated Hessians of
/// g along the paths from the references: rows sum to the integrated gradients of g over these
/// paths.
class BISECTOR_EXPORT InteractionExplainer {
 public:
  /// Throws InvalidInput for models without second derivatives (neighbors, centroids, outlier
  /// detectors), whose outputs are steps, for kernels of the dot product, and for options that do
  /// not fit the model.
  explicit InteractionExplainer(const Model& model, const ExplainOptions& options = {},
                                const InteractionOptions& interactions = {});

  std::size_t players() const;
  /// True: Shapley interaction values in the unit of f. False: integrated Hessians in the unit of
  /// g.
  bool is_exact() const;
  /// The classes of the pair that is explained at a row, as indices into Model::labels().
  Model::ClassPair pair_at(std::span<const double> row) const;

  /// Symmetric, players x players, for a row of the model's input space.
  Matrix operator()(std::span<const double> row) const;
  /// The pairs with the largest absolute interaction (the sum of both entries), largest first.
  /// Exact interactions are computed in blocks, so that memory does not hold all pairs.
  std::vector<PairInteraction> strongest(std::span<const double> row, std::size_t count) const;

 private:
  class Implementation;
  std::shared_ptr<const Implementation> implementation_;
};

}  // namespace bisector
