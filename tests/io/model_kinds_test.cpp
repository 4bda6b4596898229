// Properties of every kind of model that follow from its fields. A new kind needs one overload of
// random_kind.
#include <gtest/gtest.h>

#include "bisector/io/model_file.h"
#include "core/models/model_fields.h"
#include "io/model_test_support.h"
#include "io/temp_file.h"

namespace bisector {
namespace {

using namespace detail;
using Random = test::RandomModels;

Distance random_distance(Random& random, std::size_t n) {
  if (n % 3 == 0) return {};
  return n % 3 == 1 ? Distance(1.0 + random.positive()) : Distance::manhattan();
}

Kernel random_kernel(Random& random, std::size_t n) {
  const auto forms = enum_values<KernelForm>();
  return Kernel(KernelTerm{forms[n % forms.size()], random.positive(), 2.0},
                n % 2 == 0 ? Distance() : Distance::manhattan());
}

NeighborVote random_vote(Random& random, std::size_t n, std::size_t points) {
  NeighborVote vote;
  const auto weights = enum_values<NeighborVote::Weights>();
  vote.weights = weights[n % weights.size()];
  if (vote.has_decay()) vote.decay = {0.0, random.positive(), random.positive()};
  if (n % 3 == 0) vote.point_weights.assign(points, random.positive());
  vote.distance = random_distance(random, n / 2);
  return vote;
}

KernelMachine random_machine(Random& random, std::size_t n) {
  const std::size_t points = random.integer(1, 6);
  return KernelMachine(random.matrix(points, 3), random.numbers(points), random_kernel(random, n),
                       random.number());
}

KernelClassifier random_kind(Random& random, std::size_t n, std::type_identity<KernelClassifier>) {
  const std::size_t classes = random.integer(3, 5), points = 2 * classes;
  const Kernel kernel = random_kernel(random, n);
  if (n % 3 == 0)
    return KernelClassifier::one_vs_rest(random.matrix(points, 3), random.matrix(classes, points),
                                         random.numbers(classes), kernel,
                                         random.text_labels(classes));
  const KernelClassifier by_pair(random.matrix(points, 3), std::vector<std::size_t>(classes, 2),
                                 random.matrix(classes - 1, points),
                                 random.numbers(classes * (classes - 1) / 2), kernel,
                                 random.integer_labels(classes));
  return n % 3 == 1 ? by_pair : by_pair.with_broken_ties();
}
KernelRegressor random_kind(Random& random, std::size_t n, std::type_identity<KernelRegressor>) {
  return KernelRegressor(random_machine(random, n),
                         n % 2 == 0 ? std::optional(random.number()) : std::nullopt);
}
OneClassMachine random_kind(Random& random, std::size_t n, std::type_identity<OneClassMachine>) {
  return OneClassMachine(random_machine(random, n));
}
NeighborModel random_kind(Random& random, std::size_t n, std::type_identity<NeighborModel>) {
  const std::size_t points = random.integer(2, 9);
  std::vector<std::size_t> classes(points);
  for (std::size_t p = 0; p < points; ++p) classes[p] = p % 2;
  return NeighborModel(random.matrix(points, 3), classes, random.text_labels(2),
                       random.integer(1, points), random_vote(random, n, points));
}
CentroidModel random_kind(Random& random, std::size_t n, std::type_identity<CentroidModel>) {
  const std::size_t classes = random.integer(2, 5);
  return CentroidModel(random.matrix(classes, 3), random.text_labels(classes),
                       random_distance(random, n));
}
NeighborRegressor random_kind(Random& random, std::size_t n,
                              std::type_identity<NeighborRegressor>) {
  const std::size_t points = random.integer(2, 9);
  return NeighborRegressor(random.matrix(points, 3), random.numbers(points),
                           random.integer(1, points), random_vote(random, n, points));
}
OutlierDetector random_kind(Random& random, std::size_t n, std::type_identity<OutlierDetector>) {
  const auto scores = enum_values<OutlierScore>();
  return OutlierDetector(random.matrix(random.integer(4, 9), 3), random.integer(1, 3),
                         scores[n % scores.size()], random.positive(), random_distance(random, n));
}

template <class M>
class EveryModelKind : public testing::Test {
 protected:
  /// check(model) for many random models of the kind.
  template <class Check>
  static void for_each_model(const Check& check) {
    for (std::size_t n = 0; n < 60; ++n) {
      SCOPED_TRACE(testing::Message() << "model " << n);
      Random random(n + 1);
      check(random_kind(random, n, std::type_identity<M>()));
    }
  }
};

template <class V>
struct TypesOf;
template <class... M>
struct TypesOf<std::variant<M...>> {
  using Types = testing::Types<M...>;
};
TYPED_TEST_SUITE(EveryModelKind, TypesOf<Predictor>::Types);

TYPED_TEST(EveryModelKind, FieldsListEveryMember) {
  this->for_each_model([](const TypeParam& model) {
    const auto copy = [&](const auto& read) {
      typename TypeParam::Data data;
      const auto& from = model.data();
      TypeParam::Data::fields([&](const Field&, auto member) { data.*member = from.*member; });
      return read(std::move(data));
    };
    EXPECT_EQ(copy([](auto data) { return TypeParam(std::move(data)); }), model);
  });
}

TYPED_TEST(EveryModelKind, ReadingABundleBackGivesAnEqualModel) {
  const TempFile file("kinds.npz", "");
  this->for_each_model([&](const TypeParam& model) {
    write_bundle(file.path(), Model(model));
    EXPECT_EQ(read_bundle(file.path()), Model(model));
  });
}

TYPED_TEST(EveryModelKind, OtherPointsKeepAllOtherFields) {
  this->for_each_model([](const TypeParam& model) {
    const SharedMatrix wide(Matrix(model.shared_points()->rows(), 5,
                                   std::vector<double>(5 * model.shared_points()->rows(), 1.0)));
    const Predictor moved = with_points(model, wide, model.distance());
    EXPECT_EQ(Model(moved).points(), *wide);
    EXPECT_EQ(with_points(moved, model.shared_points(), model.distance()), Predictor(model));
  });
}

TYPED_TEST(EveryModelKind, DescribesItself) {
  this->for_each_model([](const TypeParam& model) {
    const Model whole(model);
    EXPECT_EQ(whole.kind(), TypeParam::kKind);
    EXPECT_FALSE(whole.summary().description.empty());
    EXPECT_EQ(whole.labels().empty(), whole.is_regressor());
    EXPECT_EQ(whole.kernel() == nullptr, whole.neighbors() > 0);
    if (const auto pair = whole.fixed_pair()) {
      const PoolSizes sizes = whole.pool_sizes(*pair, 0.0);
      EXPECT_LE(sizes.positive + sizes.negative, whole.points().rows());
    }
  });
}

}  // namespace
}  // namespace bisector
