// The overload set that std::visit wants.
#pragma once

namespace bisector::detail {

template <class... Callables>
struct Overloaded : Callables... {
  using Callables::operator()...;
};
template <class... Callables>
Overloaded(Callables...) -> Overloaded<Callables...>;

}  // namespace bisector::detail
