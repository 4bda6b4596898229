// The rows of explain: their explanations by column or group.
#include <algorithm>

#include "cli/verbs/explain.h"

namespace bisector::cli {
namespace {

/// The columns that are explained, before groups are made of them.
std::vector<std::string> columns_of(const Model& model, const RowSource& rows, bool by_column) {
  return by_column ? model.encoding()->column_names() : rows.feature_names();
}

/// The options with the players: groups of columns, and levels of one column.
ExplainOptions with_players(ExplainOptions options, const Model& model, bool by_column,
                            const ColumnGroups& groups) {
  if (!by_column && groups.names.size() == groups.of_column.size()) return options;
  options.players = groups.of_column;
  if (!by_column) return options;
  options.players.clear();
  for (const std::size_t column : model.encoding()->groups())
    options.players.push_back(groups.of_column[column]);
  return options;
}

}  // namespace

ClassExplanations RowExplainer::all_classes(MatrixView<const double> rows,
                                            std::size_t first_row) const {
  ClassExplanations all = explainer_.all_classes(rows, first_row);
  if (options_.players.empty()) return all;
  for (Matrix& relevance : all.relevance) relevance = summed(relevance);
  return all;
}

RowExplainer::RowExplainer(const ExplainArguments& arguments, const Model& model,
                           const RowSource& rows)
    : arguments_(arguments),
      model_(model),
      by_column_(model.encoding() && !arguments.per_level),
      columns_(columns_of(model, rows, by_column_)),
      groups_(arguments.groups.empty()
                  ? single_columns(columns_)
                  : read_groups(arguments.groups, columns_, arguments.input.format.limits)),
      options_(with_players(explain_options(arguments.rule, arguments.input, model), model,
                            by_column_, groups_)),
      explainer_(model, method_of(arguments.rule.method), options_) {}

std::vector<std::pair<std::string, std::vector<std::string>>> RowExplainer::groups() const {
  std::vector<std::pair<std::string, std::vector<std::string>>> result;
  for (std::size_t g = 0; g < groups_.names.size(); ++g) {
    if (!groups_.is_group[g]) continue;
    result.emplace_back(groups_.names[g], std::vector<std::string>());
    for (const std::size_t column : groups_.members[g])
      result.back().second.push_back(columns_[column]);
  }
  return result;
}

Matrix RowExplainer::summed(MatrixView<const double> relevance) const {
  Matrix result(relevance.rows(), features().size());
  for (std::size_t r = 0; r < relevance.rows(); ++r) {
    for (std::size_t d = 0; d < relevance.cols(); ++d)
      result(r, options_.players[d]) += relevance(r, d);
  }
  return result;
}

RowExplainer::Explained RowExplainer::operator()(MatrixView<const double> rows,
                                                 std::size_t first_row) const {
  Explained result{explainer_(rows, first_row), {}};
  for (std::size_t r = 0; arguments_.evidence && r < rows.rows(); ++r)
    result.evidence.push_back(explainer_.evidence(rows.row(r), *arguments_.evidence));
  if (arguments_.rule.for_predicted) {
    const std::vector<bool> is_reversed = orient_to_prediction(result.explanation);
    for (std::size_t r = 0; r < result.evidence.size(); ++r) {
      if (is_reversed[r]) std::ranges::for_each(result.evidence[r], reverse);
    }
  }
  if (options_.players.empty()) return result;
  result.explanation.relevance = summed(result.explanation.relevance);
  // The standard error of a sum is at most the sum of the standard errors.
  if (Matrix& errors = result.explanation.standard_error; errors.rows() > 0)
    errors = summed(errors);
  for (auto& pairs : result.evidence) {
    for (Evidence& pair : pairs)
      pair.relevance = summed({pair.relevance.data(), 1, pair.relevance.size()}).values();
  }
  return result;
}

}  // namespace bisector::cli
