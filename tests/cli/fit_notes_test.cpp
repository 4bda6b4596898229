// What train says before a long fit. The rows are views of one row, so that many cost nothing.
#include "cli/writers/fit_notes.h"

#include <gtest/gtest.h>

#include <sstream>

#include "bisector/error.h"
#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

constexpr double kRow[] = {0.5, -1.0};

MatrixView<const double> same_rows(std::size_t count) {
  return MatrixView<const double>(kRow, count, 2, 0);
}

std::string note_of(const Learner& learner, std::size_t rows, const Target& target) {
  std::ostringstream notes;
  announce_fit({learner, same_rows(rows), target, std::nullopt, 0, 1}, notes);
  return notes.str();
}

TEST(FitNotes, AreSilentAboutSmallFits) {
  EXPECT_EQ(note_of(RidgeLearner{}, 2000, std::vector<double>(2000)), "");
  EXPECT_EQ(note_of(NeighborLearner{}, 1'000'000, Target{}), "");
}

TEST(FitNotes, SayWhatMemoryKernelRidgeNeeds) {
  EXPECT_EQ(note_of(RidgeLearner{}, 12000, std::vector<double>(12000)),
            "note: kernel ridge on 12000 rows needs 1.2 GB of memory\n");
}

TEST(FitNotes, EstimateTheTimeAndOfferASample) {
  ClassTarget target{{}, {"a", "b"}};
  for (std::size_t r = 0; r < 50'001; ++r) target.classes.push_back(r % 2);
  const std::string note = note_of(SvmLearner{}, 50'001, target);
  EXPECT_EQ(note.rfind("note: a support vector machine on 50001 rows needs ", 0), 0u) << note;
  EXPECT_NE(note.find(" of memory and about "), std::string::npos) << note;
  EXPECT_NE(
      note.find("above 50000 rows an exact solver is slow; use --sample N to train on N rows\n"),
      std::string::npos)
      << note;
}

TEST(FitNotes, RefuseWhatTheMachineCannotHold) {
  std::ostringstream notes;
  const Learner learner = RidgeLearner{};
  const Target target = std::vector<double>();
  const std::optional<TuneOptions> tune = TuneOptions{};
  try {
    announce_fit({learner, same_rows(10'000'000), target, tune, 0, 1}, notes);
    FAIL() << "no error";
  } catch (const InvalidInput& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.rfind("kernel ridge on 10000000 rows, tuned, needs 2400000.0 GB of memory, ", 0),
              0u)
        << text;
    EXPECT_NE(text.find("use --sample N to train on N rows"), std::string::npos) << text;
  }
}

TEST(FitNotes, HaveUnitsForPeople) {
  EXPECT_EQ(bytes_text(1'600'000'000), "1.6 GB");
  EXPECT_EQ(bytes_text(25'300'000), "26 MB");
  EXPECT_EQ(duration_text(0.3), "1 second");
  EXPECT_EQ(duration_text(119.0), "119 seconds");
  EXPECT_EQ(duration_text(1500.0), "25 minutes");
  EXPECT_EQ(duration_text(10800.0), "3 hours");
  EXPECT_EQ(duration_text(300000.0), "3 days");
}

}  // namespace
}  // namespace bisector::cli::test
