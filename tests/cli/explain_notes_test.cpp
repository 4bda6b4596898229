// The notes of `bisector explain`: a missing background, large remainders, and rows without a
// neighbor.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bisector/notes.h"
#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

TEST(ExplainNotes, RecommendsABackgroundForSupportVectors) {
  const Folder folder;
  const Model model(random_classifier(3, {"1", "-1"}, 1));
  const Matrix rows = random_rows(40, 3, 2);
  const auto data = write_csv(folder, "d.csv", rows);
  const auto model_file = write_model(folder, "m.model", model);
  const auto notes = [&](const std::string& file, std::vector<std::string> more) {
    more.insert(more.begin(), {"explain", file, data});
    const Outcome outcome = run_command(more);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::size_t found = 0;
    for (const std::string& line : lines_of(outcome.err))
      found += line.starts_with("note: the base value is the average over the model's own points");
    return found;
  };
  EXPECT_EQ(notes(model_file, {}), 1u);
  EXPECT_EQ(notes(model_file, {"--row", "1"}), 1u);
  EXPECT_EQ(notes(model_file, {"-o", folder.file("out.json")}), 1u);
  EXPECT_EQ(notes(model_file, {"--format", "json"}), 0u);
  EXPECT_EQ(notes(model_file, {"--background", data}), 0u);
  EXPECT_EQ(notes(model_file, {"--unit", "g"}), 0u);
  EXPECT_EQ(notes(model_file, {"-q"}), 0u);
  write_bundle(folder.file("stored.npz"), model.with_unit_scales(compute_unit_scales(model, rows)));
  EXPECT_EQ(notes(folder.file("stored.npz"), {}), 0u);
}

TEST(ExplainNotes, NamesAMethodThatAddsUpWhereTheContributionsMissMuch) {
  const Folder folder;
  const Model model(random_classifier(3, {"1", "-1"}, 1));
  const Matrix rows = random_rows(40, 3, 2);
  const auto data = write_csv(folder, "d.csv", rows);
  const auto model_file = write_model(folder, "m.model", model);
  const Explanation expected = explain(model, rows.view(), EtaRule{});
  std::size_t count = 0;
  for (std::size_t r = 0; r < 40; ++r)
    count +=
        std::abs(expected.remainder[r]) >
        std::max(0.2 * std::abs(expected.output[r] - expected.base[r]), 0.01 * expected.limit[r]);
  ASSERT_GT(count, 2u);
  const std::string note =
      "note: in " + std::to_string(count) +
      " of 40 rows the features leave more than a fifth of the difference from the base value "
      "unexplained, because lrp does not add up to the output there (column remainder): use "
      "--method lrp-path, whose contributions add up\n";
  const auto has_note = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"explain", model_file, data};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command(arguments).err.find(note) != std::string::npos;
  };
  EXPECT_TRUE(has_note({"--method", "lrp"}));
  EXPECT_FALSE(has_note({"--method", "lrp-path"}));
  EXPECT_FALSE(has_note({"--method", "lrp", "--unit", "g"}));
}

TEST(ExplainNotes, CountsRowsWithALargeStretch) {
  const Folder folder;
  const Model model(random_classifier(2, {"1", "-1"}, 3));
  write_bundle(folder.file("m.npz"), model);
  // The relevance starts at one row, far from the mean output of this background.
  const Matrix rows = random_rows(200, 2, 4);
  const auto others = write_csv(folder, "b.csv", rows);
  ExplainOptions options;
  options.background = rows;
  const Explanation expected = explain(model, rows, PathRule{}, options);
  // The stretched rows, and a few others.
  std::vector<double> chosen;
  std::size_t count = 0, all = 0;
  for (std::size_t r = 0; r < 200; ++r) {
    const bool is_counted = is_stretched(expected.stretch[r]);
    if (!is_counted && all >= count + 10) continue;
    chosen.insert(chosen.end(), rows.row(r).begin(), rows.row(r).end());
    count += is_counted ? 1 : 0;
    ++all;
  }
  ASSERT_GT(count, 1u);
  const auto data = write_csv(folder, "d.csv", Matrix(all, 2, chosen));
  const std::string note = fmt::format(
      "note: in {} of {} rows the contributions were scaled by more than 10 to add up "
      "to the output, because the distances say something else than the output there "
      "(column stretch of --details): use --method shapley-exact, whose contributions "
      "add up\n",
      count, all);
  const auto notes = [&](const std::string& unit) {
    return run_command({"explain", folder.file("m.npz"), data, "--background", others, "--method",
                        "lrp-path", "--unit", unit})
        .err;
  };
  EXPECT_NE(notes("decision").find(note), std::string::npos) << notes("decision");
  EXPECT_EQ(notes("g").find("stretch"), std::string::npos);
}

