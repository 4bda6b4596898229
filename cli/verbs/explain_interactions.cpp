// bisector explain --interactions: pairs of features that act together.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>

#include "bisector/error.h"
#include "bisector/report/report.h"
#include "cli/verb.h"
#include "cli/verbs/explain.h"
#include "cli/writers/json_rows.h"
#include "cli/writers/json_text.h"
#include "cli/writers/npy_writer.h"
#include "cli/writers/number.h"
#include "cli/writers/row_places.h"
#include "cli/writers/row_text.h"

namespace bisector::cli {
namespace {

constexpr std::size_t kShownPairs = 10;
constexpr std::size_t kMostFeatures = 2048;  // means and NPY hold all pairs
constexpr std::size_t kRowsAtATime = 64;     // between two updates of the progress

/// Text unless a file or a format is given.
std::optional<TableFormat> format_of(const ExplainArguments& arguments) {
  const bool is_for_people = arguments.text || (arguments.output.empty() && !arguments.format);
  if (is_for_people) return std::nullopt;
  return table_format(arguments.output, arguments.format,
                      {TableFormat::csv, TableFormat::npy, TableFormat::json, TableFormat::jsonl});
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

/// Writes rows and means in one of the formats.
class InteractionWriter {
 public:
  InteractionWriter(const ExplainArguments& arguments, const RowExplainer& explainer,
                    const RowSource& rows, tools::Output& output)
      : explainer_(explainer),
        interactions_(explainer.interactions()),
        kept_(rows.kept_names()),
        labels_(shown_labels(explainer.model())),
        values_(explainer.values()),
        out_(output.stream()),
        format_(format_of(arguments)),
        is_one_row_(arguments.row.has_value()),
        top_(arguments.top.value_or(kShownPairs)),
        in_color_(arguments.output.empty() && wants_color()),
        json_(format_.value_or(TableFormat::json)) {
    const bool holds_all =
        !format_ || *format_ == TableFormat::json || *format_ == TableFormat::npy;
    const std::size_t features = interactions_.players();
    if (holds_all && features > kMostFeatures)
      throw InvalidInput(
          fmt::format("the means of all pairs of {} features need too much memory; "
                      "use --format csv or --groups",
                      features));
    if (holds_all) means_.emplace(features);
    if (format_ == TableFormat::npy) npy_.emplace(out_, features, output.can_go_back(), features);
    begin();
  }

  void write(const ModelChunk& chunk) {
    for_each_place(
        chunk, chunk.rows.rows(), [&](std::size_t r) { write_row(chunk, r); },
        [&](const UnusableRow& row) { mark(row); });
  }

  void finish(const std::vector<std::string>& notes) {
    if (npy_) npy_->finish();
    if (!format_) write_text();
    if (format_ == TableFormat::jsonl) out_ << json_.end();
    if (format_ == TableFormat::json)
      out_ << "\n],\n\"pairs\": " << json_text(means()) << ",\n\"notes\": " << json_text(notes)
           << "}\n";
  }

 private:
  const std::string& name(std::size_t feature) const { return explainer_.features()[feature]; }

  void begin() {
    if (format_ == TableFormat::csv) {
      out_ << "row";
      for (const std::string& column : kept_) out_ << ',' << csv_cell(column);
      out_ << (labels_.empty() ? "" : ",class,versus") << ",rank,first,second,interaction"
           << (values_.imputes() ? ",imputed\n" : "\n");
    }
    if (format_ == TableFormat::json)
      out_ << json_.begin("{\"model\": " + json_text(model_json(explainer_.model())) +
                          ",\n\"interactions\": " + json_text(kind()) +
                          ",\n\"features\": " + json_text(explainer_.features()) + ",\n\"rows\": ");
  }

  Json kind() const {
    return {{"method", interactions_.is_exact() ? "shapley" : "integrated-hessians"},
            {"unit", interactions_.is_exact() ? "decision" : "g"}};
  }

  void write_row(const ModelChunk& chunk, std::size_t r) {
    const auto row = chunk.rows.row(r);
    if (means_) {
      const Matrix all = interactions_(row);
      means_->add(all);
      if (npy_) npy_->write(Matrix(1, all.values().size(), all.values()));
      if (!format_) number_ = chunk.numbers[r];
      if (!format_ || npy_) return;
    }
    const std::vector<PairInteraction> pairs = interactions_.strongest(row, top_);
    if (format_ == TableFormat::csv)
      write_csv(chunk, r, pairs);
    else
      write_json(chunk, r, pairs);
  }

  void write_csv(const ModelChunk& chunk, std::size_t r,
                 const std::vector<PairInteraction>& pairs) {
    std::string start = place_cells(chunk, r), text;
    if (!labels_.empty()) {
      const Model::ClassPair pair = interactions_.pair_at(chunk.rows.row(r));
      start += ',' + csv_cell(labels_[pair.positive]) + ',' + csv_cell(labels_[pair.negative]);
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      text += start + ',';
      append_number(text, i + 1);
      text += ',' + csv_cell(name(pairs[i].first)) + ',' + csv_cell(name(pairs[i].second)) + ',';
      append_number(text, pairs[i].value);
      text += imputed_cell(values_, chunk.imputed, r) + '\n';
    }
    out_ << text;
  }

  void write_json(const ModelChunk& chunk, std::size_t r,
                  const std::vector<PairInteraction>& pairs) {
    std::string text = json_.before_row();
    text += '{' + place_json(chunk, r, kept_) + imputed_json(values_, chunk.imputed, r);
    if (!labels_.empty()) {
      const Model::ClassPair pair = interactions_.pair_at(chunk.rows.row(r));
      text += ",\"class\":" + json_text(labels_[pair.positive]) +
              ",\"versus\":" + json_text(labels_[pair.negative]);
    }
    Json list = Json::array();
    for (const PairInteraction& pair : pairs)
      list.push_back({{"first", name(pair.first)},
                      {"second", name(pair.second)},
                      {"interaction", pair.value}});
    out_ << text << ",\"pairs\":" << json_text(list) << '}';
  }

  void mark(const UnusableRow& row) {
    if (format_ == TableFormat::csv)
      out_ << place_cells(row) << (labels_.empty() ? "" : ",,") << ",,,,"
           << (values_.imputes() ? ",\n" : "\n");
    else if (npy_)
      npy_->write(Matrix(
          1, interactions_.players() * interactions_.players(),
          std::vector<double>(interactions_.players() * interactions_.players(), std::nan(""))));
    else if (format_)
      out_ << json_.before_row() << '{' << place_json(row.row, kept_, row.kept) << ",\"problem\":\""
           << reason(row) << "\"}";
  }

  Json means() const {
    Json list = Json::array();
    for (const PairMeans::Mean& mean : means_->strongest(top_))
      list.push_back({{"first", name(mean.first)},
                      {"second", name(mean.second)},
                      {"mean_size", mean.size},
                      {"mean", mean.value}});
    return list;
  }

  void write_text() const {
    PairTable table;
    table.unit = unit();
    table.in_color = in_color_;
    for (const PairMeans::Mean& mean : means_->strongest(top_)) {
      table.names.push_back(name(mean.first) + " × " + name(mean.second));
      table.sizes.push_back(mean.size);
      table.means.push_back(mean.value);
    }
    table.others = means_pairs() - table.names.size();
    if (is_one_row_)
      table.title = fmt::format("Pairs that act together in row {}", number_);
    else
      table.title = fmt::format("Pairs that act together over {} row{}", means_->rows(),
                                means_->rows() == 1 ? "" : "s");
    table.is_one_row = is_one_row_;
    write_pairs_text(out_, table);
  }

  std::size_t means_pairs() const {
    return interactions_.players() * (interactions_.players() - 1) / 2;
  }
  std::string unit() const {
    return unit_of(explainer_.model(), interactions_.is_exact() ? Unit::decision : Unit::g).output;
  }

  const RowExplainer& explainer_;
  InteractionExplainer interactions_;
  std::vector<std::string> kept_, labels_;
  RowValues values_;
  std::ostream& out_;
  std::optional<TableFormat> format_;  // empty: text
  bool is_one_row_;
  std::size_t top_;
  bool in_color_;
  JsonRows json_;
  std::optional<PairMeans> means_;
  std::optional<NpyWriter> npy_;
  std::size_t number_ = 0;  // of the last row
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
  if (arguments.evidence || arguments.details || arguments.all_classes || arguments.for_predicted)
    throw UsageError(
        "--interactions writes pairs of features; leave out --evidence, --details, --all-classes "
        "and --for");
  if (arguments.rule.options.unit != Unit::decision)
    throw UsageError("--interactions has its own unit; leave out --unit");
  const std::string& method = arguments.rule.method;
  if (!method.empty() && method != Auto::kName && method != ExactShapley::kName)
    throw UsageError(
        "--interactions belong to shapley-exact; leave out --method, or use --method "
        "shapley-exact");
  if (format_of(arguments) == TableFormat::npy &&
      (arguments.top || !arguments.input.rows.kept.empty()))
    throw UsageError("NPY holds all pairs; leave out --top and --keep, or use --format json");
}

void explain_interactions(const ExplainArguments& arguments, const RowExplainer& explainer,
                          RowSource& rows, tools::Output& output, NoteCounts& counts) {
  InteractionWriter writer(arguments, explainer, rows, output);
  for_each_wanted_chunk(arguments, rows, arguments.chunk.value_or(kRowsAtATime),
                        [&](std::size_t before, const ModelChunk& chunk) {
                          writer.write(chunk);
                          output.check();
                          // The values may be those of another method: how well they add up says
                          // nothing about the pairs.
                          const Explanation e = explainer.explainer()(chunk.rows.view(), before);
                          for (std::size_t r = 0; r < e.outside.size(); ++r)
                            counts.add_row({.is_outside = e.outside[r], .is_alike = e.alike[r]});
                        });
  writer.finish(sentences(counts, explainer.interaction_settings(), FrontEnd::command));
}

}  // namespace bisector::cli
