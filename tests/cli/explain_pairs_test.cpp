// `bisector explain --groups` and `--interactions` against sums over all subsets of the players,
// and the pairs of points of `--evidence`.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>

#include "bisector/explain.h"
#include "bisector/interactions.h"
#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

constexpr std::size_t kFeatures = 6;
constexpr double kGamma = 0.3;

KernelMachine machine() {
  return KernelMachine(random_rows(12, kFeatures, 5), random_rows(1, 12, 6).values(),
                       Kernel(kGamma), 0.1);
}

double value(const KernelMachine& machine, std::span<const double> x) {
  double sum = machine.intercept();
  for (std::size_t n = 0; n < machine.coefficients().size(); ++n) {
    double distance = 0.0;
    for (std::size_t d = 0; d < kFeatures; ++d)
      distance += std::pow(x[d] - machine.points()(n, d), 2);
    sum += machine.coefficients()[n] * std::exp(-kGamma * distance);
  }
  return sum;
}

/// The mean output over the references if the players in a set of bits have the row's values.
class Game {
 public:
  Game(std::span<const double> row, const Matrix& references, std::vector<std::size_t> players)
      : row_(row), references_(references), players_(std::move(players)) {
    for (const std::size_t player : players_) count_ = std::max(count_, player + 1);
  }
  std::size_t players() const { return count_; }
  double operator()(std::size_t present) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < references_.rows(); ++k) {
      std::vector<double> x(kFeatures);
      for (std::size_t d = 0; d < kFeatures; ++d)
        x[d] = (present >> players_[d] & 1) != 0 ? row_[d] : references_(k, d);
      sum += value(machine_, x);
    }
    return sum / static_cast<double>(references_.rows());
  }

 private:
  KernelMachine machine_ = machine();
  std::span<const double> row_;
  const Matrix& references_;
  std::vector<std::size_t> players_;
  std::size_t count_ = 0;
};

double factorial(std::size_t n) { return std::tgamma(static_cast<double>(n) + 1.0); }

/// Sums difference(S) with the weights of Shapley values over all sets S without the `left_out`.
double weighted_sum(std::size_t players, std::size_t left_out,
                    const std::function<double(std::size_t)>& difference) {
  const auto others = players - static_cast<std::size_t>(std::popcount(left_out));
  double sum = 0.0;
  for (std::size_t set = 0; set < std::size_t{1} << players; ++set) {
    if ((set & left_out) != 0) continue;
    const auto size = static_cast<std::size_t>(std::popcount(set));
    sum += factorial(size) * factorial(others - size) / factorial(others + 1) * difference(set);
  }
  return sum;
}

double shapley(const Game& game, std::size_t p) {
  const std::size_t own = std::size_t{1} << p;
  return weighted_sum(game.players(), own,
                      [&](std::size_t set) { return game(set | own) - game(set); });
}

double interaction(const Game& game, std::size_t p, std::size_t q) {
  const std::size_t a = std::size_t{1} << p, b = std::size_t{1} << q;
  return weighted_sum(game.players(), a | b, [&](std::size_t set) {
    return game(set | a | b) - game(set | a) - game(set | b) + game(set);
  });
}

/// A regressor, rows and a background in files.
struct Files {
  Folder folder;
  Matrix rows = random_rows(3, kFeatures, 7), background = random_rows(4, kFeatures, 8);
  std::string model, data, references;

