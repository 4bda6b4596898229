// The verb report: its files and its errors.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "bisector/evaluate.h"
#include "bisector/io/data_reader.h"
#include "bisector/train/neighbors_from_data.h"
#include "cli/cli_support.h"
#include "cli/verbs/report_provenance.h"
#include "tools/page_parts.h"
#include "tools/sha256.h"

namespace bisector::cli::test {
namespace {

/// A small KNN problem.
struct Problem {
  Folder folder;
  std::string training, data, model = folder.file("knn.npz");

  Problem() {
    std::string rows = "a,b,c,d,label\n";
    for (int r = 0; r < 40; ++r)
      rows += std::to_string(r % 7) + "," + std::to_string(r * 3 % 11) + "," +
              std::to_string(r % 5) + "," + std::to_string(r % 3) + "," +
              (r % 7 > 3 ? "yes" : "no") + "\n";
    training = folder.write("training.csv", rows);
    data = folder.write("data.csv", rows);
    write_bundle(model, neighbors_from_data(*open_data(training), training, "label", 3));
  }

  std::vector<std::string> words(std::vector<std::string> more) const {
    std::vector<std::string> all{"report", model, data, "--target", "label"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST(ReportCommand, WritesAPage) {
  const Problem problem;
  if (tools::page_parts().page.empty()) GTEST_SKIP() << "built without npm";
  output_of(
      problem.words({"-o", problem.folder.file("report.html"), "--layout", "2x2", "--evaluate"}));
  const std::string page = problem.folder.read("report.html");
  EXPECT_NE(page.find("Content-Security-Policy"), std::string::npos);
  EXPECT_EQ(page.find("http://"), page.find("http://www.w3.org/2000/svg"));
  EXPECT_NE(page.find("\"pixelFlipping\":{"), std::string::npos);
}

// The evaluated method has the options of the report.
TEST(ReportCommand, EvaluatesTheMethodThatItShows) {
  if (tools::page_parts().page.empty()) GTEST_SKIP() << "built without npm";
  const Folder folder;
  const Model model(random_classifier(4, {"1", "-1"}, 1));
  const Matrix rows = random_rows(40, 4, 2);
  const auto model_file = write_model(folder, "m.model", model);
  const auto data = write_csv(folder, "d.csv", rows);
  const auto curve = [&](double eta) {
    EvaluateOptions options;
    options.explain.reference = {Reference::Kind::mean, {}};
    const std::vector<Candidate> lrp{{"lrp", EtaRule{.eta = eta}}};
    return fmt::format("\"curves\":[{{\"method\":\"lrp\",\"aufc\":{},",
                       evaluate(model, rows, rows, lrp, options).results[0].mean);
  };
  ASSERT_NE(curve(0.0), curve(1.0));
  for (const char* eta : {"0", "1"}) {
    output_of({"report", model_file, data, "-o", folder.file("report.html"), "--evaluate",
               "--method", std::string("lrp:eta=") + eta, "--reference", "mean"});
    EXPECT_NE(folder.read("report.html").find(curve(std::stod(eta))), std::string::npos) << eta;
  }
}

TEST(ReportCommand, ShowsTheRequestedMethodAndUnit) {
  const Problem problem;
  if (tools::page_parts().page.empty()) GTEST_SKIP() << "built without npm";
  const std::string file = problem.folder.file("report.html");
  const auto page = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"-o", file});
    output_of(problem.words(more));
    return problem.folder.read("report.html");
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  const std::string plain = page({});
  EXPECT_TRUE(has(plain, R"("method":"lrp-expected")"));
  EXPECT_TRUE(has(plain, R"("kind":"decision","name":"votes")"));
  EXPECT_TRUE(has(plain, R"("hasBackground":false)"));
  const std::string other =
      page({"--method", "auto:view=data", "--unit", "share", "--background", problem.training});
  EXPECT_TRUE(has(other, R"("neighborhood":0.5)"));
  EXPECT_TRUE(has(other, R"("kind":"share")"));
  EXPECT_TRUE(has(other, R"("hasBackground":true)"));
  EXPECT_TRUE(has(page({"--method", "lrp"}), R"("method":"lrp","reason":"asked for")"));
  EXPECT_TRUE(has(page({"--method", "lrp-expected:references=7,side=other"}),
                  R"("references":7,"seed":0,"side":"other")"));

  const Outcome baseline = run_command(problem.words({"-o", file, "--method", "occlusion"}));
  EXPECT_EQ(baseline.status, 1);
  EXPECT_EQ(baseline.err,
            "error: a report of occlusion was asked for, expected auto, lrp, lrp-path, "
            "lrp-expected, neighborhood, or shapley-exact with a number of references\n");
  EXPECT_EQ(run_command(problem.words({"-o", file, "--method", "lrp:view=data"})).status, 2);
}

TEST(ReportCommand, ComparesPredictionsWithTheTargetAndRenamesClasses) {
  const Problem problem;
  if (tools::page_parts().page.empty()) GTEST_SKIP() << "built without npm";
  const std::string file = problem.folder.file("report.html");
  output_of(problem.words({"-o", file, "--names", "yes=ill", "--names", "unit=points"}));
  const std::string page = problem.folder.read("report.html");
  for (const char* part : {R"("targetName":"label")", R"("quality":{"rows":40)", R"("ill")",
                           R"("kind":"decision","name":"points")"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_EQ(run_command(problem.words({"-o", file, "--names", "ill"})).status, 2);
  const Outcome unknown = run_command(problem.words({"-o", file, "--names", "perhaps=ill"}));
  EXPECT_EQ(unknown.status, 1);
  EXPECT_NE(unknown.err.find("a name for class \"perhaps\" was given, expected one of"),
            std::string::npos);
}

// A support vector machine keeps only some of its training rows as points.
TEST(ReportCommand, SaysThatAllRowsOfItsTrainingFileWereTrainingRows) {
  const Problem problem;
  if (tools::page_parts().page.empty()) GTEST_SKIP() << "built without npm";
  const auto has_all = [&](const std::vector<std::string>& more) {
    const std::string model = problem.folder.file("m.npz");
    std::vector<std::string> train{"train", problem.data, "--target", "label", "-o", model};
    train.insert(train.end(), more.begin(), more.end());
    EXPECT_EQ(run_command(train).status, 0);
    output_of({"report", model, problem.data, "-o", problem.folder.file("report.html")});
    return problem.folder.read("report.html").find(R"("ownPoints":40,)") != std::string::npos;
  };
  EXPECT_TRUE(has_all({"--model", "svm"}));
  EXPECT_FALSE(has_all({"--model", "svm", "--sample", "20"}));
}

TEST(ReportCommand, WritesWhereThePageComesFrom) {
  const Problem problem;
  if (tools::page_parts().page.empty()) GTEST_SKIP() << "built without npm";
  output_of(problem.words({"-o", problem.folder.file("report.html"), "--title", "My page"}));
  const std::string page = problem.folder.read("report.html");
  for (const char* part : {R"(bisector report knn.npz data.csv --target label)",
                           R"(--title \"My page\")", R"("role":"Data file","name":"data.csv")"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_EQ(page.find(problem.folder.file("")), std::string::npos);
}

// The test vectors of FIPS 180-4, and a length at which the padding needs a block of its own.
TEST(ReportCommand, HashesFilesBySha256) {
  const auto hash = [](const std::string& text) {
    std::istringstream in(text);
    return tools::sha256(in);
  };
  EXPECT_EQ(hash(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hash(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(ReportCommand, ExplainsGroupsOfColumnsTogether) {
  const Problem problem;
  if (tools::page_parts().page.empty()) GTEST_SKIP() << "built without npm";
  const std::string groups = problem.folder.write("groups.json", R"({"both": ["a", "c"]})");
  const std::string file = problem.folder.file("report.html");
  output_of(problem.words({"-o", file, "--groups", groups}));
  const std::string page = problem.folder.read("report.html");
  EXPECT_NE(page.find(R"({"name":"both")"), std::string::npos);
  EXPECT_NE(page.find(R"({"name":"b")"), std::string::npos);
  for (const std::vector<std::string>& other : {std::vector<std::string>{"--layout", "2x2"},
                                                {"--layout", "series"},
                                                {"--against", "other.npz"}}) {
    std::vector<std::string> words{"-o", file, "--groups", groups};
    words.insert(words.end(), other.begin(), other.end());
    EXPECT_EQ(run_command(problem.words(words)).status, 2) << other[0];
  }
}

TEST(ReportCommand, ReadsContributionsOfANetworksInputs) {
  const Problem problem;
  if (tools::page_parts().page.empty()) GTEST_SKIP() << "built without npm";
  const Folder& folder = problem.folder;
  std::string inputs, totals;
  for (int r = 0; r < 40; ++r) {
    inputs += fmt::format("{},{}\n", r % 4, 0.5 * r);
    totals += "1,0.5,0\n";
  }
  folder.write("inputs.csv", inputs);
  folder.write("totals.csv", totals);
  const std::string numbers =
      R"("values": "inputs.csv", "relevance": "inputs.csv", "totals": "totals.csv")";
  const auto run = [&](const std::string& json, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"-o", folder.file("report.html"), "--network",
                                   folder.write("network.json", json)};
    words.insert(words.end(), more.begin(), more.end());
    return run_command(problem.words(words));
  };
  const std::string names = R"("network": "Net", "names": ["left", "right"], )";
  const std::string whole = "{" + names + R"("method": "lrp-expected", )" + numbers + "}";
  const Outcome made = run(whole);
  EXPECT_EQ(made.status, 0) << made.err;
  EXPECT_NE(folder.read("report.html").find(R"({"name":"right")"), std::string::npos);
  EXPECT_EQ(run(whole, {"--evaluate"}).status, 2);
  const std::string expected = ", expected the JSON that bisector.torch.Explainer.report writes\n";
  for (const auto& [json, problem_text] : std::vector<std::pair<std::string, std::string>>{
           {"[1]", "broken JSON"},
           {"{" + numbers + "}", "\"method\" is not text"},
           {"{\"method\": \"shapley\", " + numbers + "}",
            "\"method\" is \"shapley\" and not lrp-expected or lrp"},
           {"{\"method\": \"lrp\", \"network\": \"Net\", \"names\": 3, " + numbers + "}",
            "\"names\" is not a list of texts"}}) {
    const Outcome outcome = run(json);
    EXPECT_EQ(outcome.status, 1) << json;
    EXPECT_EQ(outcome.err,
              fmt::format("error: {}: {}{}", folder.file("network.json"), problem_text, expected));
  }
}

TEST(ReportCommand, RejectsInvalidOptions) {
  const Problem problem;
  EXPECT_EQ(run_command(problem.words({"-o", "report.pdf"})).status, 2);
  if (tools::page_parts().page.empty()) GTEST_SKIP() << "built without npm";
  const std::string file = problem.folder.file("report.html");
  for (const char* image : {"28", "x", "0x4", "2x2x1", "-1x4", "99999x1"})
    EXPECT_EQ(run_command(problem.words({"-o", file, "--layout", image})).status, 2) << image;
  const Outcome wrong = run_command(problem.words({"-o", file, "--layout", "3x3"}));
  EXPECT_EQ(wrong.status, 1);
  EXPECT_EQ(wrong.err,
            "error: an image of 3x3 has 9 pixels, the model 4 features: expected as many\n");
  EXPECT_EQ(run_command({"report", problem.model, "-", "-o", file, "--evaluate"}).status, 2);
}

}  // namespace
}  // namespace bisector::cli::test
