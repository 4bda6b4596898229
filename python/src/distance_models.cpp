// Distances, kernels and votes as data, and the models that decide by distances alone.
#include "bindings.h"
#include "kinds.h"

namespace bisector::python {
namespace {

using namespace nb::literals;

void bind_distance(nb::module_& m) {
  nb::class_<Distance>(m, "Distance")
      .def(nb::init<>())
      .def(nb::init<double, std::vector<double>>(), "power"_a,
           "categories"_a = std::vector<double>())
      .def_static("manhattan", &Distance::manhattan)
      .def_static("hamming", &Distance::hamming, "features"_a)
      .def_static("cosine", &Distance::cosine)
      .def_prop_ro("power", &Distance::power)
      .def_prop_ro("is_cosine", &Distance::is_cosine)
      .def_prop_ro("categories", &Distance::categories)
      .def(
          "__eq__", [](const Distance& self, const Distance& other) { return self == other; },
          nb::is_operator(), nb::sig("def __eq__(self, arg: object, /) -> bool"));
}

void bind_kernel(nb::module_& m) {
  bind_enum<KernelForm>(m, "KernelForm");
  nb::class_<KernelTerm>(m, "KernelTerm")
      .def(
          "__init__",
          [](KernelTerm* self, KernelForm form, double gamma, double shape, double weight,
             double offset) {
            new (self) KernelTerm{form, gamma, shape, weight, offset};
          },
          "form"_a, "gamma"_a, "shape"_a = 1.0, "weight"_a = 1.0, "offset"_a = 0.0);
  nb::class_<Kernel>(m, "Kernel")
      .def(nb::init<double>(), "gamma"_a)
      .def(nb::init<std::vector<KernelTerm>, Distance>(), "terms"_a, "distance"_a = Distance())
      .def_prop_ro("is_of_distance", &Kernel::is_of_distance)
      .def(
          "__eq__", [](const Kernel& self, const Kernel& other) { return self == other; },
          nb::is_operator(), nb::sig("def __eq__(self, arg: object, /) -> bool"));
  nb::implicitly_convertible<double, Kernel>();  // the gamma of a Gaussian
}

void bind_vote(nb::module_& m) {
  bind_enum<NeighborVote::Weights>(m, "VoteWeights");
  nb::class_<NeighborVote>(m, "NeighborVote")
      .def(
          "__init__",
          [](NeighborVote* self, NeighborVote::Weights weights, std::optional<double> radius,
             std::vector<double> point_weights, Distance distance, std::vector<double> rank_weights,
             std::optional<std::size_t> outlier_class) {
            new (self) NeighborVote{weights,
                                    radius,
                                    std::move(point_weights),
                                    std::move(distance),
                                    {},
                                    std::move(rank_weights),
                                    outlier_class};
          },
          "weights"_a = NeighborVote::Weights::uniform, "radius"_a = nb::none(),
          "point_weights"_a = std::vector<double>(), "distance"_a = Distance(),
          "rank_weights"_a = std::vector<double>(), "outlier_class"_a = nb::none())
      .def_prop_ro("is_plain", &NeighborVote::is_plain)
      .def_ro("distance", &NeighborVote::distance)
      .def_ro("radius", &NeighborVote::radius)
      .def_ro("outlier_class", &NeighborVote::outlier_class)
      .def(
          "__eq__",
          [](const NeighborVote& self, const NeighborVote& other) { return self == other; },
          nb::is_operator(), nb::sig("def __eq__(self, arg: object, /) -> bool"));
}

}  // namespace

void bind_distance_models(nb::module_& m) {
  bind_distance(m);
  bind_kernel(m);
  bind_vote(m);
  bind_enum<OutlierScore>(m, "OutlierScore");
  nb::class_<NeighborModel> neighbors(m, "NeighborModel");
  bind_fields(neighbors);
  nb::class_<NeighborRegressor> regressor(m, "NeighborRegressor");
  bind_fields(regressor);
  nb::class_<CentroidModel> centroids(m, "CentroidModel");
  bind_fields(centroids);
  nb::class_<OutlierDetector> detector(m, "OutlierDetector");
  bind_fields(detector);
}

}  // namespace bisector::python
