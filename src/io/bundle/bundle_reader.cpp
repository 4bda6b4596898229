#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "bisector/error.h"
#include "bisector/io/model_file.h"
#include "bisector/io/rows_file.h"
#include "io/bundle/bundle_arrays.h"
#include "io/bundle/bundle_meta.h"
#include "io/bundle/bundle_schema.h"
#include "io/common/limits.h"
#include "io/text/cells.h"

namespace bisector {

using namespace io;
using namespace detail;

namespace {

using Json = nlohmann::json;

/// The member of `meta` with this name; null if there is none.
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
  // Copying and printing JSON recurse, so the depth has a limit.
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
  if (version < kBundleVersion)
    throw FormatError(arrays.source(), 0,
                      fmt::format("made by an older version of bisector (format {}, expected {}): "
                                  "make it again, with bisector train or save() in Python",
                                  text_of(version), kBundleVersion));
  if (version > kBundleVersion)
    arrays.fail("meta", fmt::format("version is {}, expected {}: a newer bisector made this bundle",
                                    text_of(version), kBundleVersion));
}

void require_known_arrays(const BundleArrays& arrays, std::string_view kind,
                          const std::vector<std::string_view>& own) {
  for (const auto& name : arrays.names()) {
    const bool is_known = name == "meta" || std::ranges::find(own, name) != own.end() ||
                          std::ranges::find(kCommonArrays, name) != std::end(kCommonArrays);
    if (!is_known)
      throw FormatError(
          arrays.source(), 0,
          fmt::format("array {} is not one that a model of kind {} has", shown(name), kind));
  }
}

/// The value of an enum by its name.
template <class E>
E read_enum(const BundleArrays& arrays, std::string_view array) {
  constexpr std::size_t kLongestName = 64;
  const std::string text = arrays.text(array, kLongestName);
  const auto value = enum_from_name<E>(text);
  if (!value) arrays.fail(array, fmt::format("{}, expected {}", shown(text), enum_choices<E>()));
  return *value;
}

Distance read_distance(const BundleArrays& arrays) {
  if (arrays.has("distance")) {
    const std::string distance = arrays.text("distance", 64);
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
    const auto form = enum_from_name<KernelForm>(forms[t]);
    if (!form)
      arrays.fail("kernel_form",
                  fmt::format("{}, expected {}", shown(forms[t]), enum_choices<KernelForm>()));
    terms.push_back({*form, gammas[t], shapes[t], weights[t], offsets[t]});
  }
  return Kernel(std::move(terms), read_distance(arrays));
}

NeighborVote read_vote(const BundleArrays& arrays) {
  NeighborVote vote;
  vote.distance = read_distance(arrays);
  if (arrays.has("vote_weights"))
    vote.weights = read_enum<NeighborVote::Weights>(arrays, "vote_weights");
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
  if (arrays.has("outlier_class")) vote.outlier_class = arrays.count("outlier_class");
  return vote;
}

/// The rows of a file in the bundle's own folder: a bundle cannot name files elsewhere.
SharedMatrix read_points_file(const BundleArrays& arrays) {
  constexpr std::size_t kLongestName = 255;
  if (arrays.has(kPoints)) arrays.fail(kPointsFile, "beside points, expected one of them");
  const std::string name = arrays.text(kPointsFile, kLongestName);
  const bool is_name = !name.empty() && name != "." && name != ".." &&
                       name.find_first_of("/\\:") == std::string::npos;
  if (!is_name)
    arrays.fail(kPointsFile,
                fmt::format("{}, expected the name of a file in the bundle's folder", shown(name)));
  return rows_in_file(std::filesystem::path(arrays.source()).replace_filename(name));
}

/// Reads fields: one overload for each type of field.
class FieldReader {
 public:
  explicit FieldReader(const BundleArrays& arrays) : arrays_(arrays) {}

