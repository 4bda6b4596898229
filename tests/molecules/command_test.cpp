#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "apps/molecules/command/command.h"
#include "bisector/random.h"
#include "cli/cli_support.h"

namespace bisector::molecules {

using cli::append_number;
using cli::test::cells_of, cli::test::Folder, cli::test::lines_of, cli::test::Outcome,
    cli::test::unwrapped;

namespace {

/// Bent molecules of three atoms whose property "pull" is the distance between the hydrogens.
std::string molecules_text(std::size_t count) {
  Random random(1);
  std::string text;
  for (std::size_t n = 0; n < count; ++n) {
    const double x = 1.0 + 0.3 * random.uniform(), y = 1.0 + 0.3 * random.uniform();
    text += "3\nm" + std::to_string(n + 1) + " pull=";
    append_number(text, std::hypot(x, y));
    text += "\nO 0 0 0\nH ";
    append_number(text, x);
    text += " 0 0\nH 0 ";
    append_number(text, y);
    text += " 0\n";
  }
  return text;
}

Outcome run_command(const std::vector<std::string>& arguments) {
  std::ostringstream out, err;
  const int status = run(arguments, out, err);
  return {status, out.str(), err.str()};
}

/// The output of a command that must succeed.
std::string output_of(const std::vector<std::string>& arguments) {
  const Outcome outcome = run_command(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return outcome.out;
}

class MoleculeCommand : public testing::Test {
 protected:
  void SetUp() override {
    data_ = folder_.write("m.xyz", molecules_text(40));
    model_ = folder_.file("m.npz");
  }
  std::string train(const std::string& representation) {
    return output_of(
        {"train", data_, "--property", "pull", "--representation", representation, "-o", model_});
  }
  Folder folder_;
  std::string data_, model_;
};

TEST_F(MoleculeCommand, TrainPrintsTheCrossValidatedError) {
  const std::string summary = unwrapped(train("bag-of-bonds"));
  EXPECT_NE(summary.find("molecules 40"), std::string::npos) << summary;
  EXPECT_NE(summary.find("features 3 of a bag of bonds"), std::string::npos) << summary;
  EXPECT_NE(summary.find("gamma 3, lambda 0.1"), std::string::npos) << summary;
  EXPECT_NE(summary.find("(5-fold cross-validation)"), std::string::npos) << summary;
}

TEST_F(MoleculeCommand, ModelsCanBeInspected) {
  train("coulomb");
  EXPECT_NE(cli::test::output_of({"inspect", model_}).find("coulomb 1 2"), std::string::npos);
}

TEST_F(MoleculeCommand, PairsAtomsAndJsonAgree) {
  for (const char* representation : {"bag-of-bonds", "coulomb"}) {
    SCOPED_TRACE(representation);
    train(representation);
    output_of({"explain", model_, data_, "-o", folder_.file("why.json")});
    const auto json = nlohmann::json::parse(folder_.read("why.json"));
    ASSERT_EQ(json["molecules"].size(), 40u);
    const auto& seventh = json["molecules"][6];
    EXPECT_EQ(seventh["name"], "m7");
    EXPECT_EQ(seventh["formula"], "H2O");

    double pairs = 0.0, atoms = 0.0;
    std::size_t lines = 0;
    for (const auto& line : lines_of(output_of({"explain", model_, data_}))) {
      const auto cells = cells_of(line);
      if (cells[0] != "7") continue;
      EXPECT_EQ(std::stod(cells[10]), seventh["pairs"][lines]["relevance"].get<double>());
      pairs += std::stod(cells[10]);
      ++lines;
    }
    EXPECT_EQ(lines, std::string(representation) == "coulomb" ? 6u : 3u);
    for (const auto& line :
         lines_of(output_of({"explain", model_, data_, "--per", "atom", "--frame", "7"}))) {
      const auto cells = cells_of(line);
      if (cells[0] == "7") atoms += std::stod(cells[8]);
    }
    EXPECT_NEAR(pairs, atoms, 1e-12 * (1 + std::abs(pairs)));
  }
}

TEST_F(MoleculeCommand, SignFollowsTheLevel) {
  train("bag-of-bonds");
  const auto output_at = [&](const std::string& level) {
    return std::stod(
        cells_of(lines_of(output_of({"explain", model_, data_, "--frame", "1", "--unit", "g",
                                     "--method", "lrp", "--level", level}))[1])[3]);
  };
  EXPECT_GT(output_at("0.5"), 0.0);
  EXPECT_LT(output_at("5"), 0.0);
}

// The molecule has fewer hydrogens than the largest training molecule.
TEST_F(MoleculeCommand, PaddingHasItsOwnLine) {
  train("bag-of-bonds");
  const std::string small = folder_.write("oh.xyz", "2\nradical\nO 0 0 0\nH 0 0 1.1\n");
  const std::string csv = output_of({"explain", model_, small});
  const auto lines = lines_of(csv);
  ASSERT_EQ(lines.size(), 3u) << csv;
  EXPECT_NE(lines[1].find(",1,2,O-H,1.1,"), std::string::npos) << csv;
  EXPECT_NE(lines[2].find(",,,padding,,"), std::string::npos) << csv;
}

TEST_F(MoleculeCommand, DrawsOneMolecule) {
  train("bag-of-bonds");
  const auto several = run_command({"explain", model_, data_, "-o", folder_.file("m.svg")});
  EXPECT_EQ(several.status, 2);
  EXPECT_NE(several.err.find("expected --frame for a picture"), std::string::npos) << several.err;
  output_of({"explain", model_, data_, "--frame", "2", "-o", folder_.file("m.svg")});
  const std::string svg = folder_.read("m.svg");
  EXPECT_TRUE(svg.starts_with("<svg ")) << svg.substr(0, 40);
  EXPECT_NE(svg.find("m2: pull predicted "), std::string::npos);
}

TEST_F(MoleculeCommand, APageShowsTheLargestPredictions) {
  train("bag-of-bonds");
  output_of({"explain", model_, data_, "--largest", "5", "-o", folder_.file("m.html")});
  const std::string page = folder_.read("m.html");
  const std::string begin = "id=\"molecule-data\">";
  const std::size_t first = page.find(begin) + begin.size();
  const auto json =
      nlohmann::json::parse(page.substr(first, page.find("</script>", first) - first));
  EXPECT_EQ(json["title"], "Predicting pull");
  EXPECT_NE(json["description"].get<std::string>().find("The 5 of the 40 molecules"),
            std::string::npos);
  std::vector<double> shown, all;
  for (const auto& molecule : json["molecules"]) shown.push_back(molecule["prediction"]);
  output_of({"explain", model_, data_, "-o", folder_.file("why.json")});
  const auto table = nlohmann::json::parse(folder_.read("why.json"));
  for (const auto& molecule : table["molecules"]) all.push_back(molecule["prediction"]);
  std::ranges::sort(all, std::greater{});
  all.resize(5);
  EXPECT_EQ(shown, all);
  const Outcome table_of_largest = run_command({"explain", model_, data_, "--largest", "5"});
  EXPECT_EQ(table_of_largest.status, 2);
  EXPECT_NE(table_of_largest.err.find("needs a page; add -o FILE.html"), std::string::npos);
}

/// base + sum of the relevance + remainder of the first molecule, and the JSON of all.
std::pair<double, nlohmann::json> total_and_json(const std::vector<std::string>& arguments) {
  const auto json = nlohmann::json::parse(output_of(arguments));
  const auto& first = json["molecules"][0];
  double sum = first["base"].get<double>() + first["remainder"].get<double>() +
               first["padding"].get<double>();
  for (const auto& pair : first["pairs"]) sum += pair["relevance"].get<double>();
  return {sum, json};
}

TEST_F(MoleculeCommand, RelevanceIsInTheUnitOfThePropertyByDefault) {
  train("bag-of-bonds");
  const auto [sum, json] = total_and_json({"explain", model_, data_, "--format", "json"});
  EXPECT_EQ(json["unit"], "decision");
  EXPECT_NEAR(sum, json["molecules"][0]["output"], 1e-9);
}

TEST_F(MoleculeCommand, EveryMethodAndUnitCanBeChosen) {
  train("bag-of-bonds");
  for (const std::string method : {"lrp", "lrp-expected", "shapley-exact", "gi"}) {
    const auto [sum, json] =
        total_and_json({"explain", model_, data_, "--method", method, "--format", "json"});
    EXPECT_EQ(json["method"], method);
    EXPECT_NEAR(sum, json["molecules"][0]["output"], 1e-9);
  }
  const auto [sum, json] = total_and_json(
      {"explain", model_, data_, "--method", "lrp", "--unit", "g", "--format", "json"});
  EXPECT_EQ(json["unit"], "g");
  EXPECT_NEAR(sum, json["molecules"][0]["output"], 1e-9);
}

TEST_F(MoleculeCommand, ErrorsAreOneLineWithThePlace) {
  train("bag-of-bonds");
  const auto error_of = [&](const std::vector<std::string>& arguments, int status) {
    const Outcome outcome = run_command(arguments);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    return outcome.err;
  };
  const auto expect_part = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect_part(error_of({"train", data_, "--property", "mu", "-o", model_}, 1),
              "m.xyz:2: frame 1: no property \"mu\", expected one of pull");
  const std::string large = folder_.write("large.xyz", "1\nx\nH 0 0 0\n2\ny\nN 0 0 0\nH 0 0 1\n");
  expect_part(error_of({"explain", model_, large, "--frame", "2"}, 1),
              "large.xyz:5: frame 2: 1 pairs of N-H, expected at most 0, as in the model");
  expect_part(error_of({"explain", model_, data_, "--frame", "41"}, 1),
              "m.xyz has 40 molecules, expected at least 41");
  const std::string broken = folder_.write("broken.xyz", "2\nx\nH 0 0 0\n");
  expect_part(error_of({"explain", model_, broken}, 1),
              "broken.xyz:3: frame 1: the text ends after 1 of 2 atoms");
  expect_part(
      error_of({"explain", model_, data_, "--per", "atom", "-o", folder_.file("a.json")}, 2),
      "--per needs CSV");
  expect_part(
      error_of({"train", data_, "--property", "pull", "--tune", "--gamma", "1", "-o", model_}, 2),
      "(see bisector-molecules train --help)");
  expect_part(error_of({"explain", model_, data_, "--method", "magic"}, 2), "magic");
  expect_part(error_of({"explain", model_, data_, "-o", data_}, 2), "the input would be lost");
  EXPECT_EQ(run_command({}).status, 0);  // prints the help
}

TEST_F(MoleculeCommand, RefusesAModelOfATable) {
  const std::string csv = folder_.write("t.csv", "a,y\n1,2\n2,3\n3,5\n4,7\n5,9\n");
  cli::test::output_of({"train", csv, "--target", "y", "--model", "krr", "-o", model_});
  const Outcome outcome = run_command({"explain", model_, data_});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("was the model trained on molecules?"), std::string::npos)
      << outcome.err;
}

TEST_F(MoleculeCommand, PredictShowsTheActualValueIfItIsKnown) {
  train("bag-of-bonds");
  const auto lines = lines_of(output_of({"predict", model_, data_}));
  ASSERT_EQ(lines.size(), 41u);
  EXPECT_EQ(lines[0], "frame,name,formula,prediction,pull");
  const auto explained =
      nlohmann::json::parse(output_of({"explain", model_, data_, "--format", "json"}));
  const auto first = cells_of(lines[1]);
  EXPECT_EQ(first[0], "1");
  EXPECT_EQ(first[2], "H2O");
  EXPECT_EQ(std::stod(first[3]), explained["molecules"][0]["prediction"]);
  EXPECT_NEAR(std::stod(first[3]), std::stod(first[4]), 0.2);
  const auto json =
      nlohmann::json::parse(output_of({"predict", model_, data_, "--format", "json"}));
  EXPECT_EQ(json["property"], "pull");
  EXPECT_EQ(json["molecules"].size(), 40u);
  EXPECT_EQ(json["molecules"][2]["target"], std::stod(cells_of(lines[3])[4]));
  EXPECT_EQ(lines_of(output_of({"predict", model_, data_, "--format", "jsonl"})).size(), 40u);
}

TEST_F(MoleculeCommand, PredictLeavesUnknownValuesEmpty) {
  train("bag-of-bonds");
  const auto unknown = folder_.write("u.xyz", "3\nwater\nO 0 0 0\nH 1 0 0\nH 0 1 0\n");
  const auto lines = lines_of(output_of({"predict", model_, unknown}));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_TRUE(lines[1].ends_with(",")) << lines[1];
}

}  // namespace
}  // namespace bisector::molecules
