// Flips: the smallest change of a row that makes the model decide otherwise.
#include "bisector/flip.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "progress.h"

namespace bisector::python {
namespace {

using namespace nb::literals;

AllowedChange allowed_change(const std::string& text) {
  const auto change = enum_from_name<AllowedChange>(text);
  if (!change)
    throw InvalidInput("change is \"" + text + "\", expected " + enum_choices<AllowedChange>());
  return *change;
}

void make_column(FlipColumn* self, std::vector<std::size_t> features,
                 const std::optional<Rows>& levels, double lowest, double highest,
                 std::optional<int> decimals, const std::string& change) {
  new (self) FlipColumn{
      std::move(features),   levels ? matrix(*levels) : Matrix(), lowest, highest, decimals,
      allowed_change(change)};
}

std::vector<RowFlips> find(const FlipFinder& self, const Rows& rows,
                           const ProgressCallback& progress) {
  std::vector<RowFlips> result;
  RowParts parts(rows);
  in_parts(parts.rows(), {4, 4096}, progress, [&](std::size_t first, std::size_t count) {
    try {
      for (RowFlips& row : self(parts.part(first, count))) result.push_back(std::move(row));
    } catch (const InvalidRow& error) {
      throw error.shifted(first);
    }
  });
  return result;
}

}  // namespace

void bind_flips(nb::module_& m) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  nb::class_<FlipColumn>(m, "FlipColumn")
      .def("__init__", &make_column, "features"_a, "levels"_a = nb::none(), "lowest"_a = -kInfinity,
           "highest"_a = kInfinity, "decimals"_a = nb::none(), "change"_a = "any")
      .def_ro("features", &FlipColumn::features)
      .def_ro("lowest", &FlipColumn::lowest)
      .def_ro("highest", &FlipColumn::highest)
      .def_ro("decimals", &FlipColumn::decimals)
      .def_prop_ro("is_number", &FlipColumn::is_number);
  nb::class_<Flip>(m, "CoreFlip")
      .def_prop_ro(
          "row", [](const Flip& self) { return array(self.row); }, kOwned)
      .def_ro("changed", &Flip::changed)
      .def_ro("distance", &Flip::distance)
      .def_ro("prediction", &Flip::prediction)
      .def_ro("value", &Flip::value);
  nb::class_<RowFlips>(m, "RowFlips")
      .def_ro("flips", &RowFlips::flips)
      .def_ro("prediction", &RowFlips::prediction)
      .def_ro("value", &RowFlips::value)
      .def_ro("radius", &RowFlips::radius)
      .def_ro("example", &RowFlips::example)
      .def_ro("example_distance", &RowFlips::example_distance);
  nb::class_<FlipFinder>(m, "FlipFinder")
      .def(
          "__init__",
          [](FlipFinder* self, const Model& model, const std::vector<FlipColumn>& columns,
             const Rows& examples, std::size_t count, std::size_t most_changes,
             std::optional<double> reach, std::optional<std::size_t> to_class, bool with_radius,
             unsigned threads) {
            FlipOptions options;
            options.columns = columns;
            options.examples = matrix(examples);
            options.count = count;
            options.most_changes = most_changes;
            options.reach = reach;
            options.to_class = to_class;
            options.with_radius = with_radius;
            options.threads = threads;
            new (self) FlipFinder(model, std::move(options));
          },
          "model"_a, "columns"_a, "examples"_a, "count"_a = 1, "most_changes"_a = 0,
          "reach"_a = nb::none(), "to_class"_a = nb::none(), "with_radius"_a = true,
          "threads"_a = 0u)
      .def("__call__", &find, "rows"_a, "progress"_a = nb::none(), "One entry per row.");
  m.def(
      "flip_columns",
      [](const Model& model, const Rows& rows) {
        return flip_columns(model, RowParts(rows).all());
      },
      "model"_a, "rows"_a, "The columns of a model, with the ranges and decimals of the rows.");
}

}  // namespace bisector::python
