// bisector explain: the contribution of every feature to every row's prediction.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>

#include "bisector/interactions.h"
#include "bisector/notes.h"
#include "cli/options/groups.h"
#include "cli/options/input.h"
#include "cli/options/rule_options.h"
#include "cli/writers/result_tables.h"
#include "cli/writers/table_sink.h"
#include "tools/output_file.h"
#include "tools/progress.h"

namespace bisector::cli {

struct ExplainArguments {
  ExplainArguments() { input.keeps_target = true; }

  InputArguments input;
  RuleArguments rule;
  std::filesystem::path output;  // empty: standard output
  std::optional<TableFormat> format;
  bool text = false;  // for people: bars, values and averages
  bool details = false;
  bool all_classes = false;      // each class against the rest
  bool interactions = false;     // pairs of features instead of single ones
  std::filesystem::path groups;  // groups of columns; empty: every column alone
  bool per_level = false;  // one-hot levels stay separate and are not summed onto their column
  std::optional<std::size_t> row, top, evidence;

  bool is_terminal = false;  // standard output is a terminal

  /// One row, and rows on a terminal, are for people, unless something else is asked for.
  bool is_text() const {
    const bool is_for_files = evidence || details || all_classes;
    const bool is_for_people = row || (is_terminal && !is_for_files);
    return text || (output.empty() && !format && input.rows.kept.empty() && is_for_people);
  }
};

void explain_command(const ExplainArguments& arguments, std::ostream& out, std::ostream& notes);

/// The part of explain_command() that all outputs share.
class RowExplainer {
 public:
  RowExplainer(const ExplainArguments& arguments, const Model& model, const RowSource& rows);

  /// Features as they are written: columns of the table, unless levels stay separate, and groups.
  const std::vector<std::string>& features() const { return groups_.names; }
  /// The columns of each group, if there are groups.
  std::vector<std::pair<std::string, std::vector<std::string>>> groups() const;
  const Explainer& explainer() const { return explainer_; }
  const Model& model() const { return model_; }
  /// The rows of --background, if it was given.
  const std::optional<Matrix>& background() const { return options_.background; }
  /// The rows of a chunk, unless the command line sets them.
  std::size_t chunk_rows() const {
    return arguments_.input.chunk.value_or(default_chunk_rows(model_.features()));
  }
  RowValues values() const { return RowValues(model_, by_column_, groups_); }
  ResultNames names() const { return ResultNames(model_, features(), values()); }
  /// Pairs of features(), with the references of the explainer. Throws InvalidInput for models
  /// without second derivatives.
  InteractionExplainer interactions() const;
  /// What the notes on interactions need.
  ExplainSettings interaction_settings() const;

  struct Explained {
    Explanation explanation;                      // relevance per entry of features()
    std::vector<std::vector<Evidence>> evidence;  // one per row, or none at all
  };
  /// Explains rows of the model's features. `first_row` is the number of rows before them.
  Explained operator()(MatrixView<const double> rows, std::size_t first_row) const;
  /// Each class against the rest.
  ClassExplanations all_classes(MatrixView<const double> rows, std::size_t first_row) const;

 private:
  /// Relevance of the model's features, summed onto features().
  Matrix summed(MatrixView<const double> relevance) const;

  const ExplainArguments& arguments_;
  const Model& model_;
  bool by_column_;
  std::vector<std::string> columns_;  // without groups
  ColumnGroups groups_;
  ExplainOptions options_;
  Explainer explainer_;
};

/// Shows the progress of an explanation, unless the results go to the terminal.
inline tools::Progress explanation_progress(const ExplainArguments& arguments) {
  return tools::Progress::on_terminal("explaining", tools::is_standard_output(arguments.output));
}

/// Writes explanations for people: one row, or the global importance and a typical row.
void explain_text(const ExplainArguments& arguments, const RowExplainer& explainer, RowSource& rows,
                  std::ostream& out, NoteCounts& counts);

/// Writes the strongest pairs of features of each row, and their means over the rows.
void explain_interactions(const ExplainArguments& arguments, const RowExplainer& explainer,
                          RowSource& rows, tools::Output& output, NoteCounts& counts);
/// Throws UsageError for options that do not go with --interactions.
void require_interactions(const ExplainArguments& arguments);

}  // namespace bisector::cli
