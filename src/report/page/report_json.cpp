#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bisector/report/page_template.h"
#include "bisector/report/report.h"
#include "bisector/version.h"
#include "report/page/packed_numbers.h"
#include "report/page/palette.h"

namespace bisector {

using namespace report;

namespace {

using Json = nlohmann::ordered_json;
using report::base64;
using report::packed_floats;
using report::packed_numbers;

Json number(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json count(std::optional<std::size_t> value) { return value ? Json(*value) : Json(nullptr); }

Json words_json(const ReportWords& words) {
  return {{"title", words.title},          {"modelFile", words.model_file},
          {"dataFile", words.data_file},   {"modelKind", words.model_kind},
          {"pointName", words.point_name}, {"preprocessing", words.preprocessing}};
}

Json parameters_json(const MethodParameters& parameters) {
  Json json = Json::object();
  for (const auto& [parameter, value] : parameters)
    std::visit([&](const auto& held) { json[parameter] = held; }, value.held());
  return json;
}

Json provenance_json(const ReportProvenance& provenance) {
  Json files = Json::array();
  for (const ReportFile& file : provenance.files)
    files.push_back({{"role", file.role}, {"name", file.name}, {"sha256", file.sha256}});
  Json facts = Json::array();
  for (const ReportFact& fact : provenance.facts) facts.push_back({fact.name, fact.text});
  return {{"date", provenance.date},
          {"command", provenance.command},
          {"files", std::move(files)},
          {"facts", std::move(facts)}};
}

Json settings_json(const ExplainSettings& settings) {
  return {{"method", settings.method},
          {"reason", settings.reason},
          {"title", method_info(settings.method).title},
          {"help", method_info(settings.method).help},
          {"parameters", parameters_json(settings.parameters)},
          {"eta", number(settings.eta)},
          {"gamma", number(settings.gamma)},
          {"beta", number(settings.beta)},
          {"medianDistance", number(settings.median_distance)},
          {"k", count(settings.k)},
          {"kappa", count(settings.kappa)},
          {"level", number(settings.level)},
          {"reference", settings.reference_name},
          {"positive", settings.positive},
          {"negative", settings.negative}};
}

Json pools_json(const std::vector<ReportPool>& pools) {
  Json json = Json::array();
  for (const ReportPool& pool : pools)
    json.push_back(
        {{"name", pool.name}, {"points", pool.points}, {"hasIntercept", pool.has_intercept}});
  return json;
}

Json columns_json(const Report& report) {
  Json json = Json::array();
  for (std::size_t c = 0; c < report.columns.size(); ++c) {
    const ReportColumn& column = report.columns[c];
    const ColumnSummary& summary = report.summary[c];
    json.push_back({{"name", column.name},
                    {"levels", column.levels},
                    {"first", column.first},
                    {"width", column.width},
                    {"oneHot", column.is_one_hot},
                    {"importance", summary.mean_absolute},
                    {"typical", summary.typical},
                    {"for", summary.mean_for},
                    {"against", summary.mean_against},
                    {"least", summary.least},
                    {"mean", summary.mean},
                    {"most", summary.most},
                    {"imputed", summary.imputed}});
    if (!column.members.empty()) json.back()["members"] = column.members;
  }
  return json;
}

/// The pairs as a matrix, and the strongest ones as positions among the features.
Json pairs_json(const Report& report) {
  constexpr std::size_t kStrongest = 20;
  if (!report.pairs) return nullptr;
  const Matrix& sizes = report.pairs->mean_absolute;
  Json names = Json::array(), matrix = Json::array();
  std::vector<Json> strongest;
  for (std::size_t a = 0; a < sizes.rows(); ++a) {
    names.push_back(report.columns[report.pairs->columns[a]].name);
    matrix.push_back(std::vector<double>(sizes.row(a).begin(), sizes.row(a).end()));
    for (std::size_t b = a + 1; b < sizes.rows(); ++b)
      strongest.push_back({{"a", a}, {"b", b}, {"mean_abs", sizes(a, b)}});
  }
  std::ranges::stable_sort(strongest, std::ranges::greater{},
                           [](const Json& pair) { return pair["mean_abs"].get<double>(); });
  strongest.resize(std::min(strongest.size(), kStrongest));
  return {{"features", std::move(names)},   {"columns", report.pairs->columns},
          {"mean_abs", std::move(matrix)},  {"strongest", std::move(strongest)},
          {"rows", report.pairs->rows},     {"exact", report.pairs->is_exact},
          {"unit", report.pairs->unit.name}};
}

Json places(const std::vector<bool>& flags) {
  Json json = Json::array();
  for (std::size_t r = 0; r < flags.size(); ++r) {
    if (flags[r]) json.push_back(r);
  }
  return json;
}

/// The shown rows for which `is` holds.
template <class Is>
Json places_of(const Explanation& explanation, const Is& is) {
  std::vector<bool> flags;
  for (std::size_t r = 0; r < explanation.output.size(); ++r) flags.push_back(is(r));
  return places(flags);
}

Json notes_json(const Report& report) {
  Json json = Json::array();
  for (const Note& note : report.notes)
    json.push_back(
        {{"kind", name(note.kind)}, {"text", sentence(note, report.settings, FrontEnd::page)}});
  return json;
}

/// For each column the positions of the shown rows whose missing value was imputed; null if the
/// model imputes nothing.
Json imputed_json(const Report& report) {
  if (report.imputed.empty()) return nullptr;
  std::vector<Json> of_column(report.columns.size(), Json::array());
  for (std::size_t r = 0; r < report.imputed.size(); ++r) {
    for (const std::size_t column : report.imputed[r]) of_column[column].push_back(r);
  }
  return of_column;
}

/// A matrix column by column, each packed into as few bytes as possible.
template <class Pack>
Json columns_of(const Matrix& values, const Pack& pack) {
  Json json = Json::array();
  std::vector<double> column(values.rows());
  for (std::size_t c = 0; c < values.cols(); ++c) {
    for (std::size_t r = 0; r < values.rows(); ++r) column[r] = values(r, c);
    json.push_back(pack(column));
  }
  return json;
}

std::vector<double> doubles(const std::vector<std::size_t>& counts) {
  return {counts.begin(), counts.end()};
}

/// Columns that are shown but not used, with their names and cells.
Json kept_json(const Report& report) {
  Json json = Json::array();
  for (std::size_t c = 0; c < report.kept.size(); ++c)
    json.push_back({{"name", report.options.kept_names[c]}, {"cells", report.kept[c]}});
  return json;
}

Json rows_json(const Report& report) {
  const Explanation& e = report.explanation;
  Json json = {
      {"total", report.total_rows},
      {"seed", report.options.seed},
      {"numbers", packed_numbers(doubles(report.row_numbers))},
      {"kept", kept_json(report)},
      {"values", columns_of(report.values, [](const auto& c) { return packed_numbers(c); })},
      {"imputed", imputed_json(report)},
      {"imputedRows", report.imputed_rows},
      {"relevance", columns_of(e.relevance, [](const auto& c) { return packed_floats(c); })},
      {"decision", packed_floats(e.decision)},
      {"base", packed_floats(e.base)},
      {"remainder", packed_floats(e.remainder)},
      {"output", packed_floats(e.output)},
      {"ties", places(e.tie)},
      {"outside", places(e.outside)},
      {"stretched", places_of(e, [&](std::size_t r) { return is_stretched(e.stretch[r]); })},
      {"unexplained", places_of(e, [&](std::size_t r) { return is_unexplained(e, r); })},
      {"truth", report.quality ? packed_numbers(report.truth) : Json(nullptr)}};
  json["standardError"] =
      e.standard_error.rows() > 0
          ? columns_of(e.standard_error, [](const auto& c) { return packed_floats(c); })
          : Json(nullptr);
  if (report.is_regressor) {
    json["value"] = packed_floats(e.value);
  } else {
    json["prediction"] = packed_numbers(doubles(e.prediction));
    json["positive"] = packed_numbers(doubles(e.positive));
    json["negative"] = packed_numbers(doubles(e.negative));
  }
  return json;
}

Json quality_json(const std::optional<Score>& quality) {
  if (!quality) return nullptr;
  const NumberScore numbers = quality->numbers.value_or(NumberScore{});
  const ClassScore classes = quality->classes.value_or(ClassScore{});
  const bool has_classes = quality->classes.has_value();
  return {{"rows", quality->rows},
          {"confusion", has_classes ? Json(classes.confusion) : Json::array()},
          {"balancedAccuracy", has_classes ? number(classes.balanced_accuracy) : Json(nullptr)},
          {"meanAbsoluteError", number(numbers.mean_absolute_error)},
          {"rootMeanSquaredError", number(numbers.root_mean_squared_error)},
          {"rSquared", number(numbers.r_squared)}};
}

/// Positions in the table of points (null: the intercept) and weights.
Json side_json(const Report& report, const std::vector<WeightedMember>& side) {
  const auto& points = report.evidence_points;
  Json json = Json::array();
  for (const WeightedMember& point : side) {
    const Json place = point.member
                           ? Json(std::ranges::lower_bound(points, *point.member) - points.begin())
                           : Json(nullptr);
    // Six digits are enough for a share.
    json.push_back({place, std::round(1e6 * point.weight) / 1e6});
  }
  return json;
}

/// Relative rounding of the inverted preprocessing.
constexpr double kRounding = 1e-9;

Json evidence_json(const Report& report) {
  Json rows = Json::array();
  for (const DecidingPoints& points : report.evidence)
    rows.push_back({side_json(report, points.positive), side_json(report, points.negative)});
  const bool are_rows = !report.evidence_rows.empty();
  std::vector<std::size_t> numbers = are_rows ? report.evidence_rows : report.evidence_points;
  for (std::size_t& point : numbers) point += are_rows ? 0 : 1;
  return {{"rows", std::move(rows)},
          {"points", numbers},
          {"areRows", are_rows},
          {"areVotes", report.has_votes},
          {"values", columns_of(report.evidence_values,
                                [](const auto& c) { return packed_numbers(c, kRounding); })}};
}

Json pixel_flipping_json(const std::optional<PixelFlippingReport>& flipping) {
  if (!flipping) return nullptr;
  Json curves = Json::array();
  for (const MethodCurve& curve : flipping->curves)
    curves.push_back({{"method", curve.method},
                      {"aufc", curve.aufc},
                      {"standardError", number(curve.standard_error)},
                      {"removed", curve.removed},
                      {"mean", curve.mean}});
  return {{"rows", flipping->rows}, {"samples", flipping->samples}, {"curves", std::move(curves)}};
}

Json palette_json() {
  using namespace report;
  return {{"diverging", kDiverging},
          {"divergingDark", kDivergingDark},
          {"sequential", kSequential},
          {"sequentialDark", kSequentialDark},
          {"for", kFor},
          {"forDark", kForDark},
          {"against", kAgainst},
          {"againstDark", kAgainstDark},
          {"lines", kLines}};
}

Json report_object(const Report& report) {
  Json json = {
      {"version", kVersion},
      {"words", words_json(report.options.words)},
      {"provenance", provenance_json(report.options.provenance)},
      {"settings", settings_json(report.settings)},
      {"unit",
       {{"kind", name(report.settings.unit)},
        {"name", report.unit.name},
        {"output", report.unit.output}}},
      {"hasBackground", report.has_background},
      {"pools", pools_json(report.options.pools)},
      {"labels", report.labels},
      {"isRegressor", report.is_regressor},
      {"modelPoints", report.model_points},
      {"columns", columns_json(report)},
      {"order", report.by_importance},
      {"interactions", pairs_json(report)},
      {"rows", rows_json(report)},
      {"notes", notes_json(report)},
      {"evidence", evidence_json(report)},
      {"model", report.packed_model.empty() ? Json(nullptr) : Json(base64(report.packed_model))},
      {"whyNoModel", report.why_no_model},
      {"pixelFlipping", pixel_flipping_json(report.pixel_flipping)},
      {"palette", palette_json()}};
  json["targetName"] = report.options.target_name;
  json["quality"] = quality_json(report.quality);
  json["ownPoints"] = report.own_points;
  json["isSeries"] = report.options.is_series;
  json["network"] = report.options.network ? Json(report.options.network->network) : Json(nullptr);
  json["isOneClass"] = report.is_one_class;
  if (report.options.image)
    json["image"] = {report.options.image->height, report.options.image->width};
  else
    json["image"] = nullptr;
  json["against"] = report.against ? report_object(*report.against) : Json(nullptr);
  return json;
}

}  // namespace

std::string report_json(const Report& report) {
  return json_for_script(
      report_object(report).dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace bisector
