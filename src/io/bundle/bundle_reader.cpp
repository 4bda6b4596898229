#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "bisector/error.h"
#include "bisector/io/model_file.h"
#include "core/models/predictor_place.h"
#include "io/bundle/bundle_arrays.h"
#include "io/bundle/bundle_encoding.h"
#include "io/bundle/bundle_measured.h"
#include "io/bundle/bundle_schema.h"
#include "io/bundle/bundle_target.h"
#include "io/common/limits.h"
#include "io/text/cells.h"
#include "io/text/text_lines.h"

namespace bisector {

using namespace io;
using detail::kPlaceOf;

namespace {

using Json = nlohmann::json;

/// The member of `meta` with that name, null where there is none.
Json member(const Json& meta, const char* name) {
  return meta.contains(name) ? meta.at(name) : Json();
}

/// A value of `meta` for a message: strings in quotation marks, the rest as JSON, kept short.
std::string text_of(const Json& value) {
  if (value.is_string()) return shown(value.get<std::string>());
  constexpr std::size_t kLongest = 40;
  const std::string text = value.dump(-1, ' ', true);
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

Json parse_meta(const BundleArrays& arrays) {
  if (!arrays.has("meta"))
    throw FormatError(arrays.source(), 0, "array \"meta\" is missing, expected a model bundle");
  // Copying and printing JSON recurse, so a file must not choose how deep.
  const auto limit_depth = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > kMaxMetaDepth)
      arrays.fail("meta", fmt::format("nested over {} levels deep, expected less", kMaxMetaDepth));
    return true;
  };
  const Json meta =
      Json::parse(arrays.text("meta", arrays.limits().max_metadata_bytes), limit_depth, false);
  if (!meta.is_object()) arrays.fail("meta", "the text is not a JSON object");
  return meta;
}

void require_version(const BundleArrays& arrays, const Json& meta) {
  const Json format = member(meta, "format"), version = member(meta, "version");
  if (format != kBundleFormat)
    arrays.fail("meta",
                fmt::format("format is {}, expected \"{}\"", text_of(format), kBundleFormat));
  if (!version.is_number_unsigned() || version == 0)
    arrays.fail("meta",
                fmt::format("version is {}, expected {}", text_of(version), kBundleVersion));
  if (version > kBundleVersion)
    arrays.fail("meta", fmt::format("version is {}, expected {}: a newer bisector made this bundle",
                                    text_of(version), kBundleVersion));
}

const BundleSchema& read_schema(const BundleArrays& arrays, const Json& meta) {
  require_version(arrays, meta);
  const Json kind = member(meta, "kind");
  for (const auto& schema : kBundleSchemas) {
    if (kind == schema.name) return schema;
  }
  arrays.fail("meta", fmt::format("kind is {}, expected kernel_classifier, kernel_regressor, "
                                  "one_class, neighbors, centroids, neighbor_regressor or detector",
                                  text_of(kind)));
}

bool is_listed(std::string_view name, std::string_view list) {
  for (auto word = next_word(list); !word.empty(); word = next_word(list)) {
    if (word == name) return true;
  }
  return false;
}

void require_known_arrays(const BundleArrays& arrays, const BundleSchema& schema) {
  for (const auto& name : arrays.names()) {
    const bool is_known = name == "meta" || is_listed(name, schema.required) ||
                          is_listed(name, schema.optional) || is_listed(name, kCommonArrays);
    if (!is_known)
      throw FormatError(
          arrays.source(), 0,
          fmt::format("array {} is not one that a model of kind {} has", shown(name), schema.name));
  }
}

constexpr std::size_t kLongestName = 64;

Distance read_distance(const BundleArrays& arrays) {
  if (arrays.has("distance")) {
    const std::string distance = arrays.text("distance", kLongestName);
    if (distance != "cosine")
      arrays.fail("distance", fmt::format("{}, expected cosine", shown(distance)));
    for (const char* other : {"distance_power", "categories"})
      if (arrays.has(other)) arrays.fail(other, "beside the cosine distance, expected one of them");
    return Distance::cosine();
  }
  if (!arrays.has("distance_power")) {
    if (arrays.has("categories")) arrays.fail("categories", "without a distance_power");
    return {};
  }
  std::vector<double> categories;
  if (arrays.has("categories")) categories = arrays.vector("categories");
  return Distance(arrays.scalar("distance_power"), std::move(categories));
}

Kernel read_kernel(const BundleArrays& arrays) {
  const double gamma = arrays.scalar("gamma");
  if (!arrays.has("kernel_form"))
    return Kernel(KernelTerm{KernelForm::exponential, gamma}, read_distance(arrays));
  const std::vector<std::string> forms = arrays.texts("kernel_form");
  const auto column = [&](const char* name) {
    std::vector<double> values = arrays.vector(name);
    if (values.size() != forms.size())
      arrays.fail(name, fmt::format("{} elements, expected {}", values.size(), forms.size()));
    return values;
  };
  const auto gammas = column("kernel_gamma"), shapes = column("kernel_shape");
  const auto weights = column("kernel_weight"), offsets = column("kernel_offset");
  if (forms.empty()) arrays.fail("kernel_form", "no elements, expected a kernel");
  std::vector<KernelTerm> terms;
  for (std::size_t t = 0; t < forms.size(); ++t) {
    const auto form = kernel_form_from_name(forms[t]);
    if (!form)
      arrays.fail("kernel_form", fmt::format("{}, expected a form of kernel", shown(forms[t])));
    terms.push_back({*form, gammas[t], shapes[t], weights[t], offsets[t]});
  }
  return Kernel(std::move(terms), read_distance(arrays));
}

NeighborVote read_vote(const BundleArrays& arrays) {
  NeighborVote vote;
  vote.distance = read_distance(arrays);
  if (arrays.has("vote_weights")) {
    const std::string weights = arrays.text("vote_weights", kLongestName);
    const auto known = vote_weights_from_name(weights);
    if (!known)
      arrays.fail(
          "vote_weights",
          fmt::format("{}, expected uniform, distance, inverse or exponential", shown(weights)));
    vote.weights = *known;
  }
  if (vote.has_decay() || arrays.has("vote_decay")) {
    const std::vector<double> decay = arrays.vector("vote_decay");
    if (decay.size() != 3)
      arrays.fail("vote_decay",
                  fmt::format("{} elements, expected 3: offset, power and rate", decay.size()));
    vote.decay = {decay[0], decay[1], decay[2]};
  }
  vote.radius = arrays.optional_scalar("radius");
  if (arrays.has("point_weights")) vote.point_weights = arrays.vector("point_weights");
  if (arrays.has("rank_weights")) vote.rank_weights = arrays.vector("rank_weights");
  return vote;
}

OutlierDetector read_detector(const BundleArrays& arrays) {
  const std::string score = arrays.text("score", kLongestName);
  const auto known = outlier_score_from_name(score);
  if (!known) arrays.fail("score", fmt::format("{}, expected a score of outliers", shown(score)));
  return OutlierDetector(arrays.matrix("points"), arrays.count("k"), *known,
                         arrays.scalar("threshold"), read_distance(arrays));
}

KernelMachine read_machine(const BundleArrays& arrays) {
  const auto intercept = arrays.vector("intercept");
  if (intercept.size() != 1)
    arrays.fail("intercept", fmt::format("{} elements, expected 1", intercept.size()));
  const Matrix coefficients = arrays.matrix_or_row("coefficients");
  if (coefficients.rows() != 1)
    arrays.fail("coefficients", fmt::format("{} rows, expected 1", coefficients.rows()));
  return KernelMachine(arrays.matrix("support_vectors"), coefficients.values(), read_kernel(arrays),
                       intercept.front());
}

KernelClassifier read_classifier(const BundleArrays& arrays) {
  const std::string arrangement =
      arrays.has("arrangement") ? arrays.text("arrangement", kLongestName) : std::string();
  if (arrangement == "one_vs_rest")
    return KernelClassifier::one_vs_rest(
        arrays.matrix("support_vectors"), arrays.matrix_or_row("coefficients"),
        arrays.vector("intercept"), read_kernel(arrays), arrays.labels("labels"));
  const bool breaks_ties = arrangement == "one_vs_one_by_confidence";
  if (!arrangement.empty() && !breaks_ties)
    arrays.fail("arrangement", fmt::format("{}, expected one_vs_rest or one_vs_one_by_confidence",
                                           shown(arrangement)));
  const KernelClassifier machines(arrays.matrix("support_vectors"), arrays.counts("n_support"),
                                  arrays.matrix_or_row("coefficients"), arrays.vector("intercept"),
                                  read_kernel(arrays), arrays.labels("labels"));
  return breaks_ties ? machines.with_broken_ties() : machines;
}

/// `kind`: the place in kBundleSchemas.
Predictor read_predictor(const BundleArrays& arrays, std::size_t kind) {
  switch (kind) {
    case kPlaceOf<KernelClassifier>:
      return read_classifier(arrays);
    case kPlaceOf<KernelRegressor>:
      return KernelRegressor{read_machine(arrays), arrays.optional_scalar("target_mean")};
    case kPlaceOf<OneClassMachine>:
      return OneClassMachine{read_machine(arrays)};
    case kPlaceOf<NeighborModel>:
      return NeighborModel(arrays.matrix("points"), arrays.counts("point_classes"),
                           arrays.labels("labels"), arrays.count("k"), read_vote(arrays));
    case kPlaceOf<NeighborRegressor>:
      return NeighborRegressor(arrays.matrix("points"), arrays.vector("targets"), arrays.count("k"),
                               read_vote(arrays));
    case kPlaceOf<OutlierDetector>:
      return read_detector(arrays);
    default:
      break;
  }
  return CentroidModel(arrays.matrix("centroids"), arrays.labels("labels"), read_distance(arrays));
}

/// `input_shift` and `input_scale` belong together; the matrix needs them, the offset the matrix.
AffineMap read_preprocessing(const BundleArrays& arrays) {
  const bool has_any = arrays.has("input_shift") || arrays.has("input_scale") ||
                       arrays.has("input_matrix") || arrays.has("input_offset");
  if (!has_any) return {};
  auto shift = arrays.vector("input_shift"), scale = arrays.vector("input_scale");
  if (shift.empty()) arrays.fail("input_shift", "no elements, expected one for each column");
  if (!arrays.has("input_matrix") && !arrays.has("input_offset"))
    return AffineMap(std::move(shift), std::move(scale));
  Matrix matrix = arrays.matrix("input_matrix");
  if (matrix.rows() == 0) arrays.fail("input_matrix", "no rows, expected one for each feature");
  if (!arrays.has("input_offset"))
    return AffineMap(std::move(shift), std::move(scale), std::move(matrix));
  return AffineMap(std::move(shift), std::move(scale), std::move(matrix),
                   arrays.vector("input_offset"));
}

std::optional<TableEncoding> read_encoding(const BundleArrays& arrays, const Json& meta) {
  if (!meta.contains("columns")) return std::nullopt;
  return parse_encoding(meta["columns"],
                        [&](const std::string& problem) { arrays.fail("meta", problem); });
}

Model read_arrays(const BundleArrays& arrays) {
  const Json meta = parse_meta(arrays);
  const BundleSchema& schema = read_schema(arrays, meta);
  require_known_arrays(arrays, schema);
  std::vector<std::string> names;
  if (arrays.has("feature_names")) names = arrays.texts("feature_names");
  const auto kind = static_cast<std::size_t>(&schema - kBundleSchemas.data());
  Model model(read_predictor(arrays, kind), read_preprocessing(arrays), std::move(names),
              arrays.optional_scalar("median_distance"), read_encoding(arrays, meta));
  const auto fail = [&](const std::string& problem) { arrays.fail("meta", problem); };
  if (meta.contains("measured"))
    model = model.with_measured(parse_measured(meta["measured"], fail));
  if (meta.contains("target")) model = model.with_target(parse_target(meta["target"], fail));
  return model;
}

}  // namespace

Model read_bundle(const std::filesystem::path& path, const Limits& limits) {
  try {
    return read_arrays(BundleArrays(path, limits));
  } catch (const InvalidModel& error) {
    throw FormatError(path.string(), 0, error.what());
  }
}

}  // namespace bisector
