// Which arrays a model bundle has: one table for the reader and the writer.
#pragma once

#include <array>
#include <string_view>

namespace bisector::io {

inline constexpr std::string_view kBundleFormat = "bisector-model";
inline constexpr int kBundleVersion = 1;

enum class BundleKind { kernel_classifier, kernel_regressor, one_class, neighbors, centroids };

/// A kind's name in `meta` and the arrays of its own, separated by blanks.
struct BundleSchema {
  BundleKind kind;
  std::string_view name;
  std::string_view required;
  std::string_view optional;
};

/// In the order of BundleKind.
inline constexpr std::array<BundleSchema, 5> kBundleSchemas = {
    {{BundleKind::kernel_classifier, "kernel_classifier",
      "support_vectors coefficients intercept gamma n_support labels", ""},
     {BundleKind::kernel_regressor, "kernel_regressor",
      "support_vectors coefficients intercept gamma", "target_mean"},
     {BundleKind::one_class, "one_class", "support_vectors coefficients intercept gamma", ""},
     {BundleKind::neighbors, "neighbors", "points point_classes k labels", ""},
     {BundleKind::centroids, "centroids", "centroids labels", ""}}};

/// Arrays that any kind may have besides `meta`.
inline constexpr std::string_view kCommonArrays =
    "feature_names input_shift input_scale input_matrix input_offset median_distance";

}  // namespace bisector::io
