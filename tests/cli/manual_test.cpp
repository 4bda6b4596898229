// What the command says about itself: help and completion, from one source.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "bisector/method_table.h"
#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

const std::vector<std::string> kVerbWords = {"demo",    "train",   "explain",  "flip",
                                             "predict", "score",   "evaluate", "choose",
                                             "report",  "inspect", "convert"};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(HelpVerb, IsTheHelpOfTheVerb) {
  for (const std::string& verb : kVerbWords)
    for (const std::string option : {"-h", "--help"})
      EXPECT_EQ(output_of({"help", verb}), output_of({verb, option})) << verb;
  EXPECT_EQ(output_of({"help"}), output_of({"--help"}));
}

TEST(HelpVerb, FitsOnAPage) {
  const std::map<std::string, std::size_t> most = {
      {"explain", 30}, {"report", 28}, {"evaluate", 22}, {"train", 34}};
  for (const std::string& verb : kVerbWords) {
    const auto lines = lines_of(output_of({"help", verb}));
    EXPECT_LE(lines.size(), 100u) << verb;
    std::size_t options = 0;
    for (const std::string& line : lines) {
      const auto is_first = [](char c) { return (c & 0xC0) != 0x80; };  // byte of a UTF-8 character
      EXPECT_LE(std::ranges::count_if(line, is_first), 80) << verb << ": " << line;
      options += line.starts_with("  -");
    }
    const auto limit = most.find(verb);
    EXPECT_LE(options, limit == most.end() ? 30 : limit->second) << verb;
  }
}

TEST(HelpVerb, ListsTheOptionsUsedMostFirst) {
  for (const std::string verb : {"train", "explain", "flip", "predict", "evaluate", "report"}) {
    std::istringstream help(output_of({"help", verb}));
    std::vector<std::string> titles;
    std::size_t first = 0;
    for (std::string line; std::getline(help, line);) {
      if (!line.empty() && line[0] != ' ' && line.ends_with(':')) titles.push_back(line);
      first += titles.size() == 2 && line.starts_with("  -");
    }
    ASSERT_GT(titles.size(), 3u) << verb;
    EXPECT_EQ(titles[0], "Arguments:");
    EXPECT_EQ(titles[1], "Options used most:");
    EXPECT_EQ(first, 10u) << verb;
  }
}

TEST(HelpVerb, DescribesEveryMethodAndParameter) {
  const std::string text = output_of({"help", "methods"});
  for (const MethodInfo& method : method_table()) {
    EXPECT_TRUE(has(text, fmt::format("\n  {} ", method.name))) << method.name;
    for (const ParameterInfo& parameter : method.parameters)
      EXPECT_TRUE(has(text, fmt::format("\n  {} ", parameter.name))) << parameter.name;
  }
}

TEST(Completion, HasEveryVerbAndOption) {
  const std::string script = output_of({"completion"});
  for (const std::string& verb : kVerbWords) EXPECT_TRUE(has(script, verb)) << verb;
  for (const std::string option : {"holdout", "method", "curves", "tune-for", "quiet"})
    EXPECT_TRUE(has(script, option)) << option;
  EXPECT_TRUE(has(script, "csv json jsonl npy"));
}

TEST(Version, HasTwoNames) { EXPECT_EQ(output_of({"-V"}), output_of({"--version"})); }

TEST(Quiet, LeavesOutNotes) {
  const Folder folder;
  const auto model = write_model(folder, "m.model", Model(random_classifier(2, {"1", "2"}, 61)));
  const auto data = folder.write("far.csv", "a,b\n1000,1000\n");
  const Outcome loud = run_command({"explain", model, data});
  EXPECT_TRUE(has(loud.err, "note: the row is far from the training data")) << loud.err;
  const Outcome quiet = run_command({"explain", model, data, "--quiet"});
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(quiet.out, loud.out);
  EXPECT_EQ(quiet.status, 0);
  EXPECT_EQ(run_command({"explain", "-q", model, data}).err, "");
  EXPECT_TRUE(has(run_command({"explain", "-q", model, folder.file("no.csv")}).err, "error: "))
      << "errors are no notes";
}

