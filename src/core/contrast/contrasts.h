// The contrasts of one model: which pair of classes a row has, and the contrast of a pair. The
// factory in contrasts.cpp is the only place that asks for the kind of model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "bisector/method.h"
#include "bisector/model.h"
#include "bisector/predict.h"
#include "core/contrast/contrast.h"
#include "core/contrast/point_values.h"
#include "core/models/rows.h"

namespace bisector::detail {

// Objects that are made once per pair of classes, on first use: a model of many classes has many
// pairs, of which a file of data needs few.

template <class T>
class PairCache {
 public:
  /// The T of a pair; make(pair) returns it as a std::unique_ptr. The reference is valid as long as
  /// this object.
  template <class Make>
  const T& get(Model::ClassPair pair, const Make& make) const {
    const std::lock_guard lock(mutex_);
    auto& made = made_[{pair.positive, pair.negative}];
    if (!made) made = make(pair);
    return *made;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::pair<std::size_t, std::size_t>, std::unique_ptr<const T>> made_;
};

struct ContrastOptions {
  ClassChoice choice = {};  // what it leaves open is each row's own
  double level = 0.0;       // regressors
  double beta = 1.0;        // kernel machines: stiffness of the responsibilities
  std::size_t kappa = 0;    // neighbors: half-width of the band of ranks
  bool ignore_intercept = false;
  Precision precision = Precision::float64;
  unsigned threads = 0;
  std::shared_ptr<const PointValues> values = {};  // what the rules average; null: no moments
};

/// Rows that go through one contrast together.
struct RowGroup {
  const Contrast* contrast;
  std::vector<std::size_t> rows;  // ascending
};

/// Rows that represent the data, drawn from the background or from the model's points. All draws of
/// an explainer from one of the two with one seed are the same rows.
struct ReferenceRows {
  enum class Source { background, points };

  Source source;
  std::uint64_t seed;
  std::size_t count;
  std::function<MappedRows(std::size_t first, std::size_t count)> rows;  // in the model's space
};

class Contrasts {
 public:
  /// Throws InvalidModel for a model with an empty pool, if all rows have the same pair of classes.
  Contrasts(const Model& model, ContrastOptions options);
  Contrasts(const Contrasts&) = delete;
  Contrasts& operator=(const Contrasts&) = delete;

  /// The contrast of a pair of classes (regressors: {0, 1}); lives as long as this object.
  const Contrast& of(Model::ClassPair pair) const;
  /// Decisions of reference rows. Their neighbors are searched once for all pairs of classes.
  std::vector<RowDecision> decide(const ReferenceRows& references, Model::ClassPair pair) const;
  /// The pair of classes, if it is the same for all rows.
  std::optional<Model::ClassPair> only_pair() const;

  /// True if the machines of all pairs of classes vote, so that their sums come before the pair
  /// that decides a row. The contrast of any other model decides by itself.
  bool has_votes() const { return factory_.scores != nullptr; }
  /// The machines that vote; made on first use.
  const DecisionFunction& machines() const;
  /// The votes about rows of the input space: the predicted class, the pair of classes and its f.
  /// Empty unless has_votes().
  std::vector<RowDecision> vote(MatrixView<const double> rows) const;
  /// The same from the decision values of all machines, and for the given pair of classes.
  std::vector<RowDecision> vote(const Predictions& predictions,
                                std::optional<Model::ClassPair> pair = std::nullopt) const;
  /// Sets what the votes decide. g stays that of the pair's pools, where there are pools.
  void take(const RowDecision& vote, RowDecision& decision) const;
  /// The rows by contrast.
  std::vector<RowGroup> groups(std::size_t rows, std::span<const RowDecision> votes) const;

  /// These throw InvalidInput if the model does not have what a method needs.
  void require_output(ExplainedOutput output) const;
  void require_gradient(std::string_view method) const;
  void require_product_kernel(std::string_view method) const;

  const Model& model() const { return model_; }
  double level() const { return options_.level; }
  unsigned threads() const { return options_.threads; }

  /// The properties that depend on the kind of model.
  struct Factory {
    std::function<std::unique_ptr<const Contrast>(const ClassChoice&)> make;
    bool finds_pairs = false;    // one contrast finds each row's pair together with its decision
    bool has_steps = false;      // f and g have no gradient
    std::string_view kind = {};  // word for messages
    /// The scores of all classes from the decision values of all machines; empty unless they vote.
    std::function<std::vector<double>(std::span<const double>)> scores = {};
  };

 private:
  /// By the first row of each tile.
  using Searched = std::map<std::size_t, std::unique_ptr<const SearchedRows>>;

  const Searched& searched(const ReferenceRows& references) const;
  template <class Body>
  void for_each_tile_of(const ReferenceRows& references, const Body& body) const;

  Model model_;
  ContrastOptions options_;
  Factory factory_;
  std::unique_ptr<const Contrast> all_pairs_;  // of a factory that finds pairs
  mutable std::once_flag machines_once_;
  mutable std::optional<DecisionFunction> machines_;  // of models whose machines vote, on first use
  PairCache<Contrast> contrasts_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<ReferenceRows::Source, std::uint64_t>, Searched> searched_;
};

}  // namespace bisector::detail
