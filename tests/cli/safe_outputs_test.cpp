// Files that are replaced, control characters in texts, and tables with many columns or classes.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <ctime>
#include <filesystem>

#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

bool shows(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string two_classes() {
  std::string text = "a,b,y\n";
  for (int n = 0; n < 20; ++n)
    text += std::to_string(n * 7 % 20) + ',' + std::to_string(n * 3 % 20) +
            (n * 7 % 20 < 10 ? ",low\n" : ",high\n");
  return text;
}

TEST(Outputs, KeepThePermissionsOfTheFileThatTheyReplace) {
  const Folder folder;
  const auto model = write_model(folder, "m.npz", Model(random_classifier(2, {"1", "2"}, 61)));
  const auto data = write_csv(folder, "d.csv", random_rows(3, 2, 5), "a,b");
  const auto output = folder.write("o.csv", "old");
  for (const ::mode_t mode : {0600u, 0644u, 0440u}) {
    ASSERT_EQ(::chmod(output.c_str(), mode), 0);
    output_of({"predict", model, data, "-o", output});
    struct ::stat status {};
    ASSERT_EQ(::stat(output.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777u, mode);
  }
}

/// Commands that name their output write it into the current folder.
class InFolder {
 public:
  explicit InFolder(const Folder& folder) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder.file("."));
  }
  ~InFolder() { std::filesystem::current_path(before_); }

 private:
  std::filesystem::path before_;
};

TEST(Outputs, ThatTheUserDidNotNameAreReplacedWithForceOnly) {
  const Folder folder;
  folder.write("d.csv", two_classes());
  folder.write("d.model.npz", "mine");
  const InFolder inside(folder);
  const std::vector<std::string> train = {"train", "d.csv", "--target", "y"};
  const Outcome refused = run_command(train);
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(refused.err,
            "error: d.model.npz exists: use --force to replace it, or -o FILE for another name\n");
  EXPECT_EQ(folder.read("d.model.npz"), "mine");
  std::vector<std::string> forced = train;
  forced.emplace_back("--force");
  EXPECT_EQ(run_command(forced).status, 0);
  EXPECT_NE(folder.read("d.model.npz"), "mine");
  folder.write("d.html", "mine");
  const Outcome report = run_command({"report", "d.model.npz", "d.csv"});
  EXPECT_EQ(report.status, 1);
  EXPECT_TRUE(shows(report.err, "d.html exists")) << report.err;
  EXPECT_EQ(folder.read("d.html"), "mine");
}

TEST(Texts, ShowControlCharactersInsteadOfObeyingThem) {
  const Folder folder;
  const Model plain(random_classifier(2, {"no\x1b[31m", "yes"}, 61));
  const Model model(plain.predictor(), {}, {"a\x1b]0;title\x07", "b"});
  const auto file = write_model(folder, "m.npz", model);
  const auto data = folder.write("d.csv", "0.1,0.2\n0.3,-0.4\n");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"explain", file, data, "--text"},
        std::vector<std::string>{"explain", file, data, "--row", "1"},
        std::vector<std::string>{"flip", file, data, "--text"},
        std::vector<std::string>{"inspect", file}}) {
    const Outcome outcome = run_command(command);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_FALSE(shows(outcome.out, "\x1b")) << command[0];
    EXPECT_TRUE(shows(outcome.out, "\\x1b")) << outcome.out;
  }
  EXPECT_FALSE(shows(run_command({"explain", file, data, "--class", "o\x1b[2J"}).err, "\x1b"));
}

TEST(Texts, QuoteAtMostEightyCharactersOfACell) {
  const Folder folder;
  std::string table = two_classes();
  table += std::string(5000, 'x') + ",1,low\n";
  const Outcome outcome = run_command({"train", folder.write("d.csv", table), "--target", "y", "-o",
                                       folder.file("m.npz"), "--type", "a=numeric"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(shows(outcome.err, std::string(80, 'x') + "...\"")) << outcome.err.substr(0, 300);
  EXPECT_LT(outcome.err.size(), 600u);
}

TEST(Texts, AreRefusedIntoATable) {
  const Folder folder;
  const auto model = write_model(folder, "m.npz", Model(random_classifier(2, {"1", "2"}, 61)));
  const auto data = write_csv(folder, "d.csv", random_rows(3, 2, 5), "a,b");
  for (const std::string verb : {"explain", "flip"}) {
    EXPECT_EQ(run_command({verb, model, data, "--text", "-o", folder.file("o.csv")}).status, 2);
    EXPECT_EQ(run_command({verb, model, data, "--text", "--format", "json"}).status, 2);
    EXPECT_EQ(output_of({verb, model, data, "--text", "-o", folder.file("o.txt")}), "");
    EXPECT_NE(folder.read("o.txt"), "");
  }
  EXPECT_EQ(run_command({"explain", model, data, "--text", "--keep", "a"}).status, 2);
}

TEST(ManyClasses, DecisionsOfPairsAreWrittenWithDetailsOnly) {
  const Folder folder;
  const auto model = write_model(folder, "m.npz", Model(random_classifier(2, {"1", "2", "3"}, 6)));
  const auto data = write_csv(folder, "d.csv", random_rows(3, 2, 5), "a,b");
  EXPECT_TRUE(output_of({"predict", model, data}).starts_with("row,prediction\n"));
  EXPECT_TRUE(output_of({"predict", model, data, "--details"})
                  .starts_with("row,prediction,decision 1|2,decision 1|3,decision 2|3\n"));
  EXPECT_FALSE(shows(output_of({"predict", model, data, "--format", "json"}), "decisions"));
}

TEST(ManyClasses, AreRefusedBeforeAModelIsWritten) {
  const Folder folder;
  std::string table = "a,y\n";
  for (int n = 0; n < 303; ++n)
    table += std::to_string(n * 7 % 303) + ",c" + std::to_string(n / 3) + "\n";
  const auto data = folder.write("d.csv", table);
  const Outcome outcome =
      run_command({"train", data, "--target", "y", "--model", "svm", "-o", folder.file("m.npz")});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(shows(outcome.err, "the target has 101 classes")) << outcome.err;
  EXPECT_TRUE(shows(outcome.err, "use --model knn, or --limit classes=101")) << outcome.err;
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"d.csv"}));
}

/// The processor time of predicting four rows of this many columns, whose names are x1, x2 and so
/// on in the model and others in the file.
double seconds_of_wide_table(const Folder& folder, std::size_t columns) {
  std::string names, cells;
  for (std::size_t c = 0; c < columns; ++c) {
    names += (c == 0 ? "g" : ",g") + std::to_string(c);
    cells += c == 0 ? "1" : ",2";
  }
  const auto data =
      folder.write("w.csv", names + ",y\n" + cells + ",a\n" + cells + "1,b\n" + cells + "2,a\n");
  const std::clock_t start = std::clock();
  output_of({"predict", "--knn", "1", "--target", "y", data, data, "--threads", "1"});
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// The number of comparisons was quadratic: 100,000 columns took 16 seconds.
TEST(WideTables, AreReadInLinearTime) {
  const Folder folder;
  const double few = seconds_of_wide_table(folder, 25'000);
  const double many = seconds_of_wide_table(folder, 100'000);
  EXPECT_LT(many, 10.0 * few + 0.5);  // 16 times if it is quadratic
}

}  // namespace
}  // namespace bisector::cli::test
