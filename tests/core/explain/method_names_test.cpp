#include <gtest/gtest.h>

#include <set>
#include <string>

#include "bisector/error.h"
#include "bisector/methods.h"

namespace bisector {
namespace {

TEST(MethodNames, AreThoseOfTheCommandLineAndReadBack) {
  std::set<std::string> names;
  for (const Method method : all_methods()) {
    EXPECT_EQ(method_from_name(name(method)), method);
    names.insert(std::string(name(method)));
  }
  EXPECT_EQ(names, (std::set<std::string>{"lrp", "lrp-path", "gi", "ig", "sensitivity", "occlusion",
                                          "shapley", "shapley-exact"}));
}

TEST(MethodNames, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  try {
    method_from_name("saliency");
    FAIL() << "expected an error";
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(),
                 "no method \"saliency\", expected one of lrp, lrp-path, gi, ig, sensitivity, "
                 "occlusion, shapley, shapley-exact");
  }
}

}  // namespace
}  // namespace bisector