  Files() {
    const std::vector<std::string> names = {"a", "b", "c", "d", "e", "f"};
    write_bundle(folder.file("m.npz"), Model(KernelRegressor{machine(), 0.0}, {}, names));
    model = folder.file("m.npz");
    data = write_csv(folder, "d.csv", rows, "a,b,c,d,e,f");
    references = write_csv(folder, "b.csv", background, "a,b,c,d,e,f");
  }
  std::vector<std::string> command(std::vector<std::string> more) const {
    std::vector<std::string> words = {"explain",       model,          data,      "--method",
                                      "shapley-exact", "--background", references};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

constexpr auto kGroups = R"({"ends": ["a", "f"], "middle": ["d", "c"]})";
const std::vector<std::size_t> kPlayers = {0, 1, 2, 2, 3, 0};  // ends, b, middle, e

TEST(ExplainGroups, ExactShapleyValuesAreThoseOfTheGroups) {
  const Files files;
  const auto groups = files.folder.write("g.json", kGroups);
  const auto lines = lines_of(output_of(files.command({"--groups", groups})));
  EXPECT_EQ(lines[0], "row,prediction,output,base,ends,b,middle,e,remainder,outside,tie");
  for (std::size_t r = 0; r < 3; ++r) {
    const auto cells = cells_of(lines[r + 1]);
    const Game game(files.rows.row(r), files.background, kPlayers);
    for (std::size_t p = 0; p < 4; ++p)
      EXPECT_NEAR(std::stod(cells[4 + p]), shapley(game, p), 1e-9);
  }
}

TEST(ExplainGroups, OtherMethodsAreSummedAndCsvGivesTheSameGroups) {
  const Files files;
  const auto json = files.folder.write("g.json", kGroups);
  const auto csv =
      files.folder.write("g.csv", "column,group\na,ends\nb,\nf,ends\nc,middle\nd,middle\n");
  for (const char* method : {"lrp-expected", "occlusion"}) {
    const std::vector<std::string> words = {"explain", files.model, files.data, "--method", method};
    auto grouped = words, same = words;
    grouped.insert(grouped.end(), {"--groups", json});
    same.insert(same.end(), {"--groups", csv});
    const std::string text = output_of(grouped);
    EXPECT_EQ(output_of(same), text);
    const auto alone = cells_of(lines_of(output_of(words))[1]), cells = cells_of(lines_of(text)[1]);
    std::vector<double> sums(4, 0.0);
    for (std::size_t d = 0; d < kFeatures; ++d) sums[kPlayers[d]] += std::stod(alone[4 + d]);
    for (std::size_t p = 0; p < 4; ++p) EXPECT_NEAR(std::stod(cells[4 + p]), sums[p], 1e-12);
  }
}

TEST(ExplainGroups, EveryFormatHasThem) {
  const Files files;
  const auto groups = files.folder.write("g.json", kGroups);
  const auto json = nlohmann::json::parse(
      output_of(files.command({"--groups", groups, "--format", "json", "--top", "2"})));
  EXPECT_EQ(json["features"], nlohmann::json({"ends", "b", "middle", "e"}));
  EXPECT_EQ(json["groups"]["middle"], nlohmann::json({"c", "d"}));
  for (const auto& entry : json["rows"][0]["relevance"])
    EXPECT_EQ(entry["value"].is_null(), entry["feature"] == "ends" || entry["feature"] == "middle");
  const std::string text = output_of(files.command({"--groups", groups, "--row", "2"}));
  EXPECT_NE(text.find("middle"), std::string::npos);
}

TEST(ExplainGroups, MistakesNameTheFileAndTheColumn) {
  const Files files;
  const auto error_of = [&](const std::string& content) {
    const auto groups = files.folder.write("g", content);
    const Outcome outcome = run_command(files.command({"--groups", groups}));
    EXPECT_EQ(outcome.status, 1);
    return outcome.err;
  };
  const std::map<std::string, std::string> mistakes = {
      {R"({"ends": ["z"]})", "has the column \"z\", expected columns of the model: a, b"},
      {R"({"x": ["a"], "y": ["a"]})", "column \"a\" is in the groups \"x\" and \"y\""},
      {R"({"b": ["a", "c"]})", "group \"b\" has the name of a column that is not in it"},
      {R"({"x": []})", "group \"x\" has no columns"},
      {R"({"x": "a"})", "group \"x\" is not a list of columns, expected JSON"},
      {R"({"x": )", "broken JSON, expected JSON"},
      {"name,group\na,x\n", "no column \"column\", expected JSON"}};
  for (const auto& [content, message] : mistakes)
    EXPECT_NE(error_of(content).find(message), std::string::npos) << error_of(content);
}

TEST(ExplainInteractions, CsvHasTheStrongestPairsOfEveryRow) {
  const Files files;
  const auto lines =
      lines_of(output_of(files.command({"--interactions", "--top", "15", "--format", "csv"})));
  EXPECT_EQ(lines[0], "row,rank,first,second,interaction,outside,tie");
  ASSERT_EQ(lines.size(), 1u + 3u * 15u);
  double last = 0.0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto cells = cells_of(lines[i]);
    const auto row = static_cast<std::size_t>(std::stoul(cells[0])) - 1;
    const Game game(files.rows.row(row), files.background, {0, 1, 2, 3, 4, 5});
    const double found = std::stod(cells[4]);
    EXPECT_NEAR(found, interaction(game, cells[2][0] - 'a', cells[3][0] - 'a'), 1e-9);
    if (cells[1] != "1") {
      EXPECT_LE(std::abs(found), last);
    }
    last = std::abs(found);
  }
}

TEST(ExplainInteractions, JsonHasPairsOfGroupsAndTheirMeans) {
  const Files files;
  const auto groups = files.folder.write("g.json", kGroups);
  const auto json = nlohmann::json::parse(output_of(
      files.command({"--interactions", "--groups", groups, "--top", "6", "--format", "json"})));
  EXPECT_EQ(json["interactions"]["method"], "shapley");
  EXPECT_EQ(json["interactions"]["unit"], "decision");
  const std::vector<std::string> names = json["features"];
  const auto player = [&](const nlohmann::json& name) {
    return static_cast<std::size_t>(std::ranges::find(names, name.get<std::string>()) -
                                    names.begin());
  };
  ASSERT_EQ(json["pairs"].size(), 6u);
  for (const auto& pair : json["pairs"]) {
    double size = 0.0, mean = 0.0;
    for (std::size_t r = 0; r < 3; ++r) {
      const Game game(files.rows.row(r), files.background, kPlayers);
      const double index = interaction(game, player(pair["first"]), player(pair["second"]));
      size += std::abs(index) / 3.0;
      mean += index / 3.0;
    }
    EXPECT_NEAR(pair["mean_size"].get<double>(), size, 1e-9);
    EXPECT_NEAR(pair["mean"].get<double>(), mean, 1e-9);
  }
}

TEST(ExplainInteractions, NpyRowsSumToExactShapleyValues) {
  const Files files;
  const auto pairs = files.folder.file("pairs.npy"), values = files.folder.file("values.npy");
  output_of(files.command({"--interactions", "-o", pairs}));
  output_of(files.command({"-o", values}));
  const auto numbers = [&](const std::string& name, std::size_t count) {
    const std::string bytes = files.folder.read(name);
    std::vector<double> result(count);
    std::memcpy(result.data(), bytes.data() + bytes.size() - count * sizeof(double),
                count * sizeof(double));
    return result;
  };
  const auto all = numbers("pairs.npy", 3 * kFeatures * kFeatures);
  const auto alone = numbers("values.npy", 3 * kFeatures);
  for (std::size_t i = 0; i < alone.size(); ++i) {
    double sum = 0.0;
    for (std::size_t e = 0; e < kFeatures; ++e) sum += all[i * kFeatures + e];
    EXPECT_NEAR(sum, alone[i], 1e-9);
  }
}

TEST(ExplainInteractions, TextHasTheMeansOrOneRow) {
  const Files files;
  const std::string all = output_of(files.command({"--interactions", "--top", "2"}));
  EXPECT_EQ(all.find("Pairs that act together over 3 rows"), 0u) << all;
  EXPECT_NE(all.find("13 other pairs interact less"), std::string::npos) << all;
  const std::string one = output_of(files.command({"--interactions", "--row", "2"}));
  EXPECT_EQ(one.find("Pairs that act together in row 2"), 0u) << one;
}

TEST(ExplainInteractions, WhatDoesNotGoWithThemIsRefused) {
  const Files files;
  const auto refusal = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"explain", files.model, files.data, "--interactions"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_command(words);
    EXPECT_EQ(outcome.status, 2);
    return outcome.err;
  };
  EXPECT_NE(refusal({"--unit", "g"}).find("leave out --unit"), std::string::npos);
  EXPECT_NE(refusal({"--method", "lrp"}).find("leave out --method"), std::string::npos);
  EXPECT_NE(refusal({"--details"}).find("leave out --evidence"), std::string::npos);
  EXPECT_NE(refusal({"--format", "npy", "--top", "3"}).find("leave out --top"), std::string::npos);

