// Functions over the fields of any kind of model (bisector/model_fields.h).
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "bisector/model.h"

namespace bisector::detail {

/// Types of fields that hold neither points nor a distance. A new type of field has to be listed
/// here or handled by each user of the fields, else the user does not compile.
template <class T>
concept PlainField = std::is_enum_v<T> || std::same_as<T, Matrix> ||
    std::same_as<T, std::vector<double>> || std::same_as<T, std::vector<std::size_t>> ||
    std::same_as<T, std::vector<std::string>> || std::same_as<T, double> ||
    std::same_as<T, std::size_t> || std::same_as<T, std::optional<double>>;

/// A kind with a kernel. The other kinds decide by ranks of distances.
template <class M>
concept KernelKind = PredictorKind<M> && requires(const M& model) {
  model.kernel();
};

/// use(field, value) for every field of a model.
template <class M, class Use>
void for_each_field(const M& model, const Use& use) {
  const auto& data = model.data();
  M::Data::fields([&](const Field& field, auto member) { use(field, data.*member); });
}

/// The model whose fields `read(field, value)` filled in.
template <class M, class Read>
M model_from_fields(const Read& read) {
  typename M::Data data;
  M::Data::fields([&](const Field& field, auto member) { read(field, data.*member); });
  return M(std::move(data));
}

/// use(std::type_identity<M>()) for every kind of model, in the order of the variant.
template <class Use>
void for_each_kind(const Use& use) {
  [&]<std::size_t... n>(std::index_sequence<n...>) {
    (use(std::type_identity<std::variant_alternative_t<n, Predictor>>()), ...);
  }
  (std::make_index_sequence<std::variant_size_v<Predictor>>());
}

// The overload set that std::visit wants.

template <class... Callables>
struct Overloaded : Callables... {
  using Callables::operator()...;
};
template <class... Callables>
Overloaded(Callables...) -> Overloaded<Callables...>;

}  // namespace bisector::detail
