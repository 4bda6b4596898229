// Pair interactions, and exact Shapley values of groups.
#include "bisector/interactions.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "progress.h"

namespace bisector::python {
namespace {

using namespace nb::literals;
using Array3 = nb::ndarray<nb::numpy, double, nb::ndim<3>>;
using Pair = std::tuple<std::size_t, std::size_t, double>;

/// use(row number, row) for every row, in parts between which Python may interrupt.
template <class Use>
void for_each_row(const Rows& rows, const ProgressCallback& progress, const Use& use) {
  RowParts parts(rows);
  in_parts(parts.rows(), {1, 1024}, progress, [&](std::size_t first, std::size_t count) {
    const MatrixView<const double> part = parts.part(first, count);
    for (std::size_t r = 0; r < count; ++r) use(first + r, part.row(r));
  });
}

Array3 all_interactions(const InteractionExplainer& self, const Rows& rows,
                        const ProgressCallback& progress) {
  const std::size_t players = self.players(), size = players * players;
  Buffer<double> buffer(rows.shape(0) * size);
  for_each_row(rows, progress, [&](std::size_t r, std::span<const double> row) {
    std::ranges::copy(self(row).values(), buffer.data() + r * size);
  });
  return buffer.release<Array3>({rows.shape(0), players, players});
}

std::vector<std::vector<Pair>> strongest(const InteractionExplainer& self, const Rows& rows,
                                         std::size_t count, const ProgressCallback& progress) {
  std::vector<std::vector<Pair>> result(rows.shape(0));
  for_each_row(rows, progress, [&](std::size_t r, std::span<const double> row) {
    for (const auto& [first, second, value] : self.strongest(row, count))
      result[r].emplace_back(first, second, value);
  });
  return result;
}

}  // namespace

void bind_interactions(nb::module_& m) {
  nb::class_<InteractionExplainer>(m, "InteractionExplainer")
      .def(
          "__init__",
          [](InteractionExplainer* self, const Model& model, const ExplainOptions& options,
             std::optional<std::size_t> references, std::uint64_t seed,
             std::vector<std::size_t> players, std::size_t steps) {
            new (self)
                InteractionExplainer(model, options, {references, seed, std::move(players), steps});
          },
          "model"_a, "options"_a, "references"_a.none() = 60, "seed"_a = 0,
          "players"_a = std::vector<std::size_t>(), "steps"_a = 8)
      .def_prop_ro("players", &InteractionExplainer::players)
      .def_prop_ro("is_exact", &InteractionExplainer::is_exact)
      .def(
          "pair_at",
          [](const InteractionExplainer& self, const Vector& row) {
            const Model::ClassPair pair = self.pair_at({row.data(), row.shape(0)});
            return std::pair(pair.positive, pair.negative);
          },
          "row"_a, "The positions of the labels that are compared at a row.")
      .def("__call__", &all_interactions, "rows"_a, "progress"_a = nb::none(),
           "Rows x players x players: symmetric, with the main effects on the diagonal.")
      .def("strongest", &strongest, "rows"_a, "count"_a, "progress"_a = nb::none(),
           "For each row the strongest pairs as (first, second, interaction).");
  m.def("note_on_sums", &note_on_sums, "model"_a, "method"_a,
        "Why sums over pairs differ from the values of a method; empty if they are equal.");
  m.def(
      "exact_shapley",
      [](const KernelMachine& machine, const Rows& rows, const Rows& background,
         std::vector<std::size_t> players, unsigned threads) {
        const ExactShapleyValues values(machine, matrix(background), threads, std::move(players));
        return array(values(RowParts(rows).all()));
      },
      "machine"_a, "rows"_a, "background"_a, "players"_a = std::vector<std::size_t>(),
      "threads"_a = 0u, "Exact Shapley values of a machine with a product kernel, rows x players.");
}

}  // namespace bisector::python
