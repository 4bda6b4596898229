// bisector flip: answers in words, CSV and JSON that the model confirms.
#include <gtest/gtest.h>

#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

using Json = nlohmann::json;

/// Credits with numbers and levels, and a risk that follows them.
std::string credits_csv(std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  std::string text = "duration,amount,savings,risk\n";
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t duration = 6 + random.below(42), amount = 500 + random.below(8000);
    const bool has_savings = random.below(2) == 1;
    const double risk = static_cast<double>(duration) / 24.0 +
                        static_cast<double>(amount) / 5000.0 - (has_savings ? 1.0 : 0.0);
    text += std::to_string(duration) + ',' + std::to_string(amount) + ',' +
            (has_savings ? "some" : "none") + ',' + (risk > 1.2 ? "bad\n" : "good\n");
  }
  return text;
}

class FlipCommand : public testing::Test {
 protected:
  Folder folder_;
  std::string data_ = folder_.write("credits.csv", credits_csv(120, 3));
  std::string model_ = folder_.file("m.npz");

  void SetUp() override {
    output_of({"train", data_, "--target", "risk", "--model", "svm", "-o", model_, "-q"});
  }
  std::string flip(std::vector<std::string> more) const {
    std::vector<std::string> arguments = {"flip", model_, data_, "-q"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return output_of(arguments);
  }
};

TEST_F(FlipCommand, ARowIsAnsweredInWords) {
  const std::string text = flip({"--row", "3"});
  EXPECT_TRUE(text.starts_with("Row 3: predicted ")) << text;
  EXPECT_NE(text.find("would be "), std::string::npos) << text;
  EXPECT_NE(text.find(" → "), std::string::npos) << text;
  EXPECT_NE(text.find("no change shorter than "), std::string::npos) << text;
  EXPECT_NE(text.find("nearest row with the other outcome: row "), std::string::npos) << text;
  EXPECT_TRUE(
      text.ends_with("\nDistances are Euclidean, after the model's scaling of the columns.\n"))
      << text;
}

TEST_F(FlipCommand, TheRadiusCanBeLeftOut) {
  const std::string with = flip({"--row", "3"}), without = flip({"--row", "3", "--no-radius"});
  EXPECT_EQ(without.find("no change shorter than "), std::string::npos) << without;
  EXPECT_LT(without.size(), with.size());
  EXPECT_TRUE(with.starts_with(without.substr(0, without.find("nearest row")))) << without;
}

TEST_F(FlipCommand, ChangedRowsOfTheCsvAreFlippedWhenTheyAreReadAgain) {
  const std::string flips = folder_.file("flips.csv");
  flip({"-o", flips, "--fix", "savings"});
  const std::string predicted =
      output_of({"predict", model_, flips, "--keep", "flipped", "--keep", "prediction", "-q"});
  std::istringstream lines(predicted);
  std::string line;
  std::getline(lines, line);
  EXPECT_TRUE(line.starts_with("row,flipped,prediction_,prediction")) << line;
  std::size_t count = 0;
  while (std::getline(lines, line)) {
    const auto first = line.find(','), second = line.find(',', first + 1);
    const auto third = line.find(',', second + 1), fourth = line.find(',', third + 1);
    const std::string flipped = line.substr(first + 1, second - first - 1);
    const std::string own = line.substr(second + 1, third - second - 1);
    EXPECT_EQ(line.substr(third + 1, fourth - third - 1), flipped);
    EXPECT_NE(own, flipped);
    ++count;
  }
  EXPECT_EQ(count, 120u);
}

TEST_F(FlipCommand, ConstraintsAndSeveralAnswersInJson) {
  const Json json = Json::parse(flip({"--format", "json", "--only", "duration", "--only", "amount",
                                      "--decrease", "amount", "--count", "2", "--changes", "1"}));
  ASSERT_EQ(json["rows"].size(), 120u);
  for (const Json& row : json["rows"]) {
    for (const Json& answer : row["flips"]) {
      EXPECT_EQ(answer["changes"].size(), 1u);
      EXPECT_FALSE(answer["changes"].contains("savings"));
      EXPECT_LE(row["radius"], answer["distance"]);
      if (answer["changes"].contains("amount")) {
        EXPECT_LT(answer["changes"]["amount"][1], answer["changes"]["amount"][0]);
      }
    }
  }
}

TEST_F(FlipCommand, RegressorsReachAValue) {
  const std::string model = folder_.file("amount.npz");
  output_of({"train", data_, "--target", "amount", "--model", "krr", "-o", model, "-q"});
  const Json json =
      Json::parse(output_of({"flip", model, data_, "--to", "4000", "--format", "json", "-q"}));
  for (const Json& row : json["rows"])
    for (const Json& answer : row["flips"])
      EXPECT_EQ(row["prediction"] < 4000.0, answer["prediction"] >= 4000.0);
  const std::string text =
      output_of({"flip", model, data_, "--to", "4000", "--row", "3", "--text", "-q"});
  EXPECT_NE(text.find("\n  would reach 4000 if: "), std::string::npos) << text;
  EXPECT_NE(text.find(" (predicted "), std::string::npos) << text;
  EXPECT_NE(text.find("\n  nearest row that reaches 4000: row "), std::string::npos) << text;
  EXPECT_EQ(text.find("flip"), std::string::npos) << text;
}

TEST_F(FlipCommand, AColumnThatMayOnlyIncreaseAndOnlyDecreaseIsRefused) {
  const Outcome outcome =
      run_command({"flip", model_, data_, "--increase", "amount", "--decrease", "amount", "-q"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("--increase and --decrease both name column \"amount\""),
            std::string::npos)
      << outcome.err;
}

TEST_F(FlipCommand, RowsThatHaveTheClassToReachSaySo) {
  for (const std::string to : {"good", "bad"}) {
    const std::string text = flip({"--to", to, "--text"});
    for (std::size_t at = text.find("predicted " + to); at != std::string::npos;
         at = text.find("predicted " + to, at + 1))
      EXPECT_EQ(text.find("\n  is already " + to + "\n", at), at + 10 + to.size()) << text;
    EXPECT_NE(text.find("is already " + to), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace bisector::cli::test
