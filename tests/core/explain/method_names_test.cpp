#include <gtest/gtest.h>

#include <set>
#include <string>

#include "bisector/error.h"
#include "bisector/method.h"
#include "reference/error_of.h"

namespace bisector {
namespace {

TEST(MethodNames, AreThoseOfTheCommandLineAndReadBack) {
  std::set<std::string> names;
  for (const Method& method : all_methods()) {
    EXPECT_EQ(method_from_name(name(method)), method);
    names.insert(std::string(name(method)));
  }
  EXPECT_EQ(names,
            (std::set<std::string>{"auto", "lrp", "lrp-path", "lrp-expected", "neighborhood", "gi",
                                   "ig", "sensitivity", "occlusion", "shapley", "shapley-exact"}));
}

TEST(MethodNames, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  try {
    method_from_name("saliency");
    FAIL() << "expected an error";
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(),
                 "no method \"saliency\", expected one of auto, lrp, lrp-path, lrp-expected, "
                 "neighborhood, gi, ig, sensitivity, "
                 "occlusion, shapley, shapley-exact");
  }
}

TEST(MethodParameters, GoToTheMethodThatHasThem) {
  const MethodParameters rule{.eta = 0.2, .beta = 3.0, .kappa = 2, .ignore_intercept = true};
  EXPECT_EQ(method_from_name("lrp", rule), Method(EtaRule{0.2, {3.0, 2, true}}));
  MethodParameters path = rule;
  path.path_steps = 9;
  EXPECT_EQ(method_from_name("lrp-path", path), Method(PathRule{0.2, 9, 0.0, {3.0, 2, true}}));
  EXPECT_EQ(method_from_name(
                "lrp-expected",
                {.references = 9, .seed = 2, .neighborhood = 0.5, .side = ReferenceSide::other}),
            Method(ExpectedPathRule{{}, 9, ReferenceSide::other, 2, 0.5, {}}));
  EXPECT_EQ(method_from_name("auto", {.view = View::data}), Method(Auto{View::data}));
  EXPECT_EQ(method_from_name("ig", {.steps = 3, .output = ExplainedOutput::g}),
            Method(IntegratedGradients{3, ExplainedOutput::g}));
  EXPECT_EQ(
      method_from_name("shapley", {.sequences = 4, .seed = 5, .output = ExplainedOutput::votes}),
      Method(SampledShapley{4, 5, ExplainedOutput::votes}));
}

TEST(MethodParameters, AreRefusedByMethodsWithoutThem) {
  const auto message = [](std::string_view name, const MethodParameters& parameters) {
    return error_of([&] { method_from_name(name, parameters); });
  };
  EXPECT_EQ(message("occlusion", {.eta = 0.5}),
            "eta was given with method occlusion, expected lrp or lrp-path or lrp-expected");
  EXPECT_EQ(message("ig", {.beta = 0.5}),
            "beta was given with method ig, expected lrp or lrp-path or lrp-expected");
  EXPECT_EQ(message("gi", {.ignore_intercept = true}),
            "ignoring the intercept was given with method gi, expected lrp or lrp-path or "
            "lrp-expected");
  EXPECT_EQ(message("lrp", {.steps = 3}), "steps was given with method lrp, expected ig");
  EXPECT_EQ(message("ig", {.path_steps = 3}),
            "path steps was given with method ig, expected lrp-path");
  EXPECT_EQ(message("occlusion", {.seed = 3}),
            "a seed was given with method occlusion, expected lrp-expected or "
            "neighborhood or shapley or shapley-exact");
  EXPECT_EQ(message("lrp", {.view = View::data}),
            "a view was given with method lrp, expected auto");
  EXPECT_EQ(message("lrp-path", {.references = 3}),
            "references was given with method lrp-path, expected lrp-expected or shapley-exact");
  EXPECT_EQ(message("shapley-exact", {.output = ExplainedOutput::g}),
            "an output was given with method shapley-exact, expected gi or ig or sensitivity or "
            "occlusion or shapley");
}

}  // namespace
}  // namespace bisector
