// A neighbor model straight from its training rows.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bisector/export.h"
#include "bisector/io/data_reader.h"
#include "bisector/model.h"

namespace bisector {

/// k nearest neighbors over all rows of `reader`, which nothing has been read from. `target` is
/// the column of the labels, by name or number (find_column); an empty one is the column that the
/// format itself sets apart, such as the label of a LIBSVM file. The features are all other
/// columns, without the `dropped` ones, and named where the file names them. Labels that are all
/// numbers are taken as numbers, ascending ("+1" and "1" are one class); others are ordered by
/// their bytes. `source` names the file in errors.
BISECTOR_EXPORT Model neighbors_from_data(DataReader& reader, const std::string& source,
                                          const std::string& target, std::size_t k,
                                          const std::vector<std::string>& dropped = {});

}  // namespace bisector