/// Rows of which a tenth are far from the training data.
class FarRows : public testing::Test {
 protected:
  void SetUp() override {
    Matrix rows = random_rows(40, 3, 2);
    for (std::size_t r = 0; r < 4; ++r) rows(10 * r, 0) = 1e4;
    data_ = write_csv(folder_, "d.csv", rows);
    model_ = folder_.file("m.npz");
    const Model model(random_classifier(3, {"1", "-1"}, 1));
    write_bundle(model_, model.with_unit_scales(compute_unit_scales(model, random_rows(40, 3, 5))));
  }

  Outcome run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin() + 1, {model_, data_});
    const Outcome outcome = run_command(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome;
  }

  Folder folder_;
  std::string data_, model_;
  const std::string note_ =
      "4 of 40 rows are far from the training data, where explanations are not reliable (column "
      "outside";
};

TEST_F(FarRows, AreNotedForEveryOutput) {
  for (const std::vector<std::string>& more : {std::vector<std::string>{"explain"},
                                               {"explain", "--limit", "chunk=7"},
                                               {"explain", "--text"},
                                               {"explain", "--all-classes", "--format", "json"},
                                               {"explain", "--interactions"},
                                               {"flip"}})
    EXPECT_NE(run(more).err.find("note: " + note_), std::string::npos) << more.back();
}

TEST_F(FarRows, AreNotedByTheReport) {
  const std::string page = folder_.file("page.html");
  const Outcome outcome = run_command({"report", model_, data_, "-o", page});
  if (outcome.err.find("has no page") != std::string::npos) GTEST_SKIP() << "built without npm";
  EXPECT_NE(outcome.err.find("note: 4 of 40 rows are far from the training data"),
            std::string::npos)
      << outcome.err;
}

TEST_F(FarRows, AreInTheNotesOfJson) {
  for (const std::vector<std::string>& more : {std::vector<std::string>{"explain"},
                                               {"explain", "--all-classes"},
                                               {"explain", "--interactions"},
                                               {"flip"}}) {
    std::vector<std::string> arguments = more;
    arguments.insert(arguments.end(), {"--format", "json"});
    const auto notes = nlohmann::json::parse(run(arguments).out).at("notes");
    const bool has_note = std::ranges::any_of(notes, [&](const auto& note) {
      return note.template get<std::string>().starts_with(note_);
    });
    EXPECT_TRUE(has_note) << more.back() << ": " << notes;
  }
}

TEST_F(FarRows, AreNotNotedIfTheyAreFew) {
  Matrix rows = random_rows(40, 3, 2);
  rows(3, 0) = rows(4, 0) = 1e4;  // 5 %
  data_ = write_csv(folder_, "few.csv", rows);
  // Nothing else is to be noted of exact Shapley values.
  const auto has_note = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"explain", "--method", "shapley-exact"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments).err.find("far from the training data") != std::string::npos;
  };
  EXPECT_FALSE(has_note({}));
  EXPECT_TRUE(has_note({"--row", "4"}));
  EXPECT_FALSE(has_note({"--row", "6"}));
}

TEST(ExplainNotes, RowsWithoutANeighborDoNotStopTheOthers) {
  const Folder folder;
  NeighborVote vote;
  vote.radius = 2.0;
  vote.outlier_class = 1;
  const Model model(
      NeighborModel(Matrix(4, 2, {0, 0, 1, 0, 10, 0, 11, 0}), {0, 0, 1, 1}, {"a", "b"}, 1, vote));
  write_bundle(folder.file("radius.npz"), model);
  const Matrix rows(3, 2, {0.5, 0, 5, 0, 10.5, 0});
  const auto data = write_csv(folder, "d.csv", rows);
  const std::string note =
      "note: 1 of 3 rows has no training row within the radius, so no neighbor votes; the "
      "prediction is "
      "the model's default\n";
  const Outcome explained = run_command({"explain", folder.file("radius.npz"), data});
  EXPECT_EQ(explained.status, 0) << explained.err;
  EXPECT_NE(explained.err.find(note), std::string::npos) << explained.err;
  const Explanation expected = explain(model, rows.view());
  const auto lines = lines_of(explained.out);
  ASSERT_EQ(lines.size(), 4u);
  for (std::size_t r = 0; r < 3; ++r) {
    const auto cells = cells_of(lines[r + 1]);
    EXPECT_EQ(std::stod(cells[4]), expected.output[r]);
    EXPECT_EQ(std::stod(cells[6]), expected.relevance(r, 0));
    EXPECT_EQ(cells.back(), r == 1 ? "true" : "false");
  }
  EXPECT_EQ(cells_of(lines[2])[1], "b");
  EXPECT_EQ(cells_of(lines[2])[6], "0");
  const Outcome predicted = run_command({"predict", folder.file("radius.npz"), data});
  EXPECT_EQ(predicted.status, 0) << predicted.err;
  EXPECT_NE(predicted.err.find("note: 1 row has no training row within the radius"),
            std::string::npos)
      << predicted.err;
}

}  // namespace
}  // namespace bisector::cli::test
