// Models. Every constructor checks its arguments; a ValueError has the library's message.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>

#include <algorithm>

#include "bindings.h"
#include "bisector/explain.h"
#include "bisector/io/model_file.h"
#include "bisector/io/model_rows.h"
#include "bisector/io/rows_file.h"
#include "bisector/predict.h"
#include "kinds.h"
#include "progress.h"

namespace bisector::python {
namespace {

using namespace nb::literals;
using Labels = std::vector<std::string>;

void bind_affine_map(nb::module_& m) {
  nb::class_<AffineMap>(m, "AffineMap")
      .def(nb::init<>())
      .def(
          "__init__",
          [](AffineMap* self, const Vector& shift, const Vector& scale,
             const std::optional<Rows>& dense, const std::optional<Vector>& offset) {
            new (self) AffineMap(vector(shift), vector(scale), dense ? matrix(*dense) : Matrix(),
                                 offset ? vector(*offset) : std::vector<double>());
          },
          "shift"_a, "scale"_a, "matrix"_a = nb::none(), "offset"_a = nb::none())
      .def_prop_ro("has_matrix", &AffineMap::has_matrix)
      .def_prop_ro("shift", as_array(&AffineMap::shift), kOwned)
      .def_prop_ro("scale", as_array(&AffineMap::scale), kOwned);
}

void bind_table_encoding(nb::module_& m) {
  bind_enum<ColumnEncoding::Kind>(m, "ColumnKind");
  nb::class_<ColumnEncoding>(m, "ColumnEncoding")
      .def(
          "__init__",
          [](ColumnEncoding* self, std::string name, ColumnEncoding::Kind kind, Labels levels) {
            new (self) ColumnEncoding{std::move(name), kind, std::move(levels), std::nullopt, {}};
          },
          "name"_a, "kind"_a, "levels"_a)
      .def_ro("kind", &ColumnEncoding::kind)
      .def_prop_ro("imputes", [](const ColumnEncoding& self) { return self.fill.has_value(); });
  nb::class_<TableEncoding>(m, "TableEncoding")
      .def(nb::init<std::vector<ColumnEncoding>>(), "columns"_a)
      .def_prop_ro("columns", &TableEncoding::columns)
      .def_prop_ro("column_names", &TableEncoding::column_names)
      .def_prop_ro("features", &TableEncoding::features)
      .def_prop_ro("has_names", &TableEncoding::has_names)
      .def_prop_ro("groups", as_array(&TableEncoding::groups), kOwned)
      .def(
          "encode",
          [](const TableEncoding& self, const TextColumns& cells, const std::string& source) {
            try {
              return array(self.encode(cells));
            } catch (const InvalidRow& error) {
              throw error.in(source, 0);
            }
          },
          "cells"_a, "source"_a);
  m.def(
      "is_missing", [](const std::string& cell) { return is_missing(cell); }, "cell"_a,
      "True for an empty cell, \"?\", \"NA\" and other marks of a missing value.");
}

void bind_points(nb::module_& m) {
  nb::class_<SparseRows>(m, "SparseRows")
      .def(
          "__init__",
          [](SparseRows* self, const Indices& starts, const Indices& columns, const Vector& values,
             std::size_t width) {
            new (self) SparseRows{starts, columns, values, width};
          },
          "starts"_a, "columns"_a, "values"_a, "width"_a);
  nb::class_<RowsInFile>(m, "FileRows")
      .def(
          "__init__",
          [](RowsInFile* self, const std::filesystem::path& path) {
            new (self) RowsInFile{rows_in_file(path)};
          },
          "path"_a)
      .def(
          "__init__",
          [](RowsInFile* self, const std::filesystem::path& path, std::uint64_t offset,
             std::size_t rows, std::size_t columns) {
            new (self) RowsInFile{rows_in_file(path, offset, rows, columns)};
          },
          "path"_a, "offset"_a, "rows"_a, "columns"_a)
      .def_prop_ro("shape", [](const RowsInFile& self) {
        return std::pair(self.rows.rows(), self.rows.cols());
      });
}

void bind_kernel_machines(nb::module_& m) {
  bind_enum<KernelClassifier::Arrangement>(m, "Arrangement");
  nb::class_<KernelMachine>(m, "KernelMachine")
      .def(
          "__init__",
          [](KernelMachine* self, const nb::object& points, const Vector& coefficients,
             Kernel kernel, double intercept) {
            new (self) KernelMachine(points_matrix(points), vector(coefficients), std::move(kernel),
                                     intercept);
          },
          "points"_a, "coefficients"_a, "kernel"_a, "intercept"_a)
      .def_prop_ro(
          "points", [](const KernelMachine& self) { return array_of(self.points().view()); },
          kOwned)
      .def_prop_ro("coefficients", as_array(&KernelMachine::coefficients), kOwned)
      .def_prop_ro("kernel", &KernelMachine::kernel)
      .def_prop_ro("intercept", &KernelMachine::intercept);
  nb::class_<KernelClassifier> classifier(m, "KernelClassifier");
  bind_fields(classifier);
  classifier
      .def_static(
          "one_vs_rest",
          [](const Rows& points, const Rows& coefficients, const Vector& intercepts, Kernel kernel,
             Labels labels) {
            return KernelClassifier::one_vs_rest(matrix(points), matrix(coefficients),
                                                 vector(intercepts), std::move(kernel),
                                                 std::move(labels));
          },
          "points"_a, "coefficients"_a, "intercepts"_a, "kernel"_a, "labels"_a,
          "One machine per class; the largest wins.")
      .def("with_broken_ties", &KernelClassifier::with_broken_ties,
           "The same machines; of classes with equal votes, the largest sum of decision values "
           "wins.");
  nb::class_<KernelRegressor> regressor(m, "KernelRegressor");
  regressor
      .def(nb::init<KernelMachine, std::optional<double>>(), "machine"_a,
           "target_mean"_a = nb::none())
      .def_ro("machine", &KernelRegressor::machine);
  bind_fields(regressor);
  nb::class_<OneClassMachine> one_class(m, "OneClassMachine");
  one_class.def(nb::init<KernelMachine>(), "machine"_a)
      .def_ro("machine", &OneClassMachine::machine);
  bind_fields(one_class);
}

void bind_measured(nb::module_& m) {
  nb::class_<MeasuredMethod>(m, "MeasuredMethod")
      .def_prop_ro("figures", [](const MeasuredMethod& self) {
        std::vector<std::tuple<std::string, double, double>> figures;
        for (const auto& [name, aufc, error] : self.figures)
          figures.emplace_back(name, aufc, error);
        return figures;
      });
}

void bind_model(nb::module_& m) {
  nb::class_<Model>(m, "Model")
      .def(nb::init<Predictor, AffineMap, std::vector<std::string>, std::optional<double>,
                    std::optional<TableEncoding>>(),
           "predictor"_a, "input"_a = AffineMap(), "feature_names"_a = Labels(),
           "median_distance"_a = nb::none(), "encoding"_a = nb::none())
      .def_prop_ro("features", &Model::features)
      .def_prop_ro("predictor", &Model::predictor)
      .def_prop_ro("input", &Model::input)
      .def_prop_ro("feature_names", &Model::feature_names)
      .def_prop_ro("encoding", &Model::encoding)
      .def_prop_ro("measured", &Model::measured)
      .def("with_measured", &Model::with_measured, "measured"_a)
      .def_prop_ro("training_rows", as_array(&Model::training_rows), kOwned)
      .def(
          "with_training_rows",
          [](const Model& self, const Indices& rows) {
            return self.with_training_rows(indices(rows));
          },
          "rows"_a)
      .def("with_features", &Model::with_features, "feature_names"_a, "encoding"_a.none(),
           "The model with other names of its features, or with the encoding of a table.")
      .def(
          "with_auto_check",
          [](const Model& self, unsigned threads) { return with_auto_check(self, threads); },
          "threads"_a = 0u, "The model with what auto has to know of it.")
      .def(
          "with_check_of",
          [](const Model& self, const Model& other) {
            return other.auto_check() ? self.with_auto_check(*other.auto_check()) : self;
          },
          "other"_a, "The model with what auto knows of another one.")
      .def(
          "without_background", [](const Model& self) { return self.with_background({}); },
          "The model without the rows that represent the data.")
      .def_prop_ro("labels", &Model::labels)
      .def_prop_ro("is_regressor", &Model::is_regressor)
      .def_prop_ro("is_detector", &Model::is_detector)
      .def_prop_ro("kind", [](const Model& self) { return std::string(self.kind()); })
      .def_prop_ro(
          "points", [](const Model& self) { return view_of(self.shared_points()); },
          nb::rv_policy::reference);

  m.def(
      "read_model", [](const std::filesystem::path& path) { return read_model(path); }, "path"_a,
      "Reads a model file, recognized by its content.");
  m.def("write_bundle",
        nb::overload_cast<const std::filesystem::path&, const Model&>(&write_bundle), "path"_a,
        "model"_a, "Writes the .npz bundle.");
  m.def(
      "models_against_rest", [](const Model& model) { return model.against_rest(); }, "model"_a,
      "A model of two classes for each class and all others; empty if the classes are explained "
      "by the sum over their pairs.");
}

/// The decisions about all rows, in parts between which Python may interrupt.
nb::tuple decide(const DecisionFunction& function, const Rows& rows) {
  RowParts parts(rows);
  Predictions all = function(parts.part(0, 0));  // refuses another number of features
  Matrix decisions(parts.rows(), all.decisions.cols());
  constexpr std::size_t kFirst = 256, kMost = 65536;
  in_parts(parts.rows(), {kFirst, kMost}, std::nullopt, [&](std::size_t first, std::size_t count) {
    try {
      const Predictions part = function(parts.part(first, count));
      std::ranges::copy(part.decisions.values(), decisions.row(first).data());
      all.classes.insert(all.classes.end(), part.classes.begin(), part.classes.end());
    } catch (const InvalidRow& error) {
      throw error.shifted(first);
    }
  });
  return nb::make_tuple(array(std::move(decisions)), array(all.classes));
}

void bind_decisions(nb::module_& m) {
  nb::class_<DecisionFunction>(m, "DecisionFunction")
      .def(
          "__init__",
          [](DecisionFunction* self, const Model& model, unsigned threads) {
            new (self) DecisionFunction(model, Precision::float64, threads);
          },
          "model"_a, "threads"_a = 0u)
      .def("__call__", &decide, "rows"_a,
           nb::sig("def __call__(self, rows: numpy.typing.ArrayLike) -> "
                   "tuple[numpy.typing.NDArray[numpy.float64], "
                   "numpy.typing.NDArray[numpy.int64]]"),
           "The decision values, and the predicted classes (none for a regressor).");
}

}  // namespace

void bind_models(nb::module_& m) {
  bind_affine_map(m);
  bind_table_encoding(m);
  bind_distance_models(m);
  bind_points(m);
  bind_kernel_machines(m);
  bind_measured(m);
  bind_model(m);
  bind_decisions(m);
}

}  // namespace bisector::python
