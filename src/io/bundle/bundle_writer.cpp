#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bisector/error.h"
#include "bisector/io/model_file.h"
#include "bisector/version.h"
#include "io/arrays/npy.h"
#include "io/arrays/zip_writer.h"
#include "io/bundle/bundle_meta.h"
#include "io/bundle/bundle_schema.h"
#include "io/common/limits.h"
#include "io/text/text_lines.h"

namespace bisector {

using namespace io;
using namespace detail;

namespace {

/// Writes arrays into an archive. Refuses what the reader would refuse.
class ArrayWriter {
 public:
  explicit ArrayWriter(ZipWriter& archive) : archive_(archive) {}

  void matrix(std::string_view name, const Matrix& matrix) {
    if (matrix.values().size() >= Limits{}.max_elements)
      throw InvalidInput(
          fmt::format("{}: {} x {} is too large for a bundle, expected fewer than {} "
                      "elements",
                      name, matrix.rows(), matrix.cols(), Limits{}.max_elements));
    add(name, encode_npy(std::span(matrix.values()), {matrix.rows(), matrix.cols()}));
  }
  void vector(std::string_view name, const std::vector<double>& values) {
    add(name, encode_npy(std::span(values), {values.size()}));
  }
  void scalar(std::string_view name, double value) {
    if (!std::isfinite(value))
      throw InvalidInput(fmt::format("{} is {}, expected a finite number", name, value));
    add(name, encode_npy(std::span<const double>(&value, 1), {}));
  }
  void counts(std::string_view name, const std::vector<std::size_t>& values) {
    const std::vector<std::int64_t> integers(values.begin(), values.end());
    add(name, encode_npy(std::span(integers), {integers.size()}));
  }
  void count(std::string_view name, std::size_t value) {
    const auto integer = static_cast<std::int64_t>(value);
    add(name, encode_npy(std::span<const std::int64_t>(&integer, 1), {}));
  }
  void texts(std::string_view name, const std::vector<std::string>& values) {
    add(name, encoded_text(name, values, {values.size()}));
  }
  void text(std::string_view name, const std::string& value) {
    add(name, encoded_text(name, {value}, {}));
  }
  /// Integers if every label is one, as scikit-learn's classes_ are.
  void labels(std::string_view name, const std::vector<std::string>& values) {
    std::vector<std::int64_t> integers;
    for (const auto& value : values) {
      const auto integer = parse_integer<std::int64_t>(value);
      if (!integer || fmt::format("{}", *integer) != value) return texts(name, values);
      integers.push_back(*integer);
    }
    add(name, encode_npy(std::span<const std::int64_t>(integers), {integers.size()}));
  }

 private:
  static std::string encoded_text(std::string_view name, const std::vector<std::string>& values,
                                  std::vector<std::size_t> shape) {
    try {
      return encode_npy(std::span(values), std::move(shape));
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("{}: {}", name, error.what()));
    }
  }
  void add(std::string_view name, std::string npy) {
    archive_.add(fmt::format("{}.npy", name), std::move(npy));
  }

  ZipWriter& archive_;
};

std::string meta_text(const Model& model, const BundleExtras& extras) {
  nlohmann::ordered_json meta;
  meta["format"] = kBundleFormat;
  meta["version"] = kBundleVersion;
  meta["kind"] = model.kind();
  meta["made_by"] = fmt::format("bisector {}", kVersion);
  if (model.encoding()) meta["columns"] = encoding_json(*model.encoding());
  if (model.measured()) meta["measured"] = measured_json(*model.measured());
  if (model.target()) meta["target"] = target_json(*model.target());
  if (!model.unit_scales().empty()) meta["unit_scales"] = unit_scales_json(model.unit_scales());
  if (model.background()) meta["background"] = background_json(*model.background());
  if (model.auto_check()) meta["auto"] = auto_check_json(*model.auto_check());
  if (extras.probabilities) meta["probabilities"] = probabilities_json(*extras.probabilities);
  if (extras.training) meta["training"] = training_json(*extras.training);
  try {
    std::string text = meta.dump(-1, ' ', true);
    if (text.size() <= Limits{}.max_metadata_bytes) return text;
    throw InvalidInput(fmt::format("meta: {} characters of columns and levels, expected at most {}",
                                   text.size(), Limits{}.max_metadata_bytes));
  } catch (const nlohmann::json::exception&) {
    throw InvalidInput("meta: a column or level is not UTF-8 text");
  }
}

void write_kernel(ArrayWriter& arrays, const Kernel& kernel) {
  arrays.scalar("gamma", kernel.terms()[0].gamma);
  if (kernel.is_gaussian()) return;
  std::vector<std::string> forms;
  std::vector<double> gammas, shapes, weights, offsets;
  for (const KernelTerm& term : kernel.terms()) {
    forms.emplace_back(name(term.form));
    gammas.push_back(term.gamma);
    shapes.push_back(term.shape);
    weights.push_back(term.weight);
    offsets.push_back(term.offset);
  }
  arrays.texts("kernel_form", forms);
  arrays.vector("kernel_gamma", gammas);
  arrays.vector("kernel_shape", shapes);
  arrays.vector("kernel_weight", weights);
  arrays.vector("kernel_offset", offsets);
}

void write_distance(ArrayWriter& arrays, const Distance& distance) {
  if (distance.is_euclidean()) return;
  if (distance.is_cosine()) return arrays.text("distance", "cosine");
  arrays.scalar("distance_power", distance.power());
  if (!distance.categories().empty()) arrays.vector("categories", distance.categories());
}

void write_vote(ArrayWriter& arrays, const NeighborVote& vote) {
  if (vote.weights != NeighborVote::Weights::uniform)
    arrays.text("vote_weights", std::string(name(vote.weights)));
  const auto& [offset, power, rate] = vote.decay;
  if (vote.has_decay()) arrays.vector("vote_decay", {offset, power, rate});
  if (vote.radius) arrays.scalar("radius", *vote.radius);
  if (!vote.point_weights.empty()) arrays.vector("point_weights", vote.point_weights);
  if (!vote.rank_weights.empty()) arrays.vector("rank_weights", vote.rank_weights);
  if (vote.outlier_class) arrays.count("outlier_class", *vote.outlier_class);
}

/// Writes fields: one overload for each type of field. The distance is written by write_model.
class FieldWriter {
 public:
  explicit FieldWriter(ArrayWriter& arrays) : arrays_(arrays) {}

