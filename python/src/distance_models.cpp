// Distances and kernels as data, and the models that decide by distance alone.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "bisector/kernel.h"
#include "bisector/neighbor_model.h"
#include "bisector/outlier_detector.h"

namespace bisector::python {
namespace {

using namespace nb::literals;
using Labels = std::vector<std::string>;

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
  nb::enum_<KernelForm>(m, "KernelForm")
      .value("exponential", KernelForm::exponential)
      .value("matern12", KernelForm::matern12)
      .value("matern32", KernelForm::matern32)
      .value("matern52", KernelForm::matern52)
      .value("power", KernelForm::power)
      .value("polynomial", KernelForm::polynomial)
      .value("sigmoid", KernelForm::sigmoid);
  nb::class_<KernelTerm>(m, "KernelTerm")
      .def(
          "__init__",
          [](KernelTerm* self, KernelForm form, double gamma, double shape, double weight,
             double offset) {
            new (self) KernelTerm{form, gamma, shape, weight, offset};
          },
          "form"_a, "gamma"_a, "shape"_a = 1.0, "weight"_a = 1.0, "offset"_a = 0.0)
      .def_ro("form", &KernelTerm::form)
      .def_ro("gamma", &KernelTerm::gamma)
      .def_ro("shape", &KernelTerm::shape)
      .def_ro("weight", &KernelTerm::weight)
      .def_ro("offset", &KernelTerm::offset);
  nb::class_<Kernel>(m, "Kernel")
      .def(nb::init<double>(), "gamma"_a)
      .def(nb::init<std::vector<KernelTerm>, Distance>(), "terms"_a, "distance"_a = Distance())
      .def_prop_ro("terms", &Kernel::terms)
      .def_prop_ro("distance", &Kernel::distance)
      .def_prop_ro("is_gaussian", &Kernel::is_gaussian)
      .def_prop_ro("is_of_distance", &Kernel::is_of_distance)
      .def(
          "__eq__", [](const Kernel& self, const Kernel& other) { return self == other; },
          nb::is_operator(), nb::sig("def __eq__(self, arg: object, /) -> bool"));
  nb::implicitly_convertible<double, Kernel>();  // the gamma of a Gaussian
}

void bind_neighbors(nb::module_& m) {
  nb::enum_<NeighborVote::Weights>(m, "VoteWeights")
      .value("uniform", NeighborVote::Weights::uniform)
      .value("distance", NeighborVote::Weights::distance)
      .value("inverse", NeighborVote::Weights::inverse)
      .value("exponential", NeighborVote::Weights::exponential);
  nb::class_<NeighborVote::Decay>(m, "VoteDecay")
      .def(
          "__init__",
          [](NeighborVote::Decay* self, double offset, double power, double rate) {
            new (self) NeighborVote::Decay{offset, power, rate};
          },
          "offset"_a = 0.0, "power"_a = 1.0, "rate"_a = 1.0)
      .def_ro("offset", &NeighborVote::Decay::offset)
      .def_ro("power", &NeighborVote::Decay::power)
      .def_ro("rate", &NeighborVote::Decay::rate);
  nb::class_<NeighborVote>(m, "NeighborVote")
      .def(
          "__init__",
          [](NeighborVote* self, NeighborVote::Weights weights, std::optional<double> radius,
             std::vector<double> point_weights, Distance distance, NeighborVote::Decay decay,
             std::vector<double> rank_weights) {
            new (self) NeighborVote{weights,
                                    radius,
                                    std::move(point_weights),
                                    std::move(distance),
                                    decay,
                                    std::move(rank_weights)};
          },
          "weights"_a = NeighborVote::Weights::uniform, "radius"_a = nb::none(),
          "point_weights"_a = std::vector<double>(), "distance"_a = Distance(),
          "decay"_a = NeighborVote::Decay(), "rank_weights"_a = std::vector<double>())
      .def_ro("weights", &NeighborVote::weights)
      .def_ro("decay", &NeighborVote::decay)
      .def_prop_ro("is_plain", &NeighborVote::is_plain)
      .def_ro("distance", &NeighborVote::distance)
      .def_ro("radius", &NeighborVote::radius)
      .def(
          "__eq__",
          [](const NeighborVote& self, const NeighborVote& other) { return self == other; },
          nb::is_operator(), nb::sig("def __eq__(self, arg: object, /) -> bool"));
  nb::class_<NeighborModel>(m, "NeighborModel")
      .def(
          "__init__",
          [](NeighborModel* self, const nb::object& points, const Indices& classes, Labels labels,
             std::size_t k, NeighborVote vote) {
            new (self) NeighborModel(points_matrix(points), indices(classes), std::move(labels), k,
                                     std::move(vote));
          },
          "points"_a, "classes"_a, "labels"_a, "k"_a, "vote"_a = NeighborVote())
      .def_prop_ro(
          "points", [](const NeighborModel& self) { return array_of(self.points().view()); },
          kOwned)
      .def_prop_ro("classes", &NeighborModel::classes)
      .def_prop_ro("k", &NeighborModel::k)
      .def_prop_ro("vote", &NeighborModel::vote);
  nb::class_<NeighborRegressor>(m, "NeighborRegressor")
      .def(
          "__init__",
          [](NeighborRegressor* self, const nb::object& points, const Vector& targets,
             std::size_t k, NeighborVote vote) {
            new (self)
                NeighborRegressor(points_matrix(points), vector(targets), k, std::move(vote));
          },
          "points"_a, "targets"_a, "k"_a, "vote"_a = NeighborVote())
      .def_prop_ro(
          "points", [](const NeighborRegressor& self) { return array_of(self.points().view()); },
          kOwned)
      .def_prop_ro(
          "targets", [](const NeighborRegressor& self) { return array(self.targets()); }, kOwned)
      .def_prop_ro("k", &NeighborRegressor::k)
      .def_prop_ro("vote", &NeighborRegressor::vote);
  nb::class_<CentroidModel>(m, "CentroidModel")
      .def(
          "__init__",
          [](CentroidModel* self, const Rows& centroids, Labels labels, Distance distance) {
            new (self) CentroidModel(matrix(centroids), std::move(labels), std::move(distance));
          },
          "centroids"_a, "labels"_a, "distance"_a = Distance());
}

void bind_detectors(nb::module_& m) {
  nb::enum_<OutlierDetector::Score>(m, "OutlierScore")
      .value("kth_distance", OutlierDetector::Score::kth_distance)
      .value("mean_distance", OutlierDetector::Score::mean_distance)
      .value("local_outlier_factor", OutlierDetector::Score::local_outlier_factor);
  nb::class_<OutlierDetector>(m, "OutlierDetector")
      .def(
          "__init__",
          [](OutlierDetector* self, const nb::object& points, std::size_t k,
             OutlierDetector::Score score, double threshold, Distance distance) {
            new (self)
                OutlierDetector(points_matrix(points), k, score, threshold, std::move(distance));
          },
          "points"_a, "k"_a, "score"_a, "threshold"_a, "distance"_a = Distance())
      .def_prop_ro("threshold", &OutlierDetector::threshold);
}

}  // namespace

void bind_distance_models(nb::module_& m) {
  bind_distance(m);
  bind_kernel(m);
  bind_neighbors(m);
  bind_detectors(m);
}

}  // namespace bisector::python