TEST(Formats, OfStandardOutputAreThoseOfFiles) {
  const Folder folder;
  const auto model = write_model(folder, "m.model", Model(random_classifier(2, {"1", "2"}, 61)));
  const auto data = write_csv(folder, "d.csv", random_rows(5, 2, 3), "a,b");
  for (const std::string format : {"csv", "json", "jsonl", "npy"}) {
    const auto file = folder.file("o." + format);
    output_of({"explain", model, data, "-o", file});
    EXPECT_EQ(output_of({"explain", model, data, "--format", format}), folder.read("o." + format))
        << format;
    EXPECT_EQ(
        output_of({"explain", model, data, "--format", format, "--limit", "chunk=2", "-o", "-"}),
        folder.read("o." + format));
    output_of({"explain", model, data, "--format", format, "-o", folder.file("o.any")});
    EXPECT_EQ(folder.read("o.any"), folder.read("o." + format));
  }
}

TEST(Formats, LinesOfJsonStandForThemselves) {
  const Folder folder;
  const auto model = write_model(folder, "m.model", Model(random_classifier(2, {"1", "2"}, 61)));
  const auto data = write_csv(folder, "d.csv", random_rows(5, 2, 3), "a,b");
  const auto whole = nlohmann::json::parse(output_of({"explain", model, data, "--format", "json"}));
  const auto lines = lines_of(output_of({"explain", model, data, "--format", "jsonl"}));
  ASSERT_EQ(lines.size(), 5u);
  for (std::size_t r = 0; r < 5; ++r) {
    const auto row = nlohmann::json::parse(lines[r]);
    EXPECT_EQ(row["g"], whole["rows"][r]["g"]);
    EXPECT_EQ(row["relevance"]["a"], whole["rows"][r]["relevance"][0]);
    EXPECT_EQ(row["relevance"]["b"], whole["rows"][r]["relevance"][1]);
  }
  const auto predictions = lines_of(output_of({"predict", model, data, "--format", "jsonl"}));
  ASSERT_EQ(predictions.size(), 5u);
  EXPECT_TRUE(nlohmann::json::parse(predictions[0])["decisions"].contains("decision"));
}

TEST(Formats, OfNoRowsAreEmptyLines) {
  const Folder folder;
  const auto model = write_model(folder, "m.model", Model(random_classifier(2, {"1", "2"}, 61)));
  const auto data = folder.write("d.csv", "a,b\n");
  EXPECT_EQ(output_of({"explain", model, data, "--format", "jsonl"}), "");
}

TEST(Suggestions, NameWhatIsNear) {
  const auto error_of = [](const std::vector<std::string>& arguments) {
    const Outcome outcome = run_command(arguments);
    EXPECT_EQ(outcome.status, 2);
    return outcome.err;
  };
  EXPECT_TRUE(has(error_of({"exlpain"}), "there is no verb \"exlpain\", did you mean explain?"));
  EXPECT_TRUE(has(error_of({"explain", "m", "d", "--methd", "lrp"}),
                  "explain has no option --methd, did you mean --method?"));
  EXPECT_TRUE(has(error_of({"explain", "m", "d", "--prec=float"}), "did you mean --precision?"));
  EXPECT_TRUE(has(error_of({"explain", "m", "d", "--xyzzy"}), "expected one that its help lists"));
  EXPECT_TRUE(has(error_of({"inspect", "m", "--holdout", "1"}),
                  "inspect has no option --holdout; use it with train"));
}

TEST(ParserErrors, AreInOurOwnWords) {
  const auto error_of = [](const std::vector<std::string>& arguments) {
    const Outcome outcome = run_command(arguments);
    EXPECT_EQ(outcome.status, 2);
    return outcome.err;
  };
  EXPECT_EQ(error_of({"explain"}),
            "error: MODEL is missing, expected bisector explain MODEL DATA [options] (see bisector "
            "explain --help)\n");
  EXPECT_EQ(error_of({"explain", "m", "d", "--top"}),
            "error: --top has no value, expected --top K (see bisector explain --help)\n");
  EXPECT_EQ(error_of({"explain", "m", "d", "--top", "1", "--top", "2"}),
            "error: --top was given 2 times, expected once (see bisector explain --help)\n");
  EXPECT_EQ(error_of({"explain", "m", "d", "e"}),
            "error: \"e\" is one argument too many, expected bisector explain MODEL DATA [options] "
            "(see bisector explain --help)\n");
  EXPECT_EQ(error_of({"explain", "m", "d", "--details=much"}),
            "error: --details was given a value, expected none (see bisector explain --help)\n");
}

}  // namespace
}  // namespace bisector::cli::test
