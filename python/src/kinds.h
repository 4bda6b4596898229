// Kinds of models as Python classes, made from their fields (bisector/model_fields.h).
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "bisector/model.h"

namespace bisector::python {

/// Fields from Python objects: arrays for lists of numbers and matrices.
template <class T>
T field_from_python(const nb::object& value) {
  if constexpr (std::is_same_v<T, SharedMatrix>)
    return points_matrix(value);
  else if constexpr (std::is_same_v<T, Matrix>)
    return matrix(nb::cast<Rows>(value));
  else if constexpr (std::is_same_v<T, std::vector<double>>)
    return vector(nb::cast<Vector>(value));
  else if constexpr (std::is_same_v<T, std::vector<std::size_t>>)
    return indices(nb::cast<Indices>(value));
  else
    return nb::cast<T>(value);
}

template <class T>
nb::object field_to_python(const T& value) {
  if constexpr (std::is_same_v<T, SharedMatrix>)
    return nb::cast(array_of(value->view()));
  else if constexpr (std::is_same_v<T, Matrix>)
    return nb::cast(array_of(value.view()));
  else if constexpr (std::is_same_v<T, std::vector<double>> ||
                     std::is_same_v<T, std::vector<std::size_t>>)
    return nb::cast(array(value));
  else
    return nb::cast(value);
}

/// The type of a field in signatures.
template <class T>
std::string field_type() {
  if constexpr (std::is_same_v<T, SharedMatrix>)
    return "numpy.typing.ArrayLike | SparseRows | FileRows";
  else if constexpr (std::is_same_v<T, Matrix> || std::is_same_v<T, std::vector<double>> ||
                     std::is_same_v<T, std::vector<std::size_t>>)
    return "numpy.typing.ArrayLike";
  else if constexpr (std::is_same_v<T, std::vector<std::string>>)
    return "collections.abc.Sequence[str]";
  else if constexpr (std::is_same_v<T, double>)
    return "float";
  else if constexpr (std::is_same_v<T, std::size_t>)
    return "int";
  else if constexpr (std::is_same_v<T, std::optional<double>>)
    return "float | None";
  else
    return nb::cast<std::string>(nb::type<T>().attr("__name__"));
}

template <class T>
std::string property_type() {
  if constexpr (std::is_same_v<T, std::vector<std::size_t>>)
    return "numpy.typing.NDArray[numpy.int64]";
  else if constexpr (std::is_same_v<T, SharedMatrix> || std::is_same_v<T, Matrix> ||
                     std::is_same_v<T, std::vector<double>>)
    return "numpy.typing.NDArray[numpy.float64]";
  else if constexpr (std::is_same_v<T, std::vector<std::string>>)
    return "list[str]";
  else
    return field_type<T>();
}

/// Fields with a default that Python may omit.
template <class T>
constexpr bool kHasDefault = std::is_same_v<T, Distance> || std::is_same_v<T, NeighborVote> ||
                             std::is_same_v<T, std::optional<double>>;

/// "def __init__(self, points: ..., k: int, distance: Distance = ...) -> None".
template <class M>
std::string init_signature() {
  std::string required = "def __init__(self", optional;
  M::Data::fields([&]<class D, class T>(const Field& field, T D::*) {
    const std::string argument = ", " + std::string(field.keyword) + ": " + field_type<T>();
    if (kHasDefault<T> || field.is_optional)
      optional += argument + " = ...";
    else
      required += argument;
  });
  return required + optional + ") -> None";
}

/// The model from positional arguments, in the order of the required fields, and keywords.
template <class M>
M model_from_python(const nb::args& positional, const nb::kwargs& keywords) {
  typename M::Data data;
  std::size_t next = 0, used = 0;
  const auto read = [&]<class D, class T>(const Field& field, T D::*member) {
    const std::string keyword(field.keyword);
    if (keywords.contains(keyword.c_str())) {
      data.*member = field_from_python<T>(nb::borrow(keywords[keyword.c_str()]));
      ++used;
    } else if (next < positional.size()) {
      data.*member = field_from_python<T>(nb::borrow(positional[next++]));
    } else if (!kHasDefault<T> && !field.is_optional) {
      throw nb::type_error(
          (std::string(M::kKind) + ": argument " + keyword + " is missing").c_str());
    }
  };
  // As in a Python signature, arguments without a default come first.
  M::Data::fields([&]<class D, class T>(const Field& field, T D::*member) {
    if (!kHasDefault<T> && !field.is_optional) read(field, member);
  });
  M::Data::fields([&]<class D, class T>(const Field& field, T D::*member) {
    if (kHasDefault<T> || field.is_optional) read(field, member);
  });
  if (next < positional.size() || used < keywords.size())
    throw nb::type_error(
        (std::string(M::kKind) + ": an argument is unknown or given twice").c_str());
  return M(std::move(data));
}

/// A class with a constructor and one property per field.
template <class M>
void bind_fields(nb::class_<M>& bound) {
  bound.def(
      "__init__",
      [](M* self, const nb::args& positional, const nb::kwargs& keywords) {
        new (self) M(model_from_python<M>(positional, keywords));
      },
      nb::sig(init_signature<M>().c_str()));
  M::Data::fields([&]<class D, class T>(const Field& field, T D::*member) {
    const std::string keyword(field.keyword);
    bound.def_prop_ro(
        keyword.c_str(),
        [member](const M& self) { return field_to_python<T>(self.data().*member); },
        nb::for_getter(nb::sig(("def " + keyword + "(self, /) -> " + property_type<T>()).c_str())));
  });
}

}  // namespace bisector::python
