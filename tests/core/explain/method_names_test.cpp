#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "bisector/error.h"
#include "bisector/method.h"
#include "bisector/method_table.h"
#include "reference/error_of.h"

namespace bisector {
namespace {

TEST(MethodNames, AreUniqueAndReadBack) {
  std::set<std::string> names;
  for (const Method& method : all_methods()) {
    EXPECT_EQ(method_from_name(name(method)), method);
    names.insert(std::string(name(method)));
  }
  EXPECT_EQ(names,
            (std::set<std::string>{"auto", "lrp", "lrp-path", "lrp-expected", "neighborhood", "gi",
                                   "ig", "sensitivity", "occlusion", "shapley", "shapley-exact"}));
}

TEST(MethodNames, AnUnknownNameIsRefusedWithAListOfNames) {
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

TEST(MethodParameters, AreSetInTheMethodThatHasThem) {
  const MethodParameters rule{
      {"eta", 0.2}, {"beta", 3.0}, {"kappa", 2}, {"ignore_intercept", true}};
  EXPECT_EQ(method_from_name("lrp", rule), Method(EtaRule{0.2, {3.0, 2, true}}));
  MethodParameters path = rule;
  path.emplace("path_steps", 9);
  EXPECT_EQ(method_from_name("lrp-path", path), Method(PathRule{0.2, 9, 0.0, {3.0, 2, true}}));
  EXPECT_EQ(
      method_from_name(
          "lrp-expected",
          {{"references", 9}, {"seed", 2}, {"neighborhood", 0.5}, {"side", ReferenceSide::other}}),
      Method(ExpectedPathRule{{}, 9, ReferenceSide::other, 2, 0.5, {}}));
  EXPECT_EQ(method_from_name("auto", {{"view", "data"}}), Method(Auto{View::data, {}, {}}));
  EXPECT_EQ(method_from_name("ig", {{"steps", 3}, {"on", "g"}}),
            Method(IntegratedGradients{3, ExplainedOutput::g}));
  EXPECT_EQ(method_from_name("shapley", {{"sequences", 4}, {"seed", 5}, {"on", "votes"}}),
            Method(SampledShapley{4, 5, ExplainedOutput::votes}));
}

TEST(MethodParameters, AreAcceptedByTheDefaultMethodIfItPassesThemOn) {
  EXPECT_EQ(method_from_name("", {{"seed", 3}, {"references", 20}}),
            Method(Auto{View::model, 20, 3}));
  EXPECT_EQ(method_from_name("", {{"eta", 0.5}}), Method(EtaRule{.eta = 0.5}));
}

TEST(MethodParameters, AreReadBackFromEveryMethod) {
  for (const Method& method : all_methods())
    EXPECT_EQ(method_from_name(name(method), parameters_of(method)), method) << name(method);
}

std::string message(std::string_view name, const MethodParameters& parameters) {
  return error_of([&] { method_from_name(name, parameters); });
}

TEST(MethodParameters, AreRefusedByMethodsWithoutThem) {
  EXPECT_EQ(message("occlusion", {{"eta", 0.5}}),
            "eta is a parameter of lrp, lrp-path and lrp-expected, not of occlusion");
  EXPECT_EQ(message("lrp", {{"steps", 3}}), "steps is a parameter of ig, not of lrp");
  EXPECT_EQ(message("ig", {{"path_steps", 3}}), "path_steps is a parameter of lrp-path, not of ig");
  EXPECT_EQ(message("lrp", {{"view", "data"}}), "view is a parameter of auto, not of lrp");
  EXPECT_EQ(
      message("shapley-exact", {{"on", "g"}}),
      "on is a parameter of gi, ig, sensitivity, occlusion and shapley, not of shapley-exact");
  EXPECT_EQ(message("lrp", {{"etta", 0.5}}),
            "no method has a parameter \"etta\", expected eta, beta, kappa or ignore_intercept");
}

TEST(MethodParameters, AreRefusedOutsideTheirRange) {
  EXPECT_EQ(message("lrp", {{"eta", 1.5}}), "eta is 1.5, expected a number from 0 to 1");
  EXPECT_EQ(message("lrp", {{"beta", 0.0}}), "beta is 0, expected a number above 0");
  EXPECT_EQ(message("ig", {{"steps", 0}}), "steps is 0, expected a whole number from 1 to 10000");
  EXPECT_EQ(message("ig", {{"steps", -2}}), "steps is -2, expected a whole number from 1 to 10000");
  EXPECT_EQ(message("ig", {{"steps", 2.5}}),
            "steps is 2.5, expected a whole number from 1 to 10000");
  EXPECT_EQ(message("lrp-expected", {{"side", "left"}}),
            "side is \"left\", expected all, other or both");
  EXPECT_EQ(error_of([] { require_ranges(PathRule{.neighborhood = 2.0}); }),
            "neighborhood is 2, expected a number from 0 to 1");
}

TEST(MethodTable, DescribesEveryMethodOnce) {
  ASSERT_EQ(method_table().size(), all_methods().size());
  for (std::size_t m = 0; m < all_methods().size(); ++m) {
    const MethodInfo& info = method_table()[m];
    EXPECT_EQ(info.name, name(all_methods()[m]));
    EXPECT_FALSE(info.title.empty() || info.help.empty() || info.citation.empty()) << info.name;
    for (const ParameterInfo& parameter : info.parameters) {
      EXPECT_FALSE(parameter.help.empty()) << info.name << ' ' << parameter.name;
      EXPECT_FALSE(default_text(parameter).empty()) << info.name << ' ' << parameter.name;
    }
  }
}

TEST(MethodTable, DefaultsAreInRange) {
  for (const Method& method : all_methods()) EXPECT_NO_THROW(require_ranges(method));
}

/// With BISECTOR_UPDATE_DOCS=1 the page is written instead of compared.
TEST(MethodTable, IsTheTableOfTheGuide) {
  std::ifstream file(BISECTOR_METHODS_PAGE);
  const std::string page(std::istreambuf_iterator<char>(file), {});
  const std::string expected = page.substr(0, page.find("| method |")) + method_table_markdown();
  if (std::getenv("BISECTOR_UPDATE_DOCS") != nullptr)
    std::ofstream(BISECTOR_METHODS_PAGE) << expected;
  else
    EXPECT_EQ(page, expected) << "run this test with BISECTOR_UPDATE_DOCS=1 to write the table";
}

}  // namespace
}  // namespace bisector
