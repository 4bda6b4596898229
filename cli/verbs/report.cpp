#include "cli/verbs/report.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "bisector/error.h"
#include "bisector/report/report.h"
#include "cli/options/groups.h"
#include "cli/options/help.h"
#include "cli/options/option_values.h"
#include "cli/verbs.h"
#include "cli/verbs/evaluate.h"
#include "cli/verbs/report_provenance.h"
#include "cli/verbs/train.h"
#include "tools/output_file.h"
#include "tools/page_parts.h"
#include "tools/progress.h"

namespace bisector::cli {
namespace {

/// The method of the page first, then the other candidates, all with the options of the report.
std::vector<Candidate> candidates_beside(const Method& shown, const Model& model) {
  std::vector<Candidate> candidates = default_candidates(model);
  std::erase_if(candidates, [&](const Candidate& candidate) {
    return candidate.name == Auto::kName || candidate.name == name(shown);
  });
  candidates.insert(candidates.begin(), {std::string(name(shown)), shown});
  return candidates;
}

PixelFlippingReport flip(const ReportArguments& arguments, const Method& shown,
                         const ExplainOptions& explain) {
  const Subject subject = read_subject(arguments.input, arguments.rule.background);
  EvaluateOptions options;
  options.explain = explain;
  options.explain.unit = Unit::g;  // only the order of the features counts
  options.flipping.imputer = default_imputer(subject.model);
  options.flipping.threads = explain.threads;
  const std::vector<Candidate> candidates = candidates_beside(shown, subject.model);
  const Evaluation evaluation = evaluate_subject(subject, candidates, options);
  PixelFlippingReport report{evaluation.results.front().rows.size(), options.flipping.samples, {}};
  for (std::size_t m = 0; m < evaluation.results.size(); ++m) {
    const PixelFlippingResult& result = evaluation.results[m];
    report.curves.push_back({evaluation.names[m], result.mean, result.standard_error,
                             result.curve_x, result.mean_curve});
  }
  return report;
}

/// `shown_rows` are the numbers of the rows to show; if it is empty, rows are drawn.
Report gather(const ReportArguments& arguments, const std::vector<std::size_t>& shown_rows = {}) {
  const Model read = load_model(arguments.input);
  RowSource rows(arguments.input.data, arguments.input, read);
  const Model model = rows.widen(read);
  const Method method = method_of(arguments.rule.method);
  ExplainOptions explain = explain_options(arguments.rule, arguments.input, model);
  if (model.encoding()) explain.players = model.encoding()->groups();  // levels of one column
  const auto [shown, settings] = [&] {
    const Explainer explainer(model, method, explain);
    return std::pair(explainer.method(), explainer.settings());
  }();
  const std::optional<TrainingRecord> training = load_extras(arguments.input).training;
  ReportOptions options = report_options(arguments, model, settings, rows, training);
  options.row_numbers = shown_rows;
  ReportBuilder builder(model, method, explain, std::move(options));
  tools::Progress progress = tools::Progress::on_terminal("explaining", false);
  const std::size_t size = arguments.input.chunk.value_or(default_chunk_rows(model.features()));
  for_each_chunk(rows, size, progress, [&](std::size_t, const ModelChunk& chunk) {
    if (chunk.rows.rows() > 0)
      builder.add(chunk.rows.view(), chunk.target, chunk.numbers, chunk.kept, chunk.imputed);
  });
  if (arguments.input.notes != nullptr) rows.write_unusable(*arguments.input.notes);
  Report report = builder.finish();
  if (!arguments.input.target.empty() && !report.quality)
    throw InvalidInput(
        fmt::format("{}: no row has a target that the model knows, expected one of {}", rows.name(),
                    fmt::join(read.labels(), ", ")));
  if (arguments.evaluate) report.pixel_flipping = flip(arguments, shown, explain);
  return report;
}

/// Two models can be compared if they predict the same target.
void require_same_question(const Report& own, const Report& other) {
  const auto knows = [&](const std::string& label) {
    return std::ranges::find(other.labels, label) != other.labels.end();
  };
  const bool is_same = own.is_regressor == other.is_regressor &&
                       (own.is_regressor || std::ranges::any_of(own.labels, knows));
  if (!is_same)
    throw InvalidInput(fmt::format(
        "{} predicts {} and {} {}, expected two models of the same target",
        own.options.words.model_file,
        own.is_regressor ? "a number" : fmt::format("{}", fmt::join(own.labels, ", ")),
        other.options.words.model_file,
        other.is_regressor ? "a number" : fmt::format("{}", fmt::join(other.labels, ", "))));
}

/// The other model on the rows of the report. Its points are not written into the page.
std::shared_ptr<const Report> gather_other(const ReportArguments& arguments, const Report& own) {
  ReportArguments other = arguments;
  std::swap(other.input.model, other.against);
  other.without_model = true;
  other.evaluate = other.interactions = false;
  other.input.rows.kept.clear();  // the report has them already
  try {
    const std::vector<std::string> labels = load_model(other.input).labels();
    std::erase_if(other.names, [&](const std::string& text) {
      return std::ranges::find(labels, text.substr(0, text.find('='))) == labels.end();
    });
    auto report = std::make_shared<Report>(gather(other, own.row_numbers));
    require_same_question(own, *report);
    return report;
  } catch (const InvalidRow&) {
    throw;  // it names the data file
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("--against: {}", error.what()));
  }
}

void require_sensible(const ReportArguments& arguments) {
  if ((arguments.evaluate || !arguments.against.empty()) && arguments.input.data == "-")
    throw UsageError(fmt::format("{} reads the data twice; give a file instead of -",
                                 arguments.evaluate ? "--evaluate" : "--against"));
  if (!arguments.network.empty() && (arguments.evaluate || !arguments.against.empty()))
    throw UsageError(fmt::format("--network and {} exclude each other; use one of them",
                                 arguments.evaluate ? "--evaluate" : "--against"));
  const bool is_whole = arguments.against.empty() && arguments.layout.empty();
  if (!arguments.groups.empty() && !is_whole)
    throw UsageError(fmt::format("--groups and {} exclude each other; use one of them",
                                 arguments.layout.empty() ? "--against" : "--layout"));
  const std::filesystem::path extension = arguments.output.extension();
  if (!tools::is_standard_output(arguments.output) && extension != ".html" && extension != ".htm")
    throw UsageError(fmt::format("the output {} has no known extension, expected .html",
                                 arguments.output.string()));
  if (tools::page_parts().page.empty())
    throw UsageError(
        "this bisector was built without npm and has no page: build it where npm is installed");
}

void add_page_options(CLI::App& verb, ReportArguments& arguments) {
  const OptionGroup group(verb, "The report");
  add_output(verb, "-o,--output", arguments.output, "FILE",
             "The page to write, one HTML file (default: data.html for data.csv)");
  verb.add_flag("--force", arguments.force,
                "Replace files that -o does not name, such as data.html and data.model.npz");
  add_text(verb, "--title", arguments.title, "TEXT",
           "Title of the page (default: what the model predicts)");
  add_text(verb, "--layout", arguments.layout, "HxW|series",
           "Show rows as images of this height and width, such as 28x28, or as lines, if the "
           "features are pixels or have an order such as time");
  add_list(verb, "--names", arguments.names, "LABEL=NAME",
           "Name of a class on the page, such as 1=ill, or the unit of the output, such as "
           "unit=MPa; repeatable");
  add_path(verb, "--against", arguments.against, "MODEL",
           "Another model for the same target: where the two agree, where they differ, and both "
           "explanations");
  add_path(verb, "--groups", arguments.groups, "FILE", kGroupsHelp);
  add_path(verb, "--network", arguments.network, "FILE",
           "DATA are embeddings of a network: show the contributions of its inputs, which "
           "bisector.torch.Explainer.report computes (JSON)");
  verb.add_flag("--evaluate", arguments.evaluate,
                "Also measure how faithful the explanations are, as evaluate does");
  verb.add_flag("--interactions", arguments.interactions,
                "Pairs of features that act together, of kernel machines, also if they take long "
                "(default: if they take about a second)");
  verb.add_flag("--without-model", arguments.without_model,
                "Write no training rows into the page: no influential rows, no what-if");
  add_count(verb, "--sample", arguments.sample, 1, "N",
            "Show at most N rows, drawn at random (default: 5000, fewer for wide rows); averages "
            "use all rows");
  add_count(verb, "--evidence", arguments.evidence, 1, "K",
            "Influential training rows of either side for each row (default: 5, or all neighbors "
            "that vote, at most 25)");
}

}  // namespace

