#include "common/comparison.h"

#include <fmt/format.h>

#include <algorithm>

namespace bisector::paper {

std::string words(const Estimate& difference) {
  return fmt::format("{:+.3f} ± {:.3f}", difference.mean, difference.standard_error);
}

std::vector<StudyRow> rows_of(const std::vector<StudyRow>& rows, const std::string& kind,
                              Donors donors) {
  std::vector<StudyRow> chosen;
  for (const StudyRow& row : rows) {
    if (row.donors == donors && row.kind.starts_with(kind)) chosen.push_back(row);
  }
  return chosen;
}

std::vector<std::string> method_names(const std::vector<StudyRow>& rows) {
  std::vector<std::string> names;
  for (const StudyRow& row : rows) {
    for (const auto& [method, estimate] : row.methods) {
      if (std::ranges::find(names, method) == names.end()) names.push_back(method);
    }
  }
  return names;
}

TextTable compared(const std::vector<StudyRow>& rows, const std::string& baseline) {
  TextTable table{{"method", "mean AUFC", "mean rank", "best in", "minus " + baseline,
                   "significantly lower, higher"},
                  {}};
  for (const std::string& method : method_names(rows)) {
    std::vector<double> aufc, ranks, differences;
    std::size_t best = 0, lower = 0, higher = 0;
    for (const StudyRow& row : rows) {
      const Estimate* own = row.find(method);
      if (own == nullptr) continue;
      aufc.push_back(own->mean);
      ranks.push_back(static_cast<double>(row.rank(method)));
      best += ranks.back() == 1.0;
      const auto paired = row.difference(method, baseline);
      if (!paired) continue;
      differences.push_back(paired->mean);
      lower += paired->mean < -2.0 * paired->standard_error;
      higher += paired->mean > 2.0 * paired->standard_error;
    }
    table.rows.push_back(
        {method, fmt::format("{:.3f}", estimate(aufc).mean),
         fmt::format("{:.2f}", estimate(ranks).mean), fmt::format("{} of {}", best, aufc.size()),
         method == baseline || differences.empty() ? "" : words(estimate(differences)),
         method == baseline ? "" : fmt::format("{}, {}", lower, higher)});
  }
  return table;
}

TextTable per_dataset(const std::vector<StudyRow>& rows) {
  const std::vector<std::string> methods = method_names(rows);
  TextTable table{{"dataset", "model", "accuracy"}, {}};
  table.header.insert(table.header.end(), methods.begin(), methods.end());
  for (const StudyRow& row : rows) {
    table.rows.push_back({row.info.name, fmt::format("{} ({})", row.kind, row.parameters),
                          fmt::format("{:.3f}", row.accuracy)});
    for (const std::string& method : methods) {
      const Estimate* own = row.find(method);
      const std::string number =
          own == nullptr ? "" : fmt::format("{:.3f} ± {:.3f}", own->mean, own->standard_error);
      table.rows.back().push_back(own != nullptr && row.rank(method) == 1 ? "**" + number + "**"
                                                                          : number);
    }
  }
  return table;
}

TextTable study_csv(const std::vector<StudyRow>& rows, const std::string& baseline) {
  TextTable table{{"dataset", "model", "parameters", "accuracy", "donors", "method", "aufc",
                   "standard_error", "rank", "difference", "difference_error"},
                  {}};
  for (const StudyRow& row : rows) {
    for (const auto& [method, own] : row.methods) {
      const auto paired = row.difference(method, baseline);
      table.rows.push_back({row.info.id, row.kind, row.parameters, fmt::format("{}", row.accuracy),
                            std::string(name(row.donors)), method, fmt::format("{}", own.mean),
                            fmt::format("{}", own.standard_error),
                            fmt::format("{}", row.rank(method)),
                            paired ? fmt::format("{}", paired->mean) : "",
                            paired ? fmt::format("{}", paired->standard_error) : ""});
    }
  }
  return table;
}

std::string verdict(const std::vector<StudyRow>& rows, const std::string& method,
                    const std::string& other) {
  std::size_t count = 0, at_least_as_good = 0, better = 0;
  for (const StudyRow& row : rows) {
    const auto paired = row.difference(method, other);
    if (!paired) continue;
    ++count;
    at_least_as_good += paired->mean <= paired->standard_error;
    better += paired->mean < -2.0 * paired->standard_error;
  }
  return fmt::format(
      "- `{}` compared with `{}`: not worse by more than one paired standard error in {} of {} "
      "lines, better by more than two in {}.\n",
      method, other, at_least_as_good, count, better);
}

}  // namespace bisector::paper