  void operator()(const Field& field, const SharedMatrix& value) const {
    if (value.file() == nullptr)
      arrays_.matrix(field.name, *value);
    else
      arrays_.text(kPointsFile, std::filesystem::path(value.file()->path()).filename().string());
  }
  void operator()(const Field& field, const Matrix& value) const {
    arrays_.matrix(field.name, value);
  }
  void operator()(const Field& field, const std::vector<double>& value) const {
    arrays_.vector(field.name, value);
  }
  void operator()(const Field& field, const std::vector<std::size_t>& value) const {
    arrays_.counts(field.name, value);
  }
  void operator()(const Field& field, const std::vector<std::string>& value) const {
    arrays_.labels(field.name, value);
  }
  void operator()(const Field& field, double value) const {
    if (field.layout == Field::Layout::list_of_one)
      arrays_.vector(field.name, {value});
    else
      arrays_.scalar(field.name, value);
  }
  void operator()(const Field& field, std::size_t value) const { arrays_.count(field.name, value); }
  void operator()(const Field& field, std::optional<double> value) const {
    if (value) arrays_.scalar(field.name, *value);
  }
  template <class E>
  requires std::is_enum_v<E>
  void operator()(const Field& field, E value) const {
    if (!field.is_optional || value != E{}) arrays_.text(field.name, std::string(name(value)));
  }
  void operator()(const Field&, const Distance&) const {}
  void operator()(const Field&, const Kernel& value) const { write_kernel(arrays_, value); }
  void operator()(const Field&, const NeighborVote& value) const { write_vote(arrays_, value); }

 private:
  ArrayWriter& arrays_;
};

void write_preprocessing(ArrayWriter& arrays, const AffineMap& map) {
  if (map.is_identity()) return;
  arrays.vector("input_shift", map.shift());
  arrays.vector("input_scale", map.scale());
  if (map.has_matrix()) arrays.matrix("input_matrix", map.matrix());
  if (!map.offset().empty()) arrays.vector("input_offset", map.offset());
}

void write_model(ZipWriter& archive, const Model& model, const BundleExtras& extras) {
  ArrayWriter arrays(archive);
  arrays.text("meta", meta_text(model, extras));
  std::visit([&](const auto& predictor) { for_each_field(predictor, FieldWriter(arrays)); },
             model.predictor());
  write_distance(arrays, model.distance());
  write_preprocessing(arrays, model.input());
  if (!model.feature_names().empty()) arrays.texts("feature_names", model.feature_names());
  if (model.median_distance()) arrays.scalar("median_distance", *model.median_distance());
  if (!model.training_rows().empty()) arrays.counts("training_rows", model.training_rows());
  if (const auto& background = model.background()) {
    arrays.matrix("background", *background->rows);
    arrays.vector("background_mean", background->mean);
  }
  archive.close();
}

/// A bundle names only the file of its points, and finds it in its own folder.
void require_points_beside(const std::filesystem::path& path, const Model& model) {
  const FileRows* rows = model.shared_points().file();
  if (rows == nullptr) return;
  const auto folder_of = [](const std::filesystem::path& file) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file)).parent_path();
  };
  if (folder_of(rows->path()) != folder_of(path))
    throw InvalidInput(
        fmt::format("{}: the model's rows are in the file {}, expected both in one folder: save "
                    "the model there",
                    path.string(), rows->path()));
}

}  // namespace

void write_bundle(const std::filesystem::path& path, const Model& model) {
  require_points_beside(path, model);
  ZipWriter archive(path);
  write_model(archive, model, {});
}

void write_bundle(std::ostream& out, const Model& model) {
  write_bundle(out, model, BundleExtras{});
}

void write_bundle(std::ostream& out, const Model& model, const BundleExtras& extras) {
  ZipWriter archive(out);
  write_model(archive, model, extras);
}

}  // namespace bisector