void report_command(const ReportArguments& arguments, std::ostream& out) {
  require_sensible(arguments);
  // A page that cannot be written is reported before the work.
  tools::Output page(arguments.output, out);
  Report report = gather(arguments);
  if (!arguments.against.empty()) report.against = gather_other(arguments, report);
  write_page(page.stream(), report, tools::page_parts());
  page.commit();
  if (arguments.input.notes == nullptr) return;
  std::vector<std::string> sentences;
  for (const Note& note : report.notes)
    sentences.push_back(sentence(note, report.settings, FrontEnd::page));
  write_notes(sentences, *arguments.input.notes);
}

void add_report(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "report",
      "Writes one HTML page that works offline: how good the model is, which features matter, and "
      "why each row got its prediction.");
  const auto arguments = std::make_shared<ReportArguments>();
  add_input_files(verb, arguments->input,
                  "Rows to explain (without DATA, MODEL is a table to train on, with --target)",
                  false);
  add_page_options(verb, *arguments);
  add_rule_options(verb, arguments->rule);
  add_model_table_options(verb, arguments->input, {chunk_limit(arguments->input)});
  add_keep_option(verb, arguments->input);
  add_threads_option(verb, arguments->rule.threads);
  list_first(verb, {"--output", "--target", "--title", "--names", "--background", "--method",
                    "--sample", "--against", "--evaluate", "--keep"});
  verb.footer(
      "Examples:\n"
      "  bisector report wine.csv --target quality\n"
      "  bisector report wine.model wine.csv\n"
      "  bisector report wine.npz wine.csv --target quality --names 1=good -o wine.html\n"
      "  bisector report svm.npz wine.csv --against knn.npz -o both.html\n"
      "  bisector report digits.npz digits.npy --layout 28x28 --evaluate -o all.html");
  verb.callback([arguments, &action, &verb] {
    arguments->command = typed_command(verb);
    action = [arguments](std::ostream& out, std::ostream& notes) {
      arguments->input.notes = &notes;
      const bool has_output = !arguments->output.empty();
      const InputArguments& input = arguments->input;
      if (!has_output && !(input.data.empty() && input.target.empty()))
        arguments->output =
            named_after(input.data.empty() ? input.model : input.data, ".html", arguments->force);
      train_if_needed(arguments->input, arguments->force, notes);
      report_command(*arguments, out);
      if (!has_output)
        notes << fmt::format("note: the report is in {}\n", arguments->output.string());
    };
  });
}

}  // namespace bisector::cli
