#include "report/pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bisector/error.h"
#include "core/util/parallel.h"

namespace bisector::report {
namespace {

/// The columns of a heat map that people can read. More are computed only if they are asked for.
constexpr std::size_t kMostShown = 40;
constexpr std::size_t kMostAsked = 256;
/// Rows of a mean: fewer say little, more change little.
constexpr std::size_t kLeastRows = 20, kMostRows = 200;
/// References x points x pairs over all rows: about a second, and half a minute if asked for.
constexpr double kCost = 2e8, kAskedCost = 6e9;

std::size_t player_count(const Model& model) {
  return model.encoding() ? model.encoding()->columns().size() : model.features();
}

InteractionOptions options_for(const Model& model, const Method& method) {
  InteractionOptions options = interactions_of(method);
  if (model.encoding()) options.players = model.encoding()->groups();
  return options;
}

bool has_exact_pairs(const Model& model) {
  return model.kernel() != nullptr && !model.has_dot_product() &&
         is_product_kernel(*model.kernel()) && !model.input().has_matrix();
}

/// The mean of |interaction| of each pair, and of |main effect| on the diagonal.
Matrix mean_sizes(const std::vector<Matrix>& of_rows, const std::vector<std::size_t>& columns) {
  Matrix result(columns.size(), columns.size());
  const double share = 1.0 / static_cast<double>(of_rows.size());
  for (const Matrix& row : of_rows) {
    for (std::size_t a = 0; a < columns.size(); ++a) {
      for (std::size_t b = 0; b < columns.size(); ++b) {
        const double size = std::abs(row(columns[a], columns[b]));
        result(a, b) += share * (a == b ? size : 2.0 * size);  // a pair has two equal entries
      }
    }
  }
  return result;
}

}  // namespace

PairSummary::PairSummary(const Model& model, const Method& method, const ExplainOptions& explain,
                         bool is_asked)
    : is_asked_(is_asked), threads_(explain.threads) {
  const std::size_t players = player_count(model);
  if (players < 2 || (!is_asked && (players > kMostShown || !has_exact_pairs(model)))) return;
  if (players > kMostAsked)
    throw InvalidInput(
        fmt::format("--interactions: a report has the pairs of at most {} columns, the model has "
                    "{}; use bisector explain --interactions --groups FILE",
                    kMostAsked, players));
  const InteractionOptions options = options_for(model, method);
  const auto references = static_cast<double>(
      options.references.value_or(explain.background   ? explain.background->rows()
                                  : model.background() ? model.background()->rows.rows()
                                                       : std::size_t{1}));
  cost_ = references * static_cast<double>(model.points().rows() * players * players);
  if (is_asked || row_count(kMostRows) > 0) explain_.emplace(model, explain, options);
}

std::size_t PairSummary::row_count(std::size_t rows) const {
  const auto affordable = static_cast<std::size_t>((is_asked_ ? kAskedCost : kCost) / cost_);
  if (!is_asked_ && affordable < std::min(kLeastRows, rows)) return 0;
  return std::min(rows, std::clamp(affordable, kLeastRows, kMostRows));
}

std::optional<ReportPairs> PairSummary::operator()(
    MatrixView<const double> rows, const std::vector<std::size_t>& by_importance) const {
  const std::size_t count = explain_ ? row_count(rows.rows()) : 0;
  if (count == 0) return std::nullopt;
  std::vector<Matrix> of_rows(count);
  util::parallel_for(count, threads_, [&] {
    return [&](std::size_t r) { of_rows[r] = (*explain_)(rows.row(r * rows.rows() / count)); };
  });
  ReportPairs pairs;
  pairs.rows = count;
  pairs.is_exact = explain_->is_exact();
  pairs.columns.assign(by_importance.begin(),
                       by_importance.begin() +
                           static_cast<std::ptrdiff_t>(std::min(kMostShown, by_importance.size())));
  pairs.mean_absolute = mean_sizes(of_rows, pairs.columns);
  return pairs;
}

}  // namespace bisector::report
