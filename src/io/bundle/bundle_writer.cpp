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
#include "core/models/visit.h"
#include "io/arrays/npy.h"
#include "io/arrays/zip_writer.h"
#include "io/bundle/bundle_encoding.h"
#include "io/bundle/bundle_measured.h"
#include "io/bundle/bundle_schema.h"
#include "io/bundle/bundle_target.h"
#include "io/common/limits.h"
#include "io/text/text_lines.h"

namespace bisector {

using namespace io;
using namespace detail;

namespace {

/// Collects the arrays of a bundle; refuses what the reader would refuse.
class ArrayWriter {
 public:
  explicit ArrayWriter(ZipWriter& archive) : archive_(archive) {}

  void matrix(const std::string& name, const Matrix& matrix) {
    if (matrix.values().size() >= Limits{}.max_elements)
      throw InvalidInput(
          fmt::format("{}: {} x {} is too large for a bundle, expected fewer than {} "
                      "elements",
                      name, matrix.rows(), matrix.cols(), Limits{}.max_elements));
    add(name, encode_npy(std::span(matrix.values()), {matrix.rows(), matrix.cols()}));
  }
  void vector(const std::string& name, const std::vector<double>& values) {
    add(name, encode_npy(std::span(values), {values.size()}));
  }
  void scalar(const std::string& name, double value) {
    if (!std::isfinite(value))
      throw InvalidInput(fmt::format("{} is {}, expected a finite number", name, value));
    add(name, encode_npy(std::span<const double>(&value, 1), {}));
  }
  void counts(const std::string& name, const std::vector<std::size_t>& values) {
    const std::vector<std::int64_t> integers(values.begin(), values.end());
    add(name, encode_npy(std::span(integers), {integers.size()}));
  }
  void count(const std::string& name, std::size_t value) {
    const auto integer = static_cast<std::int64_t>(value);
    add(name, encode_npy(std::span<const std::int64_t>(&integer, 1), {}));
  }
  void texts(const std::string& name, const std::vector<std::string>& values) {
    add(name, encoded_text(name, values, {values.size()}));
  }
  void text(const std::string& name, const std::string& value) {
    add(name, encoded_text(name, {value}, {}));
  }
  /// Integers where every label is one, since that is what Python's users expect of classes_.
  void labels(const std::vector<std::string>& values) {
    std::vector<std::int64_t> integers;
    for (const auto& value : values) {
      const auto integer = parse_integer<std::int64_t>(value);
      if (!integer || fmt::format("{}", *integer) != value) return texts("labels", values);
      integers.push_back(*integer);
    }
    add("labels", encode_npy(std::span<const std::int64_t>(integers), {integers.size()}));
  }

 private:
  static std::string encoded_text(const std::string& name, const std::vector<std::string>& values,
                                  std::vector<std::size_t> shape) {
    try {
      return encode_npy(std::span(values), std::move(shape));
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("{}: {}", name, error.what()));
    }
  }
  void add(const std::string& name, std::string npy) {
    archive_.add(name + ".npy", std::move(npy));
  }

