// LIBSVM's sparse data: a label, then index:value pairs with ascending indexes; zeros are omitted.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "bisector/io/data_reader.h"
#include "io/text/text_input.h"

namespace bisector::io {

/// Reads the whole file once for its largest index, which also finds every malformed pair.
std::unique_ptr<DataReader> open_libsvm(TextInput input, const Limits& limits = {});

/// A line of the format, pair by pair.
class LibsvmLine {
 public:
  /// `line` has no line end; a comment is skipped. Throws FormatError if a pair is in the place of
  /// the label.
  LibsvmLine(std::string_view line, const std::string& source, std::size_t number,
             std::size_t largest_index = Limits{}.max_features);

  std::string_view label() const { return label_; }
  /// True for a line without label and pairs.
  bool is_blank() const { return label_.empty(); }
  /// Steps to the next pair; false after the last. Throws FormatError for malformed pairs and for
  /// indexes that do not ascend from 1.
  bool next();
  std::size_t index() const { return index_; }
  std::string_view value() const { return value_; }

 private:
  [[noreturn]] void fail(std::string_view problem) const;

  const std::string& source_;
  std::size_t number_, largest_index_;
  std::string_view rest_, label_, value_;
  std::size_t index_ = 0;
};

}  // namespace bisector::io
