#include "dipole/dipole.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <array>

#include "bisector/version.h"
#include "common/markdown.h"

namespace bisector::paper {

using namespace molecules;

namespace {

std::vector<std::string> lines_of(const Facts& facts) {
  std::vector<std::string> lines;
  for (const auto& [name, values] : facts)
    lines.push_back(fmt::format("{},{}", name, fmt::join(values, ",")));
  return lines;
}

Facts parse(const std::vector<std::string>& lines) {
  Facts facts;
  for (const std::string& line : lines) facts[line.substr(0, line.find(','))] = numbers_of(line, 1);
  return facts;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100.0 * share); }

TextTable error_table(const std::vector<DipoleResult>& results) {
  TextTable table{{"molecules", "representation", "training, test", "MAE, Debye", "the paper's",
                   "difference", "predicting the mean"},
                  {}};
  for (const DipoleResult& result : results) {
    const std::vector<double>& error = result.facts.at("error");
    const std::vector<double>& count = result.facts.at("molecules");
    const double published = result.published();
    table.rows.push_back({std::string(result.set->title), title_of(result.kind),
                          fmt::format("{}, {}", count[0], count[1]),
                          fmt::format("{:.3f} ± {:.3f}", error[0], error[1]),
                          fmt::format("{:.3f}", published),
                          fmt::format("{:+.1f} %", 100.0 * (error[0] / published - 1.0)),
                          fmt::format("{:.3f}", result.fact("error of the mean"))});
  }
  return table;
}

/// A row for each finding: share of |relevance|, and in brackets share of all pairs or atoms.
TextTable share_table(const std::vector<DipoleResult>& results, const std::string& first,
                      const std::vector<std::pair<std::string, std::string>>& names) {
  TextTable table{{first}, {}};
  for (const DipoleResult& result : results)
    table.header.push_back(fmt::format("{}, {}", result.set->id, title_of(result.kind)));
  for (const auto& [name, title] : names) {
    std::vector<std::string> cells{title};
    bool is_anywhere = false;
    for (const DipoleResult& result : results) {
      const auto found = result.facts.find(name);
      is_anywhere |= found != result.facts.end();
      cells.push_back(
          found == result.facts.end()
              ? "–"
              : fmt::format("{} ({})", percent(found->second[0]), percent(found->second[1])));
    }
    if (is_anywhere) table.rows.push_back(std::move(cells));
  }
  return table;
}

std::vector<std::pair<std::string, std::string>> band_names() {
  std::vector<std::pair<std::string, std::string>> names;
  for (std::size_t band = 0; band < kBands.size(); ++band)
    names.emplace_back(fmt::format("band {}", band), fmt::format("{} Å", kBands[band].title));
  return names;
}

std::vector<std::pair<std::string, std::string>> pair_names() {
  std::vector<std::pair<std::string, std::string>> names;
  for (const char* pair : {"C-C", "C-N", "C-O", "N-O", "O-O", "C-H", "N-H", "O-H", "H-H"})
    names.emplace_back(fmt::format("pair {}", pair), pair);
  return names;
}

/// The |relevance| of the long distances, and the mean distance, of both representations.
std::string verdicts(const std::vector<DipoleResult>& results) {
  std::string text;
  for (const IsomerSet& set : kIsomerSets) {
    const DipoleResult *bags = nullptr, *coulomb = nullptr;
    for (const DipoleResult& result : results) {
      if (result.set != &set) continue;
      (result.kind == RepresentationKind::bag_of_bonds ? bags : coulomb) = &result;
    }
    if (bags == nullptr || coulomb == nullptr) continue;
    const auto longs = [](const DipoleResult& r) { return r.fact("band 2") + r.fact("band 3"); };
    const double distances[] = {bags->fact("distance"), coulomb->fact("distance"),
                                bags->facts.at("distance").at(1)};
    text += fmt::format(
        "- {}: pairs over 3 Å carry {} of |relevance| with bags of bonds and {} with Coulomb "
        "matrices. The mean distance, weighted by |relevance|, is {:.2f} Å and {:.2f} Å (all "
        "pairs: {:.2f} Å). Long distances matter with bags of bonds, short ones with Coulomb "
        "matrices: **{}**.\n",
        set.title, percent(longs(*bags)), percent(longs(*coulomb)), distances[0], distances[1],
        distances[2],
        distances[0] > distances[1] && longs(*bags) > longs(*coulomb) ? "reproduced"
                                                                      : "not reproduced");
    for (const DipoleResult* result : {bags, coulomb}) {
      const std::vector<double>& oxygen = result->facts.at("polar peripheral oxygen");
      const std::vector<double>& inner = result->facts.at("polar inner oxygen");
      const double outside = oxygen[0] / oxygen[1], inside = inner[0] / inner[1];
      text += fmt::format(
          "- {}, {}, the most polar tenth: a peripheral oxygen carries {:.2f} times the "
          "|relevance| of the average atom (an inner oxygen {:.2f} times). The net relevance of "
          "all peripheral oxygens is {} of the sum of |relevance|. Peripheral oxygens matter and "
          "raise the prediction: **{}**. They matter more than inner ones: **{}**.\n",
          set.title, title_of(result->kind), outside, inside, percent(oxygen[2]),
          outside > 1.0 && oxygen[2] > 0.0 ? "reproduced" : "not reproduced",
          outside > inside ? "yes" : "no");
    }
  }
  return text;
}

/// Compares the relevance of peripheral oxygens in the most polar molecules by both rules.
std::string clearer(const std::vector<DipoleResult>& results) {
  TextTable table{{"molecules", "representation", "relative to the average atom: lrp, lrp-expected",
                   "relative to an inner oxygen: lrp, lrp-expected", "net share: lrp, lrp-expected",
                   "larger by lrp-expected"},
                  {}};
  std::array<std::size_t, 3> larger{};
  for (const DipoleResult& result : results) {
    const auto numbers = [](const DipoleResult& of) {
      const std::vector<double>&outer = of.facts.at("polar peripheral oxygen"),
            &inner = of.facts.at("polar inner oxygen");
      const double one = outer[0] / outer[1];
      return std::array{one, one / (inner[0] / inner[1]), outer[2]};
    };
    const auto by_lrp = numbers(result), by_expected = numbers(result.by_expected());
    std::size_t more = 0;
    for (std::size_t n = 0; n < by_lrp.size(); ++n) {
      more += by_expected[n] > by_lrp[n];
      larger[n] += by_expected[n] > by_lrp[n];
    }
    table.rows.push_back({std::string(result.set->title), title_of(result.kind),
                          fmt::format("{:.2f}, {:.2f}", by_lrp[0], by_expected[0]),
                          fmt::format("{:.2f}, {:.2f}", by_lrp[1], by_expected[1]),
                          fmt::format("{}, {}", percent(by_lrp[2]), percent(by_expected[2])),
                          fmt::format("{} of 3", more)});
  }
  return table.markdown() +
         fmt::format(
             "\nWith `lrp-expected`, a peripheral oxygen has more relevance than "
             "with `lrp` in {} of {} lines, more relative to an inner oxygen in "
             "{}, and more net relevance in {}.\n",
             larger[0], results.size(), larger[1], larger[2]);
}

std::string page(const DipoleOptions& options, const std::vector<DipoleResult>& results,
                 const std::vector<DipoleExample>& examples) {
  std::string text = fmt::format(
      "# What makes a molecule polar? (the paper's second use case)\n\n"
      "[use_cases.md](use_cases.md) discusses the result. Made by `bisector-paper dipole` {}. "
      "Kernel ridge regression of the dipole moment's norm: gamma = 3, lambda = 0.1 (C = 10), "
      "features centered and scaled to a median distance of one, target centered, 80/20 split. The "
      "test molecules are explained by LRP with eta = {:.2f}: why is the prediction above "
      "{}?\n\n",
      kVersion, results.front().fact("eta"),
      options.level ? fmt::format("{} Debye", *options.level)
                    : "the mean of the training molecules");
  text += "## Errors\n\n" + error_table(results).markdown();
  text += "\n## The paper's findings\n\n" + verdicts(results);
  std::vector<DipoleResult> by_expected;
  for (const DipoleResult& result : results) by_expected.push_back(result.by_expected());
  text += "\nThe same by `lrp-expected`, the expected path rule:\n\n" + verdicts(by_expected);
  text += "\nPeripheral oxygens of the most polar tenth by both rules:\n\n" + clearer(results);
  text += fmt::format(
      "\n## Exact Shapley values in Debye\n\nThe test molecule with the largest dipole moment of "
      "each set: exact Shapley values over {} molecules, which add up to the prediction, and "
      "`lrp`, converted to Debye.\n\n{}\n![molecules with the relevance of their "
      "pairs](dipole.svg)\n",
      kReferences, element_table(examples).markdown());
  text +=
      "\n## Where the relevance lies\n\nShare of |relevance| over all test molecules, and in "
      "brackets the share of pairs or atoms.\n\n";
  text += share_table(results, "distance", band_names()).markdown() + "\n";
  text += share_table(results, "elements", pair_names()).markdown() + "\n";
  text += share_table(results, "atoms",
                      {{"peripheral oxygen", "peripheral oxygens"},
                       {"inner oxygen", "inner oxygens"},
                       {"other", "all other atoms"}})
              .markdown();
  text +=
      "\nA peripheral oxygen is further from the center of the molecule's heavy atoms than the "
      "average heavy atom. Each atom of a pair gets half of its |relevance|. The diagonal of the "
      "Coulomb matrix belongs to single atoms and is left out of the shares. Its share of all "
      "|relevance| is";
  std::vector<std::string> diagonals;
  for (const DipoleResult& result : results) {
    if (result.kind == RepresentationKind::coulomb_matrix)
      diagonals.push_back(fmt::format("{} ({})", percent(result.fact("diagonal")), result.set->id));
  }
  return text + fmt::format(" {}.\n", fmt::join(diagonals, ", "));
}

TextTable machine_readable(const std::vector<DipoleResult>& results) {
  TextTable table{{"molecules", "representation", "number", "value", "beside"}, {}};
  for (const DipoleResult& result : results) {
    for (const auto& [name, values] : result.facts) {
      if (name.find("example") != std::string::npos) continue;  // of one molecule
      table.rows.push_back({std::string(result.set->id), title_of(result.kind), name,
                            fmt::format("{}", values[0]),
                            values.size() > 1 ? fmt::format("{}", values[1]) : ""});
    }
  }
  return table;
}

}  // namespace

