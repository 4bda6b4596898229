// The memory of a model that is ready to explain, as the allocator sees it: bytes that are alive
// after the first explanation, per number of the model's points (points x features doubles, of
// which the model itself holds 8 bytes each). The explainer's figure counts the model that it
// refers to.
//
//     bisector-memory
#include <fmt/format.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "bisector/error.h"
#include "bisector/explain.h"
#include "bisector/predict.h"
#include "random_model.h"

namespace {

std::atomic<std::size_t> alive_bytes{0};

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  alive_bytes += malloc_usable_size(memory);
  return memory;
}

void release(void* memory) noexcept {
  if (memory != nullptr) alive_bytes -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

// Every allocation of the program, the library's included.
void* operator new(std::size_t size) { return counted(std::malloc(size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  void* memory = nullptr;
  const int failure = posix_memalign(&memory, static_cast<std::size_t>(alignment), size);
  return counted(failure == 0 ? memory : nullptr);
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace bisector::bench {
namespace {

/// Limits in bytes per number, with the model.
constexpr double kMaxOfNeighbors = 16.0, kMaxOfMachine = 24.0;

struct Kind {
  const char* name;
  std::function<Model(const Shape&)> make;
  std::optional<double> limit;
};

std::vector<Kind> kinds() {
  return {
      {"SVM, two classes", [](const Shape& s) { return random_machine(s); }, kMaxOfMachine},
      {"SVM, four classes", random_classes, std::nullopt},
      {"regressor", random_regressor, std::nullopt},  // also stores what predict needs
      {"one-class SVM", random_one_class, kMaxOfMachine},
      {"KNN, two classes", [](const Shape& s) { return random_neighbors(s, 2); }, kMaxOfNeighbors},
      {"KNN, five classes", [](const Shape& s) { return random_neighbors(s, 5); },
       kMaxOfNeighbors}};
}

/// Bytes per number of the model's points that are alive while `make(model)` is.
template <class Make>
double bytes_per_number(const Kind& kind, const Shape& shape, const Make& make) {
  const std::size_t before = alive_bytes;
  const Model model = kind.make(shape);
  [[maybe_unused]] const auto ready = make(model);
  const std::size_t held = alive_bytes - before;
  return static_cast<double>(held) / static_cast<double>(shape.points * shape.features);
}

/// Prints a line; false if it is above the limit.
bool print(const Kind& kind, const Shape& shape, const std::string& what, double bytes,
           std::optional<double> limit) {
  const bool holds = !limit || bytes <= *limit;
  fmt::print("{:<18} {:>6} x {:<4} {:<28} {:6.1f}{}\n", kind.name, shape.points, shape.features,
             what, bytes, holds ? "" : fmt::format("   above {:.0f}", *limit));
  return holds;
}

bool measure(const Kind& kind, const Shape& shape) {
  const Matrix rows = random_rows({4, shape.points, shape.features});
  print(kind, shape, "the model alone",
        bytes_per_number(kind, shape, [](const Model&) { return 0; }), std::nullopt);
  print(kind, shape, "predict",
        bytes_per_number(kind, shape, [](const Model& m) { return DecisionFunction(m); }),
        std::nullopt);
  bool holds = true;
  for (const Precision precision : {Precision::float64, Precision::float32}) {
    for (const Method& method : all_methods()) {
      ExplainOptions options;
      options.precision = precision;
      const auto make = [&](const Model& model) {
        Explainer explainer(model, method, options);
        explainer(rows);  // includes what is created at the first use
        return explainer;
      };
      try {
        const double bytes = bytes_per_number(kind, shape, make);
        const std::string what = std::string(name(method)) +
                                 (precision == Precision::float32 ? ", single precision" : "");
        // The rule also stores its drawn background rows, whatever the size of the model.
        const double draw = std::holds_alternative<NeighborhoodRule>(method)
                                ? 8.0 * 2000.0 / static_cast<double>(shape.points)
                                : 0.0;
        const auto limit = kind.limit ? std::optional(*kind.limit + draw) : std::nullopt;
        holds = print(kind, shape, what, bytes, limit) && holds;
      } catch (const InvalidInput&) {
        // The method is not defined for this kind of model.
      }
    }
  }
  return holds;
}

}  // namespace
}  // namespace bisector::bench

int main() {
  using namespace bisector::bench;
  fmt::print("bytes per number of the model's points, the model counted in\n");
  bool holds = true;
  for (const Shape& shape : {Shape{0, 20000, 20}, Shape{0, 5000, 200}}) {
    for (const Kind& kind : kinds()) holds = measure(kind, shape) && holds;
  }
  return holds ? 0 : 1;
}
