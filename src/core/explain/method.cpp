#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "bisector/error.h"
#include "bisector/methods.h"

namespace bisector {

const std::vector<Method>& all_methods() {
  static const std::vector<Method> methods = {Method::lrp,
                                              Method::lrp_path,
                                              Method::gradient_times_input,
                                              Method::integrated_gradients,
                                              Method::sensitivity,
                                              Method::occlusion,
                                              Method::shapley_sampling,
                                              Method::shapley_exact};
  return methods;
}

std::string_view name(Method method) {
  switch (method) {
    case Method::lrp:
      return "lrp";
    case Method::lrp_path:
      return "lrp-path";
    case Method::gradient_times_input:
      return "gi";
    case Method::integrated_gradients:
      return "ig";
    case Method::sensitivity:
      return "sensitivity";
    case Method::occlusion:
      return "occlusion";
    case Method::shapley_sampling:
      return "shapley";
    case Method::shapley_exact:
      return "shapley-exact";
  }
  throw InvalidInput(fmt::format("method number {}, expected one of the enumerated methods",
                                 static_cast<int>(method)));
}

Method method_from_name(std::string_view wanted) {
  std::string known;
  for (const Method method : all_methods()) {
    if (name(method) == wanted) return method;
    known += (known.empty() ? "" : ", ") + std::string(name(method));
  }
  throw InvalidInput(fmt::format("no method \"{}\", expected one of {}", wanted, known));
}

}  // namespace bisector
