#include "report/inputs.h"

#include <fmt/format.h>

#include "bisector/error.h"
#include "report/report_columns.h"

namespace bisector::report {

void require_image(const ReportOptions& options, std::size_t columns) {
  if (!options.image) return;
  if (!options.groups.empty())
    throw InvalidInput("groups of an image's pixels cannot be shown on a page, expected none");
  const auto [height, width] = *options.image;
  if (height * width != columns)
    throw InvalidInput(fmt::format("an image of {}x{} has {} pixels, the {}: expected as many",
                                   height, width, height * width,
                                   options.network ? fmt::format("network {} inputs", columns)
                                                   : fmt::format("model {} features", columns)));
}

void require_network(const ReportOptions& options, const Model& model) {
  if (!options.network) return;
  const NetworkInputs& own = *options.network;
  if (options.interactions || !options.groups.empty())
    throw InvalidInput("rows are embeddings of a network, expected no interactions and no groups");
  const std::size_t rows = own.values.rows(), inputs = own.names.size();
  const auto fits = [&](const Matrix& matrix, std::size_t count) {
    return matrix.rows() == count && matrix.cols() == inputs;
  };
  const auto is_per_row = [&](const std::vector<double>& numbers) {
    return numbers.size() == rows;
  };
  const bool has_errors = own.standard_error.rows() > 0, has_points = own.points.rows() > 0;
  if (!fits(own.values, rows) || !fits(own.relevance, rows) ||
      (has_errors && !fits(own.standard_error, rows)) ||
      (has_points && !fits(own.points, model.points().rows())) || !is_per_row(own.output) ||
      !is_per_row(own.base) || !is_per_row(own.remainder))
    throw InvalidInput(fmt::format(
        "the arrays of the network's inputs differ in size, expected {} rows, {} inputs and, if "
        "they are given, the inputs of {} points",
        rows, inputs, model.points().rows()));
}

std::vector<ReportColumn> columns_in(const Model& model, const ReportOptions& options) {
  if (!options.network) return columns_of(model, options.feature_names, options.groups);
  std::vector<ReportColumn> columns;
  for (const std::string& input : options.network->names)
    columns.push_back({.name = input, .levels = {}, .first = columns.size()});
  return columns;
}

void use_network(const NetworkInputs& network, std::span<const std::size_t> numbers,
                 Explanation& explanation) {
  std::vector<std::size_t> places(numbers.begin(), numbers.end());
  for (std::size_t r = 0; r < places.size(); ++r) {
    if (places[r] > network.values.rows())
      throw InvalidInput(fmt::format("row {} has no inputs of the network, expected {} rows",
                                     places[r], network.values.rows()));
    --places[r];
    explanation.output[r] = network.output[places[r]];
    explanation.base[r] = network.base[places[r]];
    explanation.remainder[r] = network.remainder[places[r]];
  }
  explanation.relevance = gather_rows(network.relevance, places);
  explanation.standard_error =
      network.standard_error.rows() > 0 ? gather_rows(network.standard_error, places) : Matrix();
  explanation.stretch.assign(explanation.stretch.size(), 1.0);
}

}  // namespace bisector::report