  const Model neighbors(NeighborModel(
      random_rows(20, 2, 9),
      std::vector<std::size_t>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1},
      {"no", "yes"}, 5));
  write_bundle(files.folder.file("knn.npz"), neighbors);
  const auto data = write_csv(files.folder, "two.csv", random_rows(3, 2, 10));
  const Outcome outcome =
      run_command({"explain", files.folder.file("knn.npz"), data, "--interactions"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("explain a kernel machine of the same data"), std::string::npos);
}

TEST(ExplainInteractions, KernelsThatAreNoProductHaveTheUnitG) {
  const Files files;
  const KernelMachine other(random_rows(12, kFeatures, 5), random_rows(1, 12, 6).values(),
                            Kernel(KernelTerm{KernelForm::matern52, 0.8}), 0.1);
  write_bundle(files.folder.file("matern.npz"), Model(KernelRegressor{other, 0.0}));
  const auto json = nlohmann::json::parse(output_of({"explain", files.folder.file("matern.npz"),
                                                     write_csv(files.folder, "x.csv", files.rows),
                                                     "--interactions", "--format", "json"}));
  EXPECT_EQ(json["interactions"]["method"], "integrated-hessians");
  EXPECT_EQ(json["interactions"]["unit"], "g");
}

TEST(ExplainEvidence, EvidenceIsALinePerPairInCsv) {
  const Folder folder;
  const Model model(random_classifier(2, {"1", "2"}, 23));
  const auto data = write_csv(folder, "d.csv", random_rows(2, 2, 24));
  const std::vector<std::string> words = {"explain", write_model(folder, "m.npz", model), data,
                                          "--evidence", "2"};
  const auto lines = lines_of(output_of(words));
  EXPECT_EQ(lines[0],
            "row,prediction,class,versus,output,base,x1,x2,remainder,outside,tie,rank,positive,"
            "negative,weight,activation,evidence of x1,evidence of x2");
  ASSERT_EQ(lines.size(), 5u);
  auto to_json = words;
  to_json.push_back("--format=json");
  const auto pair = nlohmann::json::parse(output_of(to_json))["rows"][1]["evidence"][1];
  const auto cells = cells_of(lines[4]);
  EXPECT_EQ(cells[0] + cells[11], "22");
  EXPECT_EQ(std::stod(cells[14]), pair["weight"]);
  EXPECT_EQ(std::stod(cells[17]), pair["relevance"][1]);
}

