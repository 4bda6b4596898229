// The head of a LIBSVM model file: everything up to the line "SV".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/kernel.h"
#include "io/text/text_lines.h"

namespace bisector::io {

/// The contents of the head, checked as far as the head alone allows. Its counts are claims of the
/// file: allocate nothing by `total_sv`.
struct LibsvmHeader {
  enum class Kind { classifier, one_class, regressor };

  Kind kind;
  Kernel kernel = Kernel(1.0);
  std::size_t classes;              // 2 for one-class models and regressors, as in LIBSVM
  std::size_t total_sv;             // at least 1
  std::vector<double> rho;          // classes * (classes - 1) / 2
  std::vector<std::string> labels;  // classifiers: one for each class
  std::vector<std::size_t> nr_sv;   // classifiers: one for each class, total_sv together
  /// Classifiers with probability estimates: probA and probB, one for each pair; else empty.
  std::vector<double> prob_a, prob_b;
  std::size_t sv_line;  // the line of "SV"
};

/// True for a word that can start a LIBSVM model file.
bool is_libsvm_keyword(std::string_view word);

/// Reads up to and including the line "SV". Keywords may have any order. Predictions follow the
/// votes, as svm-predict without -b; probability estimates are read besides. Those of regressors
/// and one-class models (probA, prob_density_marks) are checked and ignored.
LibsvmHeader read_libsvm_header(TextLines& lines);

}  // namespace bisector::io