  void operator()(const Field& field, SharedMatrix& value) const {
    if (field.name == kPoints && arrays_.has(kPointsFile))
      value = read_points_file(arrays_);
    else
      value = arrays_.matrix(field.name);
  }
  void operator()(const Field& field, Matrix& value) const {
    value = arrays_.matrix_or_row(field.name);
  }
  void operator()(const Field& field, std::vector<double>& value) const {
    if (field.layout != Field::Layout::one_row) {
      value = arrays_.vector(field.name);
      return;
    }
    const Matrix matrix = arrays_.matrix_or_row(field.name);
    if (matrix.rows() != 1)
      arrays_.fail(field.name, fmt::format("{} rows, expected 1", matrix.rows()));
    value = matrix.values();
  }
  void operator()(const Field& field, std::vector<std::size_t>& value) const {
    value = arrays_.counts(field.name);
  }
  void operator()(const Field& field, std::vector<std::string>& value) const {
    value = arrays_.labels(field.name);
  }
  void operator()(const Field& field, double& value) const {
    if (field.layout != Field::Layout::list_of_one) {
      value = arrays_.scalar(field.name);
      return;
    }
    const std::vector<double> list = arrays_.vector(field.name);
    if (list.size() != 1)
      arrays_.fail(field.name, fmt::format("{} elements, expected 1", list.size()));
    value = list.front();
  }
  void operator()(const Field& field, std::size_t& value) const {
    value = arrays_.count(field.name);
  }
  void operator()(const Field& field, std::optional<double>& value) const {
    value = arrays_.optional_scalar(field.name);
  }
  template <class E>
  requires std::is_enum_v<E>
  void operator()(const Field& field, E& value) const {
    if (!field.is_optional || arrays_.has(field.name)) value = read_enum<E>(arrays_, field.name);
  }
  void operator()(const Field&, Distance& value) const { value = read_distance(arrays_); }
  void operator()(const Field&, Kernel& value) const { value = read_kernel(arrays_); }
  void operator()(const Field&, NeighborVote& value) const { value = read_vote(arrays_); }

 private:
  const BundleArrays& arrays_;
};

Predictor read_predictor(const BundleArrays& arrays, const Json& meta) {
  require_version(arrays, meta);
  const Json kind = member(meta, "kind");
  std::optional<Predictor> predictor;
  std::vector<std::string_view> kinds;
  for_each_kind([&]<class M>(std::type_identity<M>) {
    kinds.push_back(M::kKind);
    if (kind != M::kKind) return;
    require_known_arrays(arrays, M::kKind, arrays_of_kind<M>());
    predictor = model_from_fields<M>(FieldReader(arrays));
  });
  if (!predictor)
    arrays.fail("meta", fmt::format("kind is {}, expected {} or {}", text_of(kind),
                                    fmt::join(kinds.begin(), kinds.end() - 1, ", "), kinds.back()));
  return *std::move(predictor);
}

/// A matrix needs `input_shift` and `input_scale`; an offset needs a matrix.
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

/// Probabilities are not part of the model, but a file with wrong ones is refused.
void check_probabilities(const Model& model, const Json& value,
                         const std::function<void(const std::string&)>& fail) {
  const auto* classifier = std::get_if<KernelClassifier>(&model.predictor());
  if (classifier == nullptr ||
      classifier->arrangement() != KernelClassifier::Arrangement::one_vs_one)
    fail("probabilities of a model that is not a kernel classifier with a machine per pair");
  parse_probabilities(value, model.labels().size(), fail);
}

std::optional<Background> read_background(const BundleArrays& arrays, const Json& meta) {
  if (!arrays.has("background")) {
    if (arrays.has("background_mean")) arrays.fail("background_mean", "without a background");
    return std::nullopt;
  }
  Background background =
      parse_background(member(meta, "background"),
                       [&](const std::string& problem) { arrays.fail("meta", problem); });
  background.rows = arrays.matrix("background");
  background.mean = arrays.vector("background_mean");
  return background;
}

Model read_arrays(const BundleArrays& arrays) {
  const Json meta = parse_meta(arrays);
  Predictor predictor = read_predictor(arrays, meta);
  std::vector<std::string> names;
  if (arrays.has("feature_names")) names = arrays.texts("feature_names");
  Model model(std::move(predictor), read_preprocessing(arrays), std::move(names),
              arrays.optional_scalar("median_distance"), read_encoding(arrays, meta));
  if (arrays.has("training_rows")) model = model.with_training_rows(arrays.counts("training_rows"));
  const auto fail = [&](const std::string& problem) { arrays.fail("meta", problem); };
  if (meta.contains("measured"))
    model = model.with_measured(parse_measured(meta["measured"], fail));
  if (meta.contains("target")) model = model.with_target(parse_target(meta["target"], fail));
  model = model.with_background(read_background(arrays, meta));
  if (meta.contains("auto")) model = model.with_auto_check(parse_auto_check(meta["auto"], fail));
  if (meta.contains("unit_scales"))
    model = model.with_unit_scales(parse_unit_scales(meta["unit_scales"], fail));
  if (meta.contains("probabilities")) check_probabilities(model, meta["probabilities"], fail);
  if (meta.contains("training")) parse_training(meta["training"], fail);
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

namespace io {

BundleExtras read_extras(const std::filesystem::path& path, const Limits& limits) {
  const BundleArrays arrays(path, limits);
  const Json meta = parse_meta(arrays);
  const auto fail = [&](const std::string& problem) { arrays.fail("meta", problem); };
  BundleExtras extras;
  if (meta.contains("probabilities"))
    extras.probabilities =
        parse_probabilities(meta["probabilities"], arrays.labels("labels").size(), fail);
  if (meta.contains("training")) extras.training = parse_training(meta["training"], fail);
  return extras;
}

}  // namespace io

}  // namespace bisector
