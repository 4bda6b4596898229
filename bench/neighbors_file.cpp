// Times the explanations of a model, for bench/neighbors_file.py:
//
//     bisector-neighbors-file MODEL ROWS.npy
//
// ROWS.npy has rows of float32. The default method explains the first row, before which all that
// the model needs is made, then all rows. The standard output gets one line of JSON: seconds of
// wall clock for opening the model, for the first row and for all rows, and seconds of processor
// time for all rows.
#include <fmt/format.h>

#include <numeric>
#include <vector>

#include "bisector/explain.h"
#include "bisector/io/model_file.h"
#include "bisector/io/rows_file.h"
#include "stopwatch.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: {} MODEL ROWS.npy\n", argv[0]);
    return 2;
  }
  using namespace bisector::bench;
  const double start = seconds();
  const bisector::Model model = bisector::read_model(argv[1]);
  const bisector::SharedMatrix file = bisector::rows_in_file(argv[2]);
  std::vector<std::size_t> all(file.rows());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const bisector::Matrix rows = file.gather(all);
  const double opened = seconds();
  const bisector::Explainer explainer(model);
  explainer(rows.view().rows(0, 1));
  const double prepared = seconds(), processor = processor_seconds();
  explainer(rows);
  const double explained = seconds();
  fmt::print(
      "{{\"method\": \"{}\", \"open\": {}, \"first\": {}, \"explain\": {}, \"processor\": {}}}\n",
      explainer.settings().method, opened - start, prepared - opened, explained - prepared,
      processor_seconds() - processor);
  return 0;
}