  ZipWriter& archive_;
};

/// True where version 1 can hold the model.
bool is_of_version_1(const Model& model) {
  if (!model.distance().is_euclidean()) return false;
  const auto is_category = [](const ColumnEncoding& column) {
    return column.kind == ColumnEncoding::Kind::category;
  };
  if (model.encoding() && std::ranges::any_of(model.encoding()->columns(), is_category))
    return false;
  if (const Kernel* kernel = model.kernel(); kernel && !kernel->is_gaussian()) return false;
  return std::visit(
      Overloaded{[](const KernelClassifier& m) {
                   return m.arrangement() == KernelClassifier::Arrangement::one_vs_one;
                 },
                 [](const NeighborModel& m) { return m.vote() == NeighborVote{}; },
                 [](const NeighborRegressor&) { return false; },
                 [](const OutlierDetector&) { return false; }, [](const auto&) { return true; }},
      model.predictor());
}

std::string meta_text(const Model& model) {
  const auto& schema = kBundleSchemas[model.predictor().index()];
  nlohmann::ordered_json meta;
  meta["format"] = kBundleFormat;
  meta["version"] = is_of_version_1(model) ? 1 : kBundleVersion;
  meta["kind"] = schema.name;
  meta["made_by"] = fmt::format("bisector {}", kVersion);
  if (model.encoding()) meta["columns"] = encoding_json(*model.encoding());
  if (model.measured()) meta["measured"] = measured_json(*model.measured());
  if (model.target()) meta["target"] = target_json(*model.target());
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
}

void write_machine(ArrayWriter& arrays, const KernelMachine& machine) {
  arrays.matrix("support_vectors", machine.points());
  arrays.vector("coefficients", machine.coefficients());
  arrays.vector("intercept", {machine.intercept()});
  write_kernel(arrays, machine.kernel());
}

void write_predictor(ArrayWriter& arrays, const KernelClassifier& model) {
  arrays.matrix("support_vectors", model.points());
  arrays.matrix("coefficients", model.coefficients());
  arrays.vector("intercept", model.intercepts());
  write_kernel(arrays, model.kernel());
  if (model.arrangement() != KernelClassifier::Arrangement::one_vs_one)
    arrays.text("arrangement",
                model.has_machine_per_class() ? "one_vs_rest" : "one_vs_one_by_confidence");
  arrays.counts("n_support", model.points_per_class());
  arrays.labels(model.labels());
}

void write_predictor(ArrayWriter& arrays, const KernelRegressor& model) {
  write_machine(arrays, model.machine);
  if (model.target_mean) arrays.scalar("target_mean", *model.target_mean);
}

void write_predictor(ArrayWriter& arrays, const OneClassMachine& model) {
  write_machine(arrays, model.machine);
}

void write_predictor(ArrayWriter& arrays, const NeighborModel& model) {
  arrays.matrix("points", model.points());
  arrays.counts("point_classes", model.classes());
  arrays.count("k", model.k());
  write_vote(arrays, model.vote());
  arrays.labels(model.labels());
}

void write_predictor(ArrayWriter& arrays, const NeighborRegressor& model) {
  arrays.matrix("points", model.points());
  arrays.vector("targets", model.targets());
  arrays.count("k", model.k());
  write_vote(arrays, model.vote());
}

void write_predictor(ArrayWriter& arrays, const OutlierDetector& model) {
  arrays.matrix("points", model.points());
  arrays.count("k", model.k());
  arrays.text("score", std::string(name(model.score())));
  arrays.scalar("threshold", model.threshold());
}

void write_predictor(ArrayWriter& arrays, const CentroidModel& model) {
  arrays.matrix("centroids", model.centroids());
  arrays.labels(model.labels());
}

void write_preprocessing(ArrayWriter& arrays, const AffineMap& map) {
  if (map.is_identity()) return;
  arrays.vector("input_shift", map.shift());
  arrays.vector("input_scale", map.scale());
  if (map.has_matrix()) arrays.matrix("input_matrix", map.matrix());
  if (!map.offset().empty()) arrays.vector("input_offset", map.offset());
}

void write_model(ZipWriter& archive, const Model& model) {
  ArrayWriter arrays(archive);
  arrays.text("meta", meta_text(model));
  std::visit([&](const auto& predictor) { write_predictor(arrays, predictor); }, model.predictor());
  write_distance(arrays, model.distance());
  write_preprocessing(arrays, model.input());
  if (!model.feature_names().empty()) arrays.texts("feature_names", model.feature_names());
  if (model.median_distance()) arrays.scalar("median_distance", *model.median_distance());
  archive.close();
}

}  // namespace

void write_bundle(const std::filesystem::path& path, const Model& model) {
  ZipWriter archive(path);
  write_model(archive, model);
}

void write_bundle(std::ostream& out, const Model& model) {
  ZipWriter archive(out);
  write_model(archive, model);
}

}  // namespace bisector
