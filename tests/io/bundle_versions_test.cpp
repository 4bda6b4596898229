// Bundles of every kind of distance, kernel and vote, and of other versions.
#include <gtest/gtest.h>

#include "bisector/error.h"
#include "bisector/io/model_file.h"
#include "io/model_bundle_support.h"
#include "io/model_test_support.h"
#include "reference/random_distances.h"

namespace bisector {
namespace {

TEST(BundlesOfOtherVersions, AreRefusedWithAdvice) {
  const auto path = test::temporary_path("older.npz");
  test::classifier_draft()
      .set("meta", test::npy_text({R"({"format": "bisector-model", "version": 2})"}, {}))
      .write(path);
  EXPECT_EQ(test::error_of([&] { read_bundle(path); }),
            path.string() +
                ": made by an older version of bisector (format 2, expected 3): make it "
                "again, with bisector train or save() in Python");
  std::filesystem::remove(path);
}

TEST(BundlesOfDistances, KeepEveryKernelVoteAndDetector) {
  const auto path = test::temporary_path("model.npz");
  const auto expect_kept = [&](const Model& model) {
    write_bundle(path, model);
    EXPECT_EQ(read_bundle(path), model);
  };
  for (std::uint64_t seed = 1; seed < 121; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_kept(Model(KernelRegressor{reference::random_kernel_machine(seed).machine, 0.5}));
    const auto voters = reference::random_voters(seed);
    expect_kept(Model(reference::random_neighbor_regressor(voters, seed)));
    expect_kept(Model(reference::random_detector(voters, seed)));
    if (!(voters.vote == NeighborVote{}))
      expect_kept(Model(reference::random_weighted_neighbors(voters, 3)));
  }
  Random random(1);
  const Matrix points = reference::random_matrix(random, 5, 2);
  for (const KernelTerm& term : {KernelTerm{KernelForm::polynomial, 0.5, 3.0, 1.0, 1.0},
                                 KernelTerm{KernelForm::sigmoid, 0.5, 1.0, 1.0, -1.0}})
    expect_kept(
        Model(KernelClassifier::one_vs_rest(points, reference::random_matrix(random, 3, 5),
                                            {1.0, 2.0, 3.0}, Kernel(term), {"a", "b", "c"})));
  expect_kept(Model(KernelClassifier(points, {2, 2, 1}, reference::random_matrix(random, 2, 5),
                                     {1.0, 2.0, 3.0}, Kernel(KernelTerm{KernelForm::matern32}),
                                     {"a", "b", "c"})
                        .with_broken_ties()));
  expect_kept(Model(CentroidModel(points, {"a", "b", "c", "d", "e"}, Distance::cosine())));
  std::filesystem::remove(path);
}

std::string problem_of(const test::Draft& draft) {
  const auto path = test::temporary_path("broken.npz");
  draft.write(path);
  std::string problem = test::error_of([&] { read_bundle(path); });
  std::filesystem::remove(path);
  return problem.substr(problem.find(".npz: ") + 6);
}

TEST(BundlesOfDistances, SayWhatIsWrong) {
  const auto with = [](const std::string& array, std::string content) {
    return test::neighbors_draft().set(array, std::move(content));
  };
  EXPECT_EQ(problem_of(with("distance", test::npy_text({"earth mover"}, {}))),
            "array \"distance\": \"earth mover\", expected cosine");
  EXPECT_EQ(problem_of(with("distance_power", test::npy({0.5}, {}))),
            "the power of the distance is 0.5, expected a finite number from 1 on");
  EXPECT_EQ(problem_of(with("categories", test::npy({1, 0}, {2}))),
            "array \"categories\": without a distance_power");
  EXPECT_EQ(problem_of(with("vote_weights", test::npy_text({"loud"}, {}))),
            "array \"vote_weights\": \"loud\", expected uniform, distance, inverse or exponential");
  EXPECT_EQ(problem_of(with("vote_weights", test::npy_text({"inverse"}, {}))),
            "array \"vote_decay\" is missing");
  EXPECT_EQ(problem_of(with("vote_weights", test::npy_text({"inverse"}, {}))
                           .set("vote_decay", test::npy({1, 2}, {2}))),
            "array \"vote_decay\": 2 elements, expected 3: offset, power and rate");
  EXPECT_EQ(problem_of(with("vote_decay", test::npy({1, 2, 3}, {3}))),
            "uniform weights with a decay, expected inverse or exponential ones");
  EXPECT_EQ(problem_of(with("rank_weights", test::npy({-1}, {1}))),
            "the weight of a rank is -1, expected a finite number above 0");
  EXPECT_EQ(problem_of(with("radius", test::npy({-1}, {}))),
            "the radius is -1, expected a finite number above 0");
  test::Draft kernel = test::classifier_draft();
  kernel.set("kernel_form", test::npy_text({"matern99"}, {1}))
      .set("kernel_gamma", test::npy({1}, {1}))
      .set("kernel_shape", test::npy({1}, {1}))
      .set("kernel_weight", test::npy({1}, {1}))
      .set("kernel_offset", test::npy({0}, {1}));
  EXPECT_EQ(
      problem_of(kernel),
      "array \"kernel_form\": \"matern99\", expected exponential, matern12, matern32, matern52, "
      "power, polynomial or sigmoid");
  kernel.set("kernel_form", test::npy_text({"matern32"}, {1}))
      .set("kernel_gamma", test::npy({1, 2}, {2}));
  EXPECT_EQ(problem_of(kernel), "array \"kernel_gamma\": 2 elements, expected 1");
}

}  // namespace
}  // namespace bisector
