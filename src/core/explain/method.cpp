#include "bisector/method.h"

namespace bisector {
namespace {

template <class... M>
std::vector<Method> defaults_of(const std::variant<M...>*) {
  return {M{}...};
}

}  // namespace

const std::vector<Method>& all_methods() {
  static const std::vector<Method> methods = defaults_of(static_cast<const Method*>(nullptr));
  return methods;
}

std::string_view name(const Method& method) {
  return std::visit([](const auto& own) { return own.kName; }, method);
}

}  // namespace bisector
