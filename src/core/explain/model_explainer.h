// The explanation of rows of one model, each by one pair of classes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bisector/explain.h"
#include "bisector/matrix.h"
#include "core/contrast/contrasts.h"
#include "core/explain/resolve.h"
#include "core/explain/units.h"
#include "core/methods/prepared.h"
#include "core/models/rows.h"

namespace bisector::detail {

class ModelExplainer {
 public:
  /// See Explainer.
  ModelExplainer(const Model& model, const Method& method, const ExplainOptions& options);
  ModelExplainer(const ModelExplainer&) = delete;
  ModelExplainer& operator=(const ModelExplainer&) = delete;

  /// `votes`: those of contrasts() about the rows.
  Explanation explain(MatrixView<const double> rows, std::size_t first_row,
                      std::span<const RowDecision> votes, Voters voters = {}) const;
  Explanation explain(MatrixView<const double> rows, std::size_t first_row, Voters voters) const {
    return explain(rows, first_row, contrasts_.vote(rows), voters);
  }
  Explanation complete(MatrixView<const double> rows, NetworkRelevance relevance) const;
  std::vector<Evidence> evidence(std::span<const double> row, std::size_t count) const;
  DecidingPoints deciding_points(std::span<const double> row, std::size_t count) const;
  Network network(std::span<const double> row) const;
  /// Throws InvalidInput for models with categories, which have no gradient, and for pairs that the
  /// model does not have.
  ContrastGradients gradients(MatrixView<const double> rows,
                              std::span<const Model::ClassPair> pairs) const;

  /// The model with the check of auto, if that was made, and with the background that is used.
  Model model() const { return model_.with_background(background_); }
  const ExplainOptions& options() const { return options_; }
  const Method& method() const { return resolved_.method; }
  const ExplainSettings& settings() const { return resolved_.settings; }
  const Contrasts& contrasts() const { return contrasts_; }

 private:
  Prepared prepared() const;
  void require_voters(MatrixView<const double> rows, Voters voters) const;
  OptionalRows background_rows() const;
  bool averages_points() const;
  ExplainedOutput explained_output() const;
  bool has_errors() const;
  Accounting accounting(const RowDecision& decision) const;
  Explanation empty_explanation(std::size_t rows) const;
  void set_decision(const RowDecision& decision, std::size_t r, Explanation& result) const;
  template <class AccountingOf>  // accounting_of(decision)
  void finish_rows(std::span<const RowDecision> decided, const AccountingOf& accounting_of,
                   Explanation& result) const;
  RowTotals totals(const RowDecision& decision, const Accounting& how) const;
  MappedRows map_one(std::span<const double> row) const;
  const Contrast& contrast_at(std::span<const double> row) const;

  ExplainOptions options_;
  std::optional<Background> background_;  // given, or the model's own
  Model model_;
  Resolved resolved_;
  Contrasts contrasts_;
  RowDecider decide_;
  UnitScales scales_;
  Prepared prepared_;
};

}  // namespace bisector::detail
