// A nearest-neighbor model made directly from a data file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bisector/export.h"
#include "bisector/io/data_reader.h"
#include "bisector/model.h"

namespace bisector {

/// k nearest neighbors over all rows of `reader`, from which nothing has been read. `target` is the
/// label column by name or number (find_column); if it is empty, the format's own target, such as
/// the label of a LIBSVM file. The features are all other columns without the `dropped` ones. If
/// all labels are numbers, they are sorted as numbers ("+1" and "1" are one class); otherwise they
/// are sorted by their bytes. `source` is the file's name in errors.
BISECTOR_EXPORT Model neighbors_from_data(DataReader& reader, const std::string& source,
                                          const std::string& target, std::size_t k,
                                          const std::vector<std::string>& dropped = {});

}  // namespace bisector
