// The paper's statements about wine, and whether our numbers support them.
#pragma once

#include <string>
#include <vector>

#include "common/statistics.h"
#include "wine/wine.h"

namespace bisector::paper {

struct WineNumber {
  std::string what;
  Interval interval;
};

struct WineStatement {
  std::string words;  // what the paper says
  std::string test;   // the condition on the numbers
  std::vector<WineNumber> numbers;
  bool is_reproduced;
  std::string parts = {};  // "low chlorides: yes; high chlorides: no" where there are two
};

/// A subset of the wines.
struct WineHalf {
  std::string name;
  std::vector<double> x, y;  // value and relevance
};
struct WineInteraction {
  WineHalf low, high;
};
/// Value and normalized relevance of `feature` in the wines up to the settings' cut of `by`, and
/// above it.
WineInteraction split_by(const WineStudy& study, const WineModel& model, const std::string& feature,
                         const std::string& by);

std::size_t feature_index(const WineStudy& study, const std::string& name);

/// The correlation of value and relevance in the smooth model, for each feature: of the relevance
/// as it is, and of the normalized.
struct WineCorrelation {
  std::string feature;
  Interval plain, normalized;
  double share;  // of all |relevance|
};
std::vector<WineCorrelation> wine_correlations(const WineStudy& study);

/// What the paper says about the smooth model, and about a detailed one.
WineStatement smooth_statement(const std::vector<WineCorrelation>& correlations);
std::vector<WineStatement> detailed_statements(const WineStudy& study, const WineModel& model);

}  // namespace bisector::paper
