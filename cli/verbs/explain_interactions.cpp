// bisector explain --interactions: pairs of features that act together.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>

#include "bisector/error.h"
#include "bisector/report/report.h"
#include "cli/verb.h"
#include "cli/verbs/explain.h"
#include "cli/writers/json_text.h"
#include "cli/writers/placement.h"
#include "cli/writers/row_text.h"

namespace bisector::cli {
namespace {

constexpr std::size_t kShownPairs = 10;
constexpr std::size_t kMostFeatures = 2048;  // means and NPY hold all pairs

/// Text unless a file or a format is given.
std::optional<TableFormat> pair_format(const ExplainArguments& arguments) {
  const bool is_for_people = arguments.text || (arguments.output.empty() && !arguments.format);
  if (is_for_people) return std::nullopt;
  return table_format(arguments.output, arguments.format);
}

/// Sums over the rows, for the means of all pairs.
class PairMeans {
 public:
  explicit PairMeans(std::size_t features)
      : sums_(features, features), sizes_(features, features) {}

  void add(const Matrix& interactions) {
    ++rows_;
    for (std::size_t d = 0; d < sums_.rows(); ++d) {
      for (std::size_t e = 0; e < d; ++e) {
        const double index = 2.0 * interactions(d, e);  // both entries of the pair
        sums_(d, e) += index;
        sizes_(d, e) += std::abs(index);
      }
    }
  }

  struct Mean {
    std::size_t first = 0, second = 0;
    double size = 0.0, value = 0.0;  // the mean absolute interaction, and the mean interaction
  };
  /// The pairs of the largest mean size, largest first.
  std::vector<Mean> strongest(std::size_t count) const {
    const double share = 1.0 / static_cast<double>(std::max<std::size_t>(rows_, 1));
    std::vector<Mean> pairs;
    for (std::size_t d = 0; d < sums_.rows(); ++d) {
      for (std::size_t e = 0; e < d; ++e)
        pairs.push_back({e, d, sizes_(d, e) * share, sums_(d, e) * share});
    }
    const auto middle = pairs.begin() + static_cast<std::ptrdiff_t>(std::min(count, pairs.size()));
    std::partial_sort(pairs.begin(), middle, pairs.end(), [](const Mean& a, const Mean& b) {
      return a.size != b.size ? a.size > b.size
                              : std::pair(a.first, a.second) < std::pair(b.first, b.second);
    });
    pairs.erase(middle, pairs.end());
    return pairs;
  }
  std::size_t rows() const { return rows_; }

 private:
  Matrix sums_, sizes_;
  std::size_t rows_ = 0;
};

Json means_json(const PairMeans& means, std::size_t top, const std::vector<std::string>& names) {
  Json list = Json::array();
  for (const PairMeans::Mean& mean : means.strongest(top))
    list.push_back({{"first", names[mean.first]},
                    {"second", names[mean.second]},
                    {"mean_size", mean.size},
                    {"mean", mean.value}});
  return list;
}

void write_text(const ExplainArguments& arguments, const RowExplainer& explainer,
                const PairMeans& means, const std::string& unit, std::ostream& out) {
  const std::vector<std::string>& names = explainer.features();
  PairTable table;
  table.unit = unit;
  table.in_color = arguments.output.empty() && wants_color();
  for (const PairMeans::Mean& mean : means.strongest(arguments.top.value_or(kShownPairs))) {
    table.names.push_back(names[mean.first] + " × " + names[mean.second]);
    table.sizes.push_back(mean.size);
    table.means.push_back(mean.value);
  }
  table.others = names.size() * (names.size() - 1) / 2 - table.names.size();
  table.is_one_row = arguments.row.has_value();
  if (table.is_one_row)
    table.title = fmt::format("Pairs that act together in row {}", *arguments.row);
  else
    table.title = fmt::format("Pairs that act together over {} row{}", means.rows(),
                              means.rows() == 1 ? "" : "s");
  write_pairs_text(out, table);
}

/// The pairs of the rows of a chunk: the strongest ones, or all for a matrix.
class PairFinder {
 public:
  PairFinder(const RowExplainer& explainer, std::optional<TableFormat> format, std::size_t top)
      : names_(explainer.names()),
        interactions_(explainer.interactions()),
        format_(format),
        top_(top) {
    const bool has_means = !format || *format == TableFormat::json;
    const std::size_t features = interactions_.players();
    if ((has_means || is_matrix()) && features > kMostFeatures)
      throw InvalidInput(
          fmt::format("the means of all pairs of {} features need too much memory; "
                      "use --format csv or --groups",
                      features));
    if (has_means) means_.emplace(features);
  }

