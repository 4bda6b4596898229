#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bindings.h"
#include "bisector/error.h"
#include "bisector/method.h"
#include "bisector/version.h"

namespace nb = nanobind;

NB_MODULE(_core, m) {
  using namespace bisector;
  // Objects that are alive at the interpreter's end are not reported.
  nb::set_leak_warnings(false);
  m.doc() = "Bindings of the public C++ headers.";
  m.attr("version") = std::string(kVersion);
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const FileError& error) {
      PyErr_SetString(PyExc_OSError, error.what());
    }
  });
  python::bind_models(m);
  python::bind_options(m);
  python::bind_explainers(m);
  python::bind_evaluation(m);
  python::bind_choosing(m);
  python::bind_interactions(m);
  python::bind_flips(m);

  m.def(
      "methods",
      [] {
        std::vector<std::string> names;
        for (const Method& method : all_methods()) names.emplace_back(name(method));
        return names;
      },
      "The names of all methods.");
}