TEST(ExplainEvidence, EvidenceHasTheTrainingRowsThatTheModelKnows) {
  const Folder folder;
  const Model model(random_classifier(3, {"1", "2"}, 25));
  std::vector<std::size_t> rows;
  for (std::size_t p = 0; p < model.points().rows(); ++p) rows.push_back(100 + 3 * p);
  write_bundle(folder.file("plain.npz"), model);
  write_bundle(folder.file("known.npz"), model.with_training_rows(rows));
  const auto data = folder.write("d.csv", "a,b,c\n1,2,3\n");
  const auto first = [&](const std::string& name) {
    return nlohmann::json::parse(output_of({"explain", folder.file(name), data, "--format", "json",
                                            "--evidence", "1"}))["rows"][0]["evidence"][0];
  };
  const auto known = first("known.npz");
  for (const std::string side : {"positive", "negative"}) {
    const auto& point = known[side];
    EXPECT_EQ(known[side + "_row"],
              point.is_null() ? point : nlohmann::json(rows[point.get<std::size_t>() - 1] + 1));
  }
  EXPECT_FALSE(first("plain.npz").contains("positive_row"));
  const std::string text = output_of({"inspect", folder.file("known.npz"), data});
  EXPECT_NE(text.find("pairs of training rows"), std::string::npos) << text;
}

}  // namespace
}  // namespace bisector::cli::test
