// Methods compared over the lines of a study: means, ranks and paired differences.
#pragma once

#include <string>
#include <vector>

#include "common/markdown.h"
#include "common/study.h"

namespace bisector::paper {

/// The rows with these donors whose kind begins with `kind`.
std::vector<StudyRow> rows_of(const std::vector<StudyRow>& rows, const std::string& kind,
                              Donors donors);

/// All methods of the rows, in their order.
std::vector<std::string> method_names(const std::vector<StudyRow>& rows);

/// A line per method: mean AUFC, mean rank, and its difference to `baseline`: the mean over the
/// rows with the standard error of that mean over rows, and in how many rows it is lower or higher
/// by more than two paired standard errors.
TextTable compared(const std::vector<StudyRow>& rows, const std::string& baseline);

/// "+0.012 ± 0.003": a difference.
std::string words(const Estimate& difference);

/// A line per row, a column per method, the lowest in bold.
TextTable per_dataset(const std::vector<StudyRow>& rows);

/// Everything, for machines.
TextTable study_csv(const std::vector<StudyRow>& rows, const std::string& baseline);

/// How often `method` is not above `other` by more than one paired standard error, and below it by
/// more than two.
struct Counts {
  std::size_t rows = 0, at_least_as_good = 0, better = 0;
};
Counts count(const std::vector<StudyRow>& rows, const std::string& method,
             const std::string& other);

}  // namespace bisector::paper
