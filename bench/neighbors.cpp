// Times the exact nearest neighbors of rows among points, for bench/neighbors_peers.py:
//
//     bisector-neighbors POINTS ROWS FEATURES NEIGHBORS BATCH REPEATS OUT
//
// POINTS and ROWS are files of floats, FEATURES per row. BATCH rows are searched at a time, on one
// thread. OUT gets the indices of the neighbors, eight bytes each, and the standard output one line
// of JSON: seconds of processor time per run (the least), for building, and what the search took.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "bisector/matrix.h"
#include "core/linalg/code_search.h"
#include "core/linalg/neighbor_search.h"
#include "core/simd/code_kernels.h"

namespace {

using bisector::Matrix;
using bisector::MatrixView;
namespace linalg = bisector::linalg;

/// Processor time, which other processes on the machine do not add to.
double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Matrix read(const char* path, std::size_t features) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto bytes = static_cast<std::size_t>(file.tellg());
  std::vector<float> values(bytes / sizeof(float));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(bytes));
  return Matrix(values.size() / features, features,
                std::vector<double>(values.begin(), values.end()));
}

std::vector<std::uint64_t> run(const linalg::NeighborSearch& search, const Matrix& rows,
                               std::size_t count, std::size_t batch) {
  std::vector<std::uint64_t> found;
  for (std::size_t first = 0; first < rows.rows(); first += batch) {
    const std::size_t last = std::min(first + batch, rows.rows());
    for (std::size_t begin = first; begin < last; begin += linalg::kRowTile) {
      const auto tile = rows.view().rows(begin, std::min(linalg::kRowTile, last - begin));
      for (const auto& groups : search.search(tile, count)) {
        for (const linalg::Neighbor& neighbor : groups[0]) found.push_back(neighbor.index);
      }
    }
  }
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 8) {
    fmt::print(stderr, "usage: {} POINTS ROWS FEATURES NEIGHBORS BATCH REPEATS OUT\n", argv[0]);
    return 2;
  }
  const auto number = [&](int i) {
    return static_cast<std::size_t>(std::strtoull(argv[i], nullptr, 10));
  };
  const std::size_t features = number(3), count = number(4), batch = number(5);
  const bisector::SharedMatrix points(read(argv[1], features));
  const Matrix rows = read(argv[2], features);
  const std::vector<std::size_t> groups(points->rows(), 0);
  const double start = seconds();
  const linalg::NeighborSearch search(points, groups, 1);
  const double built = seconds() - start;
  double best = std::numeric_limits<double>::infinity();
  std::vector<std::uint64_t> found;
  for (std::size_t repeat = 0; repeat < number(6); ++repeat) {
    const double before = seconds();
    found = run(search, rows, count, batch);
    best = std::min(best, seconds() - before);
  }
  std::ofstream(argv[7], std::ios::binary)
      .write(reinterpret_cast<const char*>(found.data()),
             static_cast<std::streamsize>(found.size() * sizeof(std::uint64_t)));
  const linalg::CodeSearch codes(linalg::make_groups(points, groups, 1));
  const auto numbers = static_cast<double>(points->rows() * features);
  fmt::print(
      "{{\"seconds\": {}, \"build\": {}, \"by_codes\": {}, \"survivors\": {}, \"bytes\": {}, "
      "\"kernels\": \"{}\"}}\n",
      best, built, search.has_codes(),
      codes.survivors(rows.view().rows(0, std::min(linalg::kRowTile, rows.rows())), count),
      static_cast<double>(codes.bytes()) / numbers, bisector::simd::code_kernels().name);
  return 0;
}
