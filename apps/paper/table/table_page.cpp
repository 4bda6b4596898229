// The paper's table as an HTML page.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bisector/report/markup.h"
#include "bisector/version.h"
#include "common/markdown.h"
#include "common/result_file.h"
#include "figures/figures.h"

namespace bisector::paper {

using namespace chart;

namespace {

void add_once(std::vector<std::string>& list, const std::string& value) {
  if (std::ranges::find(list, value) == list.end()) list.push_back(value);
}

struct Entry {
  double aufc, error;
  std::string published, rank;
};

struct Lines {
  std::vector<std::string> methods, datasets;
  std::map<std::pair<std::string, std::string>, Entry> entries;  // dataset, method
};

Lines lines_of(const ResultFile& file, const std::string& model) {
  Lines lines;
  for (std::size_t r = 0; r < file.rows(); ++r) {
    if (file.text(r, "model") != model) continue;
    add_once(lines.datasets, file.text(r, "dataset"));
    add_once(lines.methods, file.text(r, "method"));
    lines.entries[{file.text(r, "dataset"), file.text(r, "method")}] = {
        file.number(r, "aufc"), file.number(r, "standard_error"), file.text(r, "published"),
        file.text(r, "rank")};
  }
  return lines;
}

std::string cell(const Entry& entry) {
  const std::string published =
      entry.published.empty()
          ? ""
          : fmt::format("<small>paper {}</small>", escaped_markup(entry.published));
  const char* mark = entry.rank == "1"   ? " class=\"best\""
                     : entry.rank == "2" ? " class=\"second\""
                                         : "";
  return fmt::format(
      "<td{}><meter min=\"-1\" max=\"1\" value=\"{:.3f}\"></meter>{:.3f} ± {:.3f}{}</td>", mark,
      entry.aufc, entry.aufc, entry.error, published);
}

std::string table(const Lines& lines) {
  std::string text = "<div><table><thead><tr><th scope=\"col\">dataset</th>";
  for (const auto& method : lines.methods)
    text += fmt::format("<th scope=\"col\">{}</th>", escaped_markup(method));
  text += "</tr></thead><tbody>\n";
  for (const auto& dataset : lines.datasets) {
    text += fmt::format("<tr><th scope=\"row\">{}</th>", escaped_markup(dataset));
    for (const auto& method : lines.methods) {
      const auto found = lines.entries.find({dataset, method});
      text += found == lines.entries.end() ? "<td></td>" : cell(found->second);
    }
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

constexpr auto kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Faithfulness of explanations</title>
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5rem; }
div { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: .35rem .7rem; border-bottom: 1px solid #8886; text-align: right; white-space: nowrap; }
th[scope=row], thead th:first-child { text-align: left; }
td.best { font-weight: 700; background: #0072b233; }
td.second { font-style: italic; }
meter { width: 3.5rem; margin-right: .5rem; }
small { display: block; opacity: .75; }
</style></head><body>
)";

}  // namespace

void write_table_page(const std::filesystem::path& folder) {
  const ResultFile file(folder / "table.csv");
  std::string text = kHead;
  text += fmt::format(
      "<h1>Faithfulness of explanations (the paper's Table 2)</h1>\n<p>Area under the flipping "
      "curve, lower is better: mean ± standard error, and the paper's value below. The best of a "
      "line is bold on blue, the second in italics. Made by bisector-paper {}.</p>\n",
      kVersion);
  for (const auto& [model, title] :
       {std::pair{"svm", "Gaussian SVM"}, std::pair{"knn", "k nearest neighbors"}}) {
    const Lines lines = lines_of(file, model);
    if (!lines.datasets.empty()) text += fmt::format("<h2>{}</h2>\n", title) + table(lines);
  }
  write_file(folder / "table.html", text + "</body></html>\n");
}

}  // namespace bisector::paper
