// The measured method goes through a bundle and back; what is broken there is refused.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/bundle/bundle_meta.h"

namespace bisector::io {
namespace {

MeasuredMethod measured(Method method) {
  return {std::move(method), View::data, 40, {{"lrp-path", 0.25, 0.01}, {"auto", 0.5, 0.02}}};
}

std::string measured_problem(const nlohmann::json& value) {
  try {
    parse_measured(value, [](const std::string& problem) { throw std::runtime_error(problem); });
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(BundleMeasured, ReadsBackEveryMethod) {
  for (const Method& method :
       {Method(EtaRule{0.25, {2.0, 3, true}}), Method(PathRule{.eta = 0.1, .neighborhood = 0.5}),
        Method(ExpectedPathRule{0.2, 9, ReferenceSide::other, 7, 0.5, {}}),
        Method(NeighborhoodRule{4}), Method(IntegratedGradients{7}),
        Method(SampledShapley{3, 5})}) {
    const MeasuredMethod before = measured(method);
    const nlohmann::json json = nlohmann::json::parse(measured_json(before).dump());
    EXPECT_EQ(parse_measured(json, [](const std::string& problem) { FAIL() << problem; }), before);
  }
}

TEST(BundleMeasured, RefusesWhatIsBroken) {
  const nlohmann::json fine = nlohmann::json::parse(measured_json(measured(EtaRule{})).dump());
  EXPECT_EQ(measured_problem(fine), "");
  const auto changed = [&](const char* key, nlohmann::json value) {
    nlohmann::json json = fine;
    json[key] = std::move(value);
    return measured_problem(json);
  };
  EXPECT_NE(changed("method", 3), "");
  EXPECT_NE(changed("method", "magic"), "");
  EXPECT_NE(changed("view", "side"), "");
  EXPECT_NE(changed("rows", -1), "");
  EXPECT_NE(changed("figures", {{{"name", "x"}}}), "");
  EXPECT_NE(changed("parameters", {{"eta", "much"}}), "");
  EXPECT_NE(changed("parameters", {{"references", 3}}), "");  // lrp has none
  EXPECT_NE(measured_problem(nlohmann::json::array()), "");
}

}  // namespace
}  // namespace bisector::io
