// The tables of results: which columns an explanation, a prediction or a flip has, in every format.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bisector/explain.h"
#include "bisector/flip.h"
#include "bisector/interactions.h"
#include "bisector/io/model_rows.h"
#include "bisector/model.h"
#include "bisector/predict.h"
#include "cli/writers/result_table.h"
#include "cli/writers/row_values.h"

namespace bisector::cli {

/// What all rows of a result share.
struct ResultNames {
  const Model& model;
  Names labels;    // none for regressors
  Names features;  // of the contributions
  RowValues values;

  ResultNames(const Model& of, std::vector<std::string> features_of, RowValues values_of);
};

/// The columns that a result describes. Contributions have the names of features.
template <class Result>
Table table_of(Result result, const ResultNames& names) {
  using enum ResultColumn::Role;
  Table table;
  Result::columns([&](const ResultColumn& column, auto member) {
    if (column.role == internal || !column.is_of(names.labels == nullptr)) return;
    auto& cells = result.*member;
    Column own{std::string(column.name), {}};
    own.is_detail = column.role == detail;
    if constexpr (std::is_same_v<decltype(member), Matrix Result::*>) {
      if (cells.cols() == 0) return;
      own.key = column.key;
      own.names = names.features;
      own.is_users = column.role == contribution;
    } else if constexpr (std::is_same_v<decltype(member), std::vector<std::size_t> Result::*>) {
      own.names = names.labels;
    }
    own.cells = std::move(cells);
    table.columns.push_back(std::move(own));
  });
  return table;
}

/// What explain writes of a row beside its explanation.
struct ExplanationExtras {
  std::optional<double> level = {};                  // of a regressor
  std::optional<std::size_t> top = {};               // only the strongest features, one per line
  std::optional<std::size_t> evidence_count = {};    // the pairs of points of each row
  std::vector<std::vector<Evidence>> evidence = {};  // one list per row
};
Table explanation_table(Explanation explanation, const ResultNames& names, const ModelChunk& chunk,
                        const ExplanationExtras& extras);

/// A row has an item for each class.
Table class_table(const ClassExplanations& all, const ResultNames& names, const ModelChunk& chunk);

/// The pairs of each row, and what is known of the row.
struct PairRows {
  std::vector<std::vector<PairInteraction>> pairs = {};
  std::vector<std::size_t> positive = {}, negative = {};  // the classes; none for regressors
  std::vector<bool> outside = {}, tie = {};
};
Table pair_table(PairRows rows, const ResultNames& names, const ModelChunk& chunk);
/// All pairs: `values` has a row for each feature of each row.
Table all_pairs_table(Matrix values, const ResultNames& names);

struct PredictionColumns {
  std::optional<std::string> target = {};  // the name of the column, if the data have it
  std::optional<std::vector<std::string>> decisions = {};  // names; without them none are written
};
/// `probabilities` of the classes: rows x labels, or empty.
Table prediction_table(const Predictions& predictions, const ResultNames& names,
                       const PredictionColumns& columns, Matrix probabilities);

/// The changed rows of each row. `examples` are the row numbers of RowFlips::example.
struct FlipRows {
  std::vector<RowFlips> found = {};
  std::vector<bool> outside = {}, tie = {};
  std::vector<std::size_t> examples = {};
};
Table flip_table(const FlipRows& flips, const ResultNames& names, const ModelChunk& chunk);

/// Positions of the `count` values of largest magnitude, largest first; equal ones in their order.
std::vector<std::size_t> strongest(std::span<const double> values, std::size_t count);

}  // namespace bisector::cli
