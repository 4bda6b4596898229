// The format of a model bundle: its version, and the arrays of each kind of model, which follow
// from the kind's fields.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/models/model_fields.h"

namespace bisector::io {

inline constexpr std::string_view kBundleFormat = "bisector-model";
/// The version that is written, and the only one that is read.
inline constexpr int kBundleVersion = 3;

/// Arrays that any kind may have besides `meta`.
inline constexpr std::string_view kCommonArrays[] = {
    "feature_names", "input_shift",     "input_scale", "input_matrix",
    "input_offset",  "median_distance", "distance",    "distance_power",
    "categories",    "training_rows",   "background",  "background_mean"};

/// Points are in the first array, or in the file that the second one names.
inline constexpr std::string_view kPoints = "points", kPointsFile = "points_file";

/// The arrays that store one field. A distance is stored in arrays that are common to all kinds.
inline std::vector<std::string_view> arrays_of(const Field&, const Kernel&) {
  return {"gamma", "kernel_form", "kernel_gamma", "kernel_shape", "kernel_weight", "kernel_offset"};
}
inline std::vector<std::string_view> arrays_of(const Field&, const NeighborVote&) {
  return {"vote_weights", "vote_decay", "radius", "point_weights", "rank_weights", "outlier_class"};
}
inline std::vector<std::string_view> arrays_of(const Field&, const Distance&) { return {}; }
inline std::vector<std::string_view> arrays_of(const Field& field, const SharedMatrix&) {
  if (field.name == kPoints) return {kPoints, kPointsFile};
  return {field.name};
}
template <detail::PlainField T>
std::vector<std::string_view> arrays_of(const Field& field, const T&) {
  return {field.name};
}

/// The arrays of a kind, without the common ones.
template <PredictorKind M>
std::vector<std::string_view> arrays_of_kind() {
  std::vector<std::string_view> names;
  const typename M::Data data;
  M::Data::fields([&](const Field& field, auto member) {
    for (const std::string_view name : arrays_of(field, data.*member)) names.push_back(name);
  });
  return names;
}

}  // namespace bisector::io
