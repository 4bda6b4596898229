#include "bisector/outlier_detector.h"

#include <gtest/gtest.h>

#include <atomic>

#include "bisector/explain.h"
#include "bisector/predict.h"
#include "reference/plain_machines.h"

#if defined(__linux__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#include <dlfcn.h>
#include <pthread.h>

namespace {
std::atomic<int> started_threads{0};
}

/// Counts the threads that this process starts.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*routine)(void*), void* argument) noexcept {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto real = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  ++started_threads;
  return real(thread, attributes, routine, argument);
}
#define BISECTOR_COUNTS_THREADS
#endif

namespace bisector {
namespace {

using Score = OutlierDetector::Score;

OutlierDetector detector(std::size_t points = 4000) {
  Random random(5);
  return OutlierDetector(reference::normal_matrix(random, points, 3), 10,
                         Score::local_outlier_factor, 1.5);
}

TEST(OutlierDetector, DensitiesDoNotDependOnTheNumberOfThreads) {
  const OutlierDetector one = detector(), many = detector();
  EXPECT_EQ(one.prepare(1).densities, many.prepare(4).densities);
  EXPECT_EQ(one.local_densities().reaches, many.local_densities().reaches);
}

TEST(OutlierDetector, CopiesShareTheirDensities) {
  const OutlierDetector original = detector(), copy = original;
  EXPECT_EQ(&original.prepare(2), &copy.local_densities());
}

TEST(OutlierDetector, OtherScoresHaveNoDensities) {
  const OutlierDetector kth(detector().shared_points(), 3, Score::kth_distance, 1.0);
  EXPECT_TRUE(kth.prepare(1).densities.empty());
}

#ifdef BISECTOR_COUNTS_THREADS
TEST(OutlierDetector, ConstructionStartsNoThread) {
  const int before = started_threads;
  detector();
  EXPECT_EQ(started_threads, before);
}

TEST(OutlierDetector, OneThreadMeansNoOtherThread) {
  const int before = started_threads;
  const Model model(detector());
  const DecisionFunction decide(model, Precision::float64, 1);
  decide(model.points().view().rows(0, 20));
  ExplainOptions options;
  options.threads = 1;
  const Model another(detector());
  Explainer(another, Auto{}, options)(another.points().view().rows(0, 20));
  EXPECT_EQ(started_threads, before);
}

TEST(OutlierDetector, DensitiesUseTheThreadsOfTheCaller) {
  const OutlierDetector many = detector();
  const int before = started_threads;
  many.prepare(3);
  EXPECT_GT(started_threads, before);
}
#endif

}  // namespace
}  // namespace bisector
