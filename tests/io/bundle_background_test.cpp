// The background and the check of auto go through a bundle and back; wrong ones are refused.
#include <gtest/gtest.h>

#include "bisector/error.h"
#include "bisector/explain.h"
#include "bisector/io/model_file.h"
#include "io/temp_file.h"
#include "reference/plain_machines.h"

namespace bisector::io {
namespace {

using reference::normal_rows;

Model svm() {
  return Model(KernelClassifier::two_class(reference::plain_machine(4, 30, 3, 0.2), "a", "b"),
               AffineMap({0.1, 0.2, 0.3}, {1.5, 2.0, 0.7}));
}

TEST(BundleBackground, ReadsBackAndExplainsAlike) {
  const TempFile file("model.npz", "");
  for (const std::size_t rows : {1u, 40u, 1500u}) {
    const Model model = with_training_data(svm(), normal_rows(7, rows, 3));
    ASSERT_TRUE(model.background() && model.auto_check());
    write_bundle(file.path(), model);
    const Model read = read_bundle(file.path());
    EXPECT_EQ(read, model);
    const Matrix own = normal_rows(8, 5, 3);
    ExplainOptions options;
    options.background = normal_rows(7, rows, 3);
    EXPECT_EQ(explain(read, own).relevance, explain(svm(), own, Auto{}, options).relevance);
  }
}

TEST(BundleBackground, RefusesRowsThatDoNotFit) {
  const Background good = background_of(svm(), normal_rows(7, 40, 3));
  const auto refused = [&](const auto& change) {
    Background bad = good;
    change(bad);
    EXPECT_THROW(svm().with_background(bad), InvalidModel);
  };
  refused([](Background& b) { b.rows = normal_rows(7, 40, 4); });
  refused([](Background& b) { b.rows = normal_rows(7, 1001, 3); });
  refused([](Background& b) { b.rows = Matrix(1, 3, {0.0, 1e200, 0.0}); });
  refused([](Background& b) { b.mean.pop_back(); });
  refused([](Background& b) { b.median_distance = -1.0; });
  EXPECT_THROW(svm().with_auto_check({1.5, {}}), InvalidModel);
  EXPECT_THROW(svm().with_auto_check({{}, -0.1}), InvalidModel);
  EXPECT_THROW(background_of(svm(), Matrix(0, 3)), InvalidInput);
}

}  // namespace
}  // namespace bisector::io