  const InteractionExplainer& interactions() const { return interactions_; }
  const std::optional<PairMeans>& means() const { return means_; }
  /// Rows between two updates of the progress; matrices of few rows are held at a time.
  std::size_t chunk_rows() const {
    constexpr std::size_t kRows = 64, kNumbers = std::size_t{1} << 22;
    const std::size_t players = interactions_.players();
    return is_matrix() ? std::clamp<std::size_t>(kNumbers / (players * players), 1, kRows) : kRows;
  }

  Table table(const ModelChunk& chunk, const Explanation& explanation) {
    PairRows found{.outside = explanation.outside, .tie = explanation.tie};
    std::vector<double> all;
    for (std::size_t r = 0; r < chunk.numbers.size(); ++r) {
      const auto row = chunk.rows.row(r);
      if (means_ || is_matrix()) {
        const Matrix pairs = interactions_(row);
        if (means_) means_->add(pairs);
        if (is_matrix()) all.insert(all.end(), pairs.values().begin(), pairs.values().end());
      }
      if (!format_ || is_matrix()) continue;
      found.pairs.push_back(interactions_.strongest(row, top_));
      if (names_.labels == nullptr) continue;
      const Model::ClassPair pair = interactions_.pair_at(row);
      found.positive.push_back(pair.positive);
      found.negative.push_back(pair.negative);
    }
    if (!is_matrix()) return pair_table(std::move(found), names_, chunk);
    const std::size_t players = interactions_.players(), lines = chunk.numbers.size() * players;
    return all_pairs_table(Matrix(lines, players, std::move(all)), names_);
  }

 private:
  bool is_matrix() const { return format_ == TableFormat::npy; }

  ResultNames names_;
  InteractionExplainer interactions_;
  std::optional<TableFormat> format_;  // empty: text
  std::size_t top_;
  std::optional<PairMeans> means_;
};

}  // namespace

InteractionExplainer RowExplainer::interactions() const {
  return InteractionExplainer(model_, options_, interactions_of(explainer_.method()));
}

ExplainSettings RowExplainer::interaction_settings() const {
  ExplainSettings settings;  // pairs have no base value
  settings.note = note_on_sums(model_, explainer_.method());
  return settings;
}

void require_interactions(const ExplainArguments& arguments) {
  if (arguments.evidence || arguments.details || arguments.all_classes ||
      arguments.rule.for_predicted)
    throw UsageError(
        "--interactions writes pairs of features; leave out --evidence, --details, --all-classes "
        "and --class predicted");
  if (arguments.rule.options.unit != Unit::decision)
    throw UsageError("--interactions has its own unit; leave out --unit");
  const std::string& method = arguments.rule.method.name;
  if (!method.empty() && method != Auto::kName && method != ExactShapley::kName)
    throw UsageError(
        "--interactions belong to shapley-exact; leave out --method, or use --method "
        "shapley-exact");
  if (pair_format(arguments) == TableFormat::npy && arguments.top)
    throw UsageError("NPY holds all pairs; leave out --top, or use --format json");
}

void explain_interactions(const ExplainArguments& arguments, const RowExplainer& explainer,
                          RowSource& rows, tools::Output& output, NoteCounts& counts) {
  const std::optional<TableFormat> format = pair_format(arguments);
  const std::size_t top = arguments.top.value_or(kShownPairs);
  PairFinder finder(explainer, format, top);
  const bool is_exact = finder.interactions().is_exact();
  std::unique_ptr<TableSink> sink;
  if (format)
    sink = make_sink(*format, output,
                     {rows.kept_names(),
                      finder.table({}, {}),
                      {{"model", model_json(explainer.model())},
                       {"interactions",
                        {{"method", is_exact ? "shapley" : "integrated-hessians"},
                         {"unit", is_exact ? "decision" : "g"}}},
                       {"features", explainer.features()}}});
  for_each_wanted_chunk(
      rows, arguments.row, arguments.input.chunk.value_or(finder.chunk_rows()),
      explanation_progress(arguments), [&](std::size_t before, const ModelChunk& chunk) {
        const Explanation e = explainer.explainer()(chunk.rows.view(), before);
        // The values may be those of another method: how well they add up says nothing about the
        // pairs.
        for (std::size_t r = 0; r < e.outside.size(); ++r)
          counts.add_row({.is_tie = e.tie[r], .is_outside = e.outside[r], .is_alike = e.alike[r]});
        const Table table = finder.table(chunk, e);
        if (sink) sink->write(table, chunk);
        output.check();
      });
  const auto& means = finder.means();
  if (!sink)
    write_text(arguments, explainer, *means,
               unit_of(explainer.model(), is_exact ? Unit::decision : Unit::g).output,
               output.stream());
  else
    sink->finish(
        sentences(counts, explainer.interaction_settings(), FrontEnd::command),
        means ? Json{{"pairs", means_json(*means, top, explainer.features())}} : Json::object());
}

}  // namespace bisector::cli
