// Which arrays a model bundle has: one table for the reader and the writer.
#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "bisector/model.h"

namespace bisector::io {

inline constexpr std::string_view kBundleFormat = "bisector-model";
/// Bundles of what version 1 had are still written as such.
inline constexpr int kBundleVersion = 2;

/// A kind's name in `meta` and the arrays of its own, separated by blanks.
struct BundleSchema {
  std::string_view name;
  std::string_view required;
  std::string_view optional;
};

/// In the order of the kinds of a Predictor.
inline constexpr std::array<BundleSchema, std::variant_size_v<Predictor>> kBundleSchemas = {
    {{"kernel_classifier", "support_vectors coefficients intercept gamma n_support labels",
      "arrangement kernel_form kernel_gamma kernel_shape kernel_weight kernel_offset"},
     {"kernel_regressor", "support_vectors coefficients intercept gamma",
      "target_mean kernel_form kernel_gamma kernel_shape kernel_weight kernel_offset"},
     {"one_class", "support_vectors coefficients intercept gamma",
      "kernel_form kernel_gamma kernel_shape kernel_weight kernel_offset"},
     {"neighbors", "points point_classes k labels",
      "vote_weights vote_decay radius point_weights rank_weights"},
     {"centroids", "centroids labels", ""},
     {"neighbor_regressor", "points targets k",
      "vote_weights vote_decay radius point_weights rank_weights"},
     {"detector", "points k score threshold", ""}}};

/// Arrays that any kind may have besides `meta`.
inline constexpr std::string_view kCommonArrays =
    "feature_names input_shift input_scale input_matrix input_offset median_distance "
    "distance distance_power categories";

}  // namespace bisector::io
