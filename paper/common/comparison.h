// Compares methods over the rows of a study: means, ranks and paired differences.
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

/// A line per method: mean AUFC, mean rank, mean difference to `baseline` with its standard error
/// over the rows, and the numbers of rows in which the method is lower or higher by more than two
/// paired standard errors.
TextTable compared(const std::vector<StudyRow>& rows, const std::string& baseline);

/// "+0.012 ± 0.003": a difference.
std::string words(const Estimate& difference);

/// A line per row, a column per method, the lowest in bold.
TextTable per_dataset(const std::vector<StudyRow>& rows);

/// All numbers, for programs.
TextTable study_csv(const std::vector<StudyRow>& rows, const std::string& baseline);

/// A sentence: in how many rows `method` is not above `other` by more than one paired standard
/// error, and in how many it is below by more than two.
std::string verdict(const std::vector<StudyRow>& rows, const std::string& method,
                    const std::string& other);

/// The default method, and the default for the data view.
inline const std::string kAuto(Auto::kName), kDataView = kAuto + " (data view)";

}  // namespace bisector::paper
