// Baselines of Python functions of rows.
#include "bisector/baselines.h"

#include <nanobind/stl/optional.h>

#include "arrays.h"
#include "bindings.h"

namespace bisector::python {
namespace {

using namespace nb::literals;

void require_values(std::size_t found, std::size_t rows) {
  if (found != rows)
    throw InvalidInput("the function gave " + std::to_string(found) +
                       " values, expected one for each of " + std::to_string(rows) + " rows");
}

BatchFunction batch_function(const nb::callable& function) {
  return [&function](MatrixView<const double> rows, std::span<double> values) {
    const auto result = nb::cast<Vector>(function(array_of(rows)));
    require_values(result.shape(0), rows.rows());
    std::copy_n(result.data(), values.size(), values.begin());
  };
}

BatchGradient batch_gradient(const nb::callable& gradient) {
  return [&gradient](MatrixView<const double> rows, MatrixView<double> gradients) {
    const auto result = nb::cast<Rows>(gradient(array_of(rows)));
    require_values(result.shape(0), rows.rows());
    if (result.shape(1) != rows.cols())
      throw InvalidInput("the gradient has " + std::to_string(result.shape(1)) +
                         " columns, expected " + std::to_string(rows.cols()) + " as the rows have");
    RowParts parts(result);
    const auto all = parts.all();
    for (std::size_t r = 0; r < all.rows(); ++r)
      std::ranges::copy(all.row(r), gradients.row(r).begin());
  };
}

std::span<const double> span_of(const Vector& values) { return {values.data(), values.shape(0)}; }

}  // namespace

void bind_baselines(nb::module_& m) {
  m.def(
      "gradient_times_input",
      [](const nb::callable& gradient, const Rows& rows, const Vector& reference) {
        return array(gradient_times_input(batch_gradient(gradient), RowParts(rows).all(),
                                          span_of(reference)));
      },
      "gradient"_a, "rows"_a, "reference"_a);
  m.def(
      "integrated_gradients",
      [](const nb::callable& gradient, const Rows& rows, const Vector& reference,
         std::size_t steps) {
        return array(integrated_gradients(batch_gradient(gradient), RowParts(rows).all(),
                                          span_of(reference), steps));
      },
      "gradient"_a, "rows"_a, "reference"_a, "steps"_a);
  m.def(
      "sensitivity",
      [](const nb::callable& function, const nb::callable& gradient, const Rows& rows) {
        return array(
            sensitivity(batch_function(function), batch_gradient(gradient), RowParts(rows).all()));
      },
      "function"_a, "gradient"_a, "rows"_a);
  m.def(
      "occlusion",
      [](const nb::callable& function, const Rows& rows, const Vector& reference) {
        return array(occlusion(batch_function(function), RowParts(rows).all(), span_of(reference)));
      },
      "function"_a, "rows"_a, "reference"_a);
  m.def(
      "sampled_shapley",
      [](const nb::callable& function, const Rows& rows, const Vector& reference,
         std::size_t sequences, std::uint64_t seed, std::size_t first_row) {
        return array(sampled_shapley(batch_function(function), RowParts(rows).all(),
                                     span_of(reference), {sequences, seed}, first_row));
      },
      "function"_a, "rows"_a, "reference"_a, "sequences"_a, "seed"_a, "first_row"_a = 0);
}

}  // namespace bisector::python
