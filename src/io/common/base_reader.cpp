#include "io/common/base_reader.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "bisector/error.h"

namespace bisector::io {

BaseReader::BaseReader(std::string source, Columns columns)
    : source_(std::move(source)), columns_(std::move(columns)) {}

void BaseReader::require_known(const std::vector<std::size_t>& wanted) const {
  for (const std::size_t column : wanted) {
    if (column >= selectable())
      throw InvalidInput(fmt::format("{} has no column {}, expected at most {}", source_,
                                     column + 1, selectable()));
  }
}

void BaseReader::select(ColumnSelection selection) {
  if (is_started_)
    throw InvalidInput(fmt::format("{}: columns must be selected before the first read", source_));
  require_known(selection.numbers);
  require_known(selection.text);
  selection_ = std::move(selection);
  is_selected_ = true;
}

const ColumnSelection& BaseReader::start() {
  if (!is_started_ && !is_selected_) {
    selection_.numbers.resize(columns());
    std::iota(selection_.numbers.begin(), selection_.numbers.end(), std::size_t{0});
  }
  is_started_ = true;
  return selection_;
}

}  // namespace bisector::io
