// Which rows are noted, from how many on, and what the notes say.
#include "bisector/notes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bisector/random.h"
#include "reference/random_models.h"

namespace bisector {
namespace {

/// An explanation of rows that need no care.
Explanation plain(std::size_t rows) {
  Explanation e;
  e.unit = Unit::decision;
  e.output.assign(rows, 1.0);
  e.base.assign(rows, 0.0);
  e.remainder.assign(rows, 0.0);
  e.limit.assign(rows, 2.0);
  e.stretch.assign(rows, 1.0);
  e.tie = e.outside = e.alike = e.without_neighbors = std::vector<bool>(rows, false);
  return e;
}

std::vector<Note> notes_on(const Explanation& e, const ExplainSettings& settings = {}) {
  NoteCounts counts;
  counts.add(e);
  return notes_of(counts, settings);
}

TEST(Notes, RowsAreNotedIfTheyAreMoreThanATwentiethAndAtLeastTwo) {
  const auto notes_for = [](std::size_t far, std::size_t rows) {
    Explanation e = plain(rows);
    for (std::size_t r = 0; r < far; ++r) e.outside[r] = true;
    return notes_on(e);
  };
  EXPECT_TRUE(notes_for(0, 100).empty());
  EXPECT_TRUE(notes_for(5, 100).empty());
  EXPECT_EQ(notes_for(6, 100), (std::vector<Note>{{Note::Kind::outside, 6, 100}}));
  EXPECT_TRUE(notes_for(1, 10).empty());
  EXPECT_EQ(notes_for(2, 10), (std::vector<Note>{{Note::Kind::outside, 2, 10}}));
  EXPECT_EQ(notes_for(1, 1), (std::vector<Note>{{Note::Kind::outside, 1, 1}}));
}

TEST(Notes, RowsThatNeedCareForDifferentReasonsCountTogether) {
  Explanation e = plain(100);
  for (std::size_t r = 0; r < 3; ++r) e.outside[r] = true;
  for (std::size_t r = 3; r < 5; ++r) e.stretch[r] = r == 3 ? 11.0 : 1.0 / 11.0;
  EXPECT_TRUE(notes_on(e).empty());
  e.remainder[5] = 0.3;
  EXPECT_EQ(notes_on(e), (std::vector<Note>{{Note::Kind::unexplained, 1, 100},
                                            {Note::Kind::stretched, 2, 100},
                                            {Note::Kind::outside, 3, 100}}));
}

TEST(Notes, ARemainderCountsRelativeToTheDifferenceAndToTheRangeOfTheOutput) {
  const auto is_noted = [](double remainder, double output, double limit, Unit unit) {
    Explanation e = plain(1);
    e.unit = unit;
    e.remainder[0] = remainder;
    e.output[0] = output;
    e.limit[0] = limit;
    return !notes_on(e).empty();
  };
  EXPECT_TRUE(is_noted(0.21, 1.0, 2.0, Unit::decision));
  EXPECT_FALSE(is_noted(0.19, 1.0, 2.0, Unit::decision));
  EXPECT_FALSE(is_noted(0.21, 1.0, 22.0, Unit::decision));  // a hundredth of the range
  EXPECT_TRUE(is_noted(-0.05, 0.0, 2.0, Unit::decision));
  EXPECT_FALSE(is_noted(0.21, 1.0, 2.0, Unit::g));
}

TEST(Notes, ChunksOfAStreamGiveTheNotesOfAllRows) {
  Explanation e = plain(30);
  for (std::size_t r = 0; r < 4; ++r) e.outside[7 * r] = true;
  NoteCounts counts;
  for (std::size_t first = 0; first < 30; first += 10) {
    Explanation part = plain(10);
    for (std::size_t r = 0; r < 10; ++r) part.outside[r] = e.outside[first + r];
    counts.add(part);
  }
  EXPECT_EQ(notes_of(counts, {}), notes_on(e));
}

TEST(Notes, SentencesSayHowManyAndWhatToTypeInEveryFrontEnd) {
  ExplainSettings settings;
  settings.method = "lrp";
  settings.adds_up = "lrp-path";
  const Note note{Note::Kind::unexplained, 12, 178};
  const std::string command = sentence(note, settings, FrontEnd::command);
  EXPECT_TRUE(
      command.starts_with("in 12 of 178 rows the features leave more than a fifth of the "
                          "difference from the base value unexplained"))
      << command;
  EXPECT_NE(command.find("(column remainder): use --method lrp-path"), std::string::npos);
  EXPECT_NE(sentence(note, settings, FrontEnd::python).find("use method=\"lrp-path\""),
            std::string::npos);
  EXPECT_NE(sentence(note, settings, FrontEnd::page).find("with the method lrp-path"),
            std::string::npos);
  for (const FrontEnd front_end : {FrontEnd::command, FrontEnd::python, FrontEnd::page}) {
    for (const Note::Kind kind :
         {Note::Kind::tie, Note::Kind::without_neighbors, Note::Kind::unexplained,
          Note::Kind::stretched, Note::Kind::outside, Note::Kind::alike, Note::Kind::own_points}) {
      for (const std::size_t rows : {1u, 2u}) {
        const std::string text = sentence({kind, rows, 2}, settings, front_end);
        EXPECT_FALSE(text.empty() || text.ends_with('.')) << text;
        EXPECT_EQ(text.find('{'), std::string::npos) << text;
      }
    }
  }
}

TEST(Notes, AModelThatAnswersNearlyAllBackgroundRowsAlikeIsNoted) {
  // Only one of 40 background rows is near to a point.
  const KernelMachine machine(Matrix(2, 1, {0.0, 1.0}), {1.0, -1.0}, Kernel(4.0), 0.5);
  const Model model(KernelClassifier::two_class(machine, "a", "b"));
  Matrix rows(40, 1);
  for (std::size_t r = 0; r < 40; ++r) rows(r, 0) = 10.0 + static_cast<double>(r);
  rows(0, 0) = 0.0;
  ExplainOptions options;
  options.background = rows;
  const auto kinds = [&](const Method& method) {
    std::vector<Note::Kind> found;
    for (const Note& note : notes_on(explain(model, rows, method, options)))
      found.push_back(note.kind);
    return found;
  };
  for (const Method& method :
       {Method(PathRule{}), Method(ExactShapley{}), Method(SampledShapley{})})
    EXPECT_EQ(std::ranges::count(kinds(method), Note::Kind::alike), 1);
  rows(1, 0) = rows(2, 0) = rows(3, 0) = 1.0;
  options.background = rows;
  EXPECT_EQ(std::ranges::count(kinds(PathRule{}), Note::Kind::alike), 0);
}

// The remainder of a class is compared with the range of the outputs of the class.
TEST(Notes, AllClassesAreNotedAsOneExplanationIs) {
  Random random(3);
  const Matrix rows = reference::random_matrix(random, 30, 3);
  const std::vector<double> coefficients = [&] {
    std::vector<double> values;
    for (int n = 0; n < 30; ++n) values.push_back(n % 2 == 0 ? 1.0 : -1.0);
    return values;
  }();
  const Model model(
      KernelClassifier::two_class(KernelMachine(rows, coefficients, Kernel(0.5), 0.3), "a", "b"));
  ExplainOptions options;
  options.background = rows;
  const Explainer explainer(model, EtaRule{}, options);
  NoteCounts one, all;
  one.add(explainer(rows));
  all.add(explainer.all_classes(rows));
  ASSERT_GT(one.unexplained, 0u);
  EXPECT_EQ(all.rows, one.rows);
  EXPECT_EQ(all.unexplained, one.unexplained);
  EXPECT_EQ(all.outside, one.outside);
}

}  // namespace
}  // namespace bisector
