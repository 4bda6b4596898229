#include "choice/choice_problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bisector/error.h"
#include "common/study.h"
#include "common/synthetic.h"

namespace bisector::paper {
namespace {

// Seeds that the study of the heuristics does not use.
constexpr std::size_t kFirst = 1000;

Problem generated(const std::string& id, Dataset dataset, const std::vector<ProblemSort>& sorts) {
  dataset.info.id = dataset.info.name = id;
  const auto kept = std::make_shared<const Dataset>(std::move(dataset));
  return {kept->info, [kept]() -> const Dataset& { return *kept; }, sorts};
}

Problem clusters(const ChoiceOptions& options, std::size_t n, ProblemSort sort) {
  SyntheticOptions two = study_problem(kFirst + n);
  two.rows = options.points;
  return generated(fmt::format("clusters {}", n), make_classification(two), {sort});
}

/// Bins every feature into levels with about equally many rows.
Dataset with_levels(Dataset dataset, std::size_t levels) {
  for (std::size_t i = 0; i < dataset.rows.cols(); ++i) {
    std::vector<double> values;
    for (std::size_t r = 0; r < dataset.rows.rows(); ++r) values.push_back(dataset.rows(r, i));
    std::ranges::sort(values);
    for (std::size_t r = 0; r < dataset.rows.rows(); ++r) {
      std::size_t level = 0;
      for (std::size_t cut = 1; cut < levels; ++cut)
        level += dataset.rows(r, i) > values[cut * values.size() / levels] ? 1 : 0;
      dataset.rows(r, i) = static_cast<double>(level);
    }
  }
  return dataset;
}

/// Clusters with binary features: above the median or not.
Problem yes_and_no(const ChoiceOptions& options, std::size_t n) {
  return generated(fmt::format("yes and no {}", n),
                   with_levels(clusters(options, n, ProblemSort::kernel_classes).dataset(), 2),
                   {ProblemSort::kernel_classes});
}

Problem many_clusters(const ChoiceOptions& options, std::size_t n) {
  SyntheticOptions many = study_problem(kFirst + n);
  many.rows = options.points;
  many.classes = 3 + n % 3;
  many.informative = std::max<std::size_t>(many.informative, 4);
  many.clusters_per_class = std::min<std::size_t>(many.clusters_per_class, 2);
  return generated(fmt::format("many clusters {}", n), make_classification(many),
                   {ProblemSort::many_classes});
}

/// Independent and correlated features alternate.
double correlation_of(std::size_t n) { return n % 2 == 0 ? 0.0 : 0.5; }

Problem sum(const ChoiceOptions& options, std::size_t n, ProblemSort sort) {
  return generated(fmt::format("sum {}", n),
                   make_additive(options.points, correlation_of(n), kFirst + n).dataset(), {sort});
}

/// The datasets outside the table for which `sorts_of` names a use.
std::vector<Problem> given(
    const ChoiceOptions& options, std::ostream& log,
    const std::function<std::vector<ProblemSort>(const DatasetInfo&)>& sorts_of) {
  std::vector<Problem> problems;
  for (const DatasetInfo& info : outside_dataset_infos()) {
    const std::vector<ProblemSort> sorts = sorts_of(info);
    if (!sorts.empty() && is_there(info, options.data, log))
      problems.push_back({info, lazy_dataset(info, options.data), sorts});
  }
  return problems;
}

std::vector<Problem> two_class_tables(const ChoiceOptions& options, std::ostream& log,
                                      ProblemSort sort) {
  return given(options, log, [sort](const DatasetInfo& info) -> std::vector<ProblemSort> {
    if (info.is_image || !(info.positive || info.above)) return {};
    return {sort};
  });
}

void append(std::vector<Problem>& problems, std::vector<Problem> more) {
  for (Problem& problem : more) problems.push_back(std::move(problem));
}

/// The rows of two of a dataset's classes.
Dataset pair_of(const Dataset& all, const std::string& a, const std::string& b) {
  const auto& labels = all.target.labels;
  const auto first = std::ranges::find(labels, a), second = std::ranges::find(labels, b);
  if (first == labels.end() || second == labels.end())
    throw InvalidInput(
        fmt::format("{} has no classes {} and {}, expected both", all.info.name, a, b));
  std::vector<std::size_t> members;
  Dataset pair{all.info, {}, {{}, {a, b}}, {}, all.feature_names};
  for (std::size_t n = 0; n < all.rows.rows(); ++n) {
    const std::string& label = labels[all.target.classes[n]];
    if (label != a && label != b) continue;
    members.push_back(n);
    pair.target.classes.push_back(label == b ? 1 : 0);
  }
  pair.rows = gather_rows(all.rows, members);
  return pair;
}

/// The dataset is read once, at its first use.
Problem digit_pair(const Problem& digits, const std::string& a, const std::string& b) {
  DatasetInfo info = digits.info;
  info.id = info.name = fmt::format("{} {} and {}", digits.info.name, a, b);
  info.is_image = true;
  const auto kept = std::make_shared<std::optional<Dataset>>();
  const auto read = [=, all = digits.dataset]() -> const Dataset& {
    if (!*kept) *kept = pair_of(all(), a, b);
    return **kept;
  };
  return {info, read, {ProblemSort::two_classes}};
}

}  // namespace

std::vector<Problem> class_problems(const ChoiceOptions& options, std::ostream& log) {
  std::vector<Problem> problems;
  for (std::size_t n = 0; n < options.problems; ++n) {
    problems.push_back(clusters(options, n, ProblemSort::two_classes));
    problems.push_back(many_clusters(options, n));
    problems.push_back(sum(options, n, ProblemSort::two_classes));
  }
  append(problems, given(options, log, [](const DatasetInfo& info) -> std::vector<ProblemSort> {
           if (info.positive || info.above) return {ProblemSort::two_classes};
           if (info.is_image) return {};
           return {ProblemSort::many_classes};
         }));
  return problems;
}

std::vector<Problem> kernel_class_problems(const ChoiceOptions& options, std::ostream& log) {
  constexpr auto kSort = ProblemSort::kernel_classes;
  std::vector<Problem> problems;
  for (std::size_t n = 0; n < options.problems; ++n) {
    problems.push_back(clusters(options, n, kSort));
    problems.push_back(sum(options, n, kSort));
    problems.push_back(yes_and_no(options, n));
  }
  append(problems, two_class_tables(options, log, kSort));
  return problems;
}

std::vector<Problem> number_problems(const ChoiceOptions& options, std::ostream& log) {
  std::vector<Problem> problems;
  for (std::size_t n = 0; n < options.problems; ++n) {
    problems.push_back(sum(options, n, ProblemSort::numbers));
    // Vary the noise and the number of features.
    const NumberOptions numbers{options.points, 4 + 3 * (n % 4), correlation_of(n),
                                n % 4 < 2 ? 0.1 : 0.7, kFirst + n};
    problems.push_back(
        generated(fmt::format("bumps {}", n), make_bumps(numbers), {ProblemSort::numbers}));
    if (n % 2 == 0)
      problems.push_back(
          generated(fmt::format("products {}", n), make_products(numbers), {ProblemSort::numbers}));
  }
  append(problems, given(options, log, [](const DatasetInfo& info) -> std::vector<ProblemSort> {
           if (!info.above) return {};
           return {ProblemSort::numbers};
         }));
  return problems;
}

std::vector<Problem> one_class_problems(const ChoiceOptions& options, std::ostream& log) {
  std::vector<Problem> problems;
  for (std::size_t n = 0; n < options.problems; ++n) {
    problems.push_back(clusters(options, n, ProblemSort::one_class));
    problems.push_back(sum(options, n, ProblemSort::one_class));
  }
  // One class of a small dataset has too few rows for two halves.
  constexpr std::size_t kEnoughRows = 400;
  append(problems, given(options, log, [](const DatasetInfo& info) -> std::vector<ProblemSort> {
           if (info.is_image) return {};
           return {ProblemSort::one_class};
         }));
  std::erase_if(problems,
                [](const Problem& one) { return one.dataset().rows.rows() < kEnoughRows; });
  return problems;
}

std::vector<Problem> category_problems(const ChoiceOptions& options, std::ostream& log) {
  constexpr auto kSort = ProblemSort::categories;
  std::vector<Problem> problems;
  for (std::size_t n = 0; n < options.problems; ++n) {
    problems.push_back(clusters(options, n, kSort));
    problems.push_back(sum(options, n, kSort));
  }
  append(problems, two_class_tables(options, log, kSort));
  std::vector<Problem> cut;
  for (std::size_t n = 0; n < problems.size(); ++n) {
    const std::size_t levels = 2 + n % 3;
    cut.push_back(generated(fmt::format("{}, {} levels", problems[n].info.name, levels),
                            with_levels(problems[n].dataset(), levels), {kSort}));
  }
  return cut;
}

std::vector<Problem> many_feature_problems(const ChoiceOptions& options, std::ostream& log) {
  std::vector<Problem> problems;
  for (std::size_t n = 0; n < options.problems; ++n) {
    SyntheticOptions wide = study_problem(kFirst + n);
    wide.rows = options.points;
    wide.features = 60 + 20 * (n % 3);
    // As in images, many features depend on few factors.
    wide.redundant = wide.features / 2;
    problems.push_back(generated(fmt::format("wide clusters {}", n), make_classification(wide),
                                 {ProblemSort::two_classes}));
  }
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  const Pairs of_mnist{{"4", "9"}, {"3", "8"}, {"1", "7"}, {"5", "6"}, {"2", "7"}, {"3", "5"}};
  const Pairs of_digits{{"3", "8"}, {"1", "8"}, {"4", "9"}, {"5", "9"}};
  for (const Problem& digits :
       given(options, log, [](const DatasetInfo& info) -> std::vector<ProblemSort> {
         if (info.id != "mnist" && info.id != "digits") return {};
         return {ProblemSort::two_classes};
       })) {
    for (const auto& [a, b] : digits.info.is_image ? of_mnist : of_digits)
      problems.push_back(digit_pair(digits, a, b));
  }
  return problems;
}

}  // namespace bisector::paper