std::string title_of(RepresentationKind kind) {
  return kind == RepresentationKind::bag_of_bonds ? "bag of bonds" : "Coulomb matrix";
}

std::string DipoleResult::unit() const { return fmt::format("{} {}", set->id, title_of(kind)); }

double DipoleResult::published() const {
  return kind == RepresentationKind::bag_of_bonds ? set->published_bags : set->published_coulomb;
}

DipoleResult DipoleResult::by_expected() const {
  DipoleResult result{set, kind, {}};
  for (const auto& [name, values] : facts) {
    if (name.starts_with(kByExpected)) result.facts[name.substr(kByExpected.size())] = values;
  }
  return result;
}

void run_dipole(const DipoleOptions& options, std::ostream& log) {
  StudyRun study(options.out, "dipole",
                 fmt::format("level={} examples=debye",
                             options.level ? fmt::format("{}", *options.level) : "mean"),
                 log);
  std::vector<DipoleResult> results;
  for (const IsomerSet& set : kIsomerSets) {
    for (const auto kind : {RepresentationKind::bag_of_bonds, RepresentationKind::coulomb_matrix}) {
      DipoleResult result{&set, kind, {}};
      result.facts = parse(study.lines(
          result.unit(), [&] { return lines_of(run_dipole_model(set, kind, options)); }));
      results.push_back(std::move(result));
    }
  }
  const std::vector<DipoleExample> examples = dipole_examples(options, results);
  write_file(options.out / "dipole_atoms.csv", atom_table(examples).csv());
  write_file(options.out / "dipole_pairs.csv", pair_table(examples).csv());
  fmt::print(log, "\n{}\n{}", error_table(results).markdown(), verdicts(results));
  study.write(machine_readable(results).csv(), page(options, results, examples));
}

}  // namespace bisector::paper
