// The description that every kind of model gives of itself, once. Bundles, the page's packed model,
// Python, inspect, equality, padding and one-hot columns are written against it.
//
// A kind M of model has
//   M::kKind                 its name in files, in Python and in the output of inspect
//   M::kTask                 what it predicts
//   M::kPositive             the class that f of two classes is positive for (not for regressors)
//   M::Data                  its stored members, with M::Data::fields(visit) that calls
//                            visit(Field, pointer to member) for each of them
//   M(Data), data()          the model of checked members, and the members
//   features(), shared_points(), distance(), labels(), neighbors()
//   summary(), pool_sizes()  the description of its points in inspect and the report
// and, if it has them,
//   kernel()                 its kernel, and pair_machine(), the machine of two classes
//   vote()                   how its neighbors vote, and classes() of its points
//   default_level()          of regressors: the level at which they are explained
//   against_rest()           each class against all others, as models of two classes
//   prepare(threads)         work before the first prediction. A constructor must not do it: a
//                            file is read without it, and it should use the caller's
//                            threads.
// A kind that lacks one of the first list does not compile.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bisector {

/// One stored member of a kind of model. Members of these types can be stored: SharedMatrix (the
/// points), Matrix, std::vector of double, std::size_t or std::string (labels), double,
/// std::size_t, std::optional<double>, enums with a name(), Distance, Kernel and NeighborVote.
struct Field {
  /// How a bundle stores the member, if its type alone does not tell.
  enum class Layout {
    by_type,
    one_row,     // a list that may also be stored as a matrix of one row
    list_of_one  // a number, stored as a list of one
  };
  std::string_view name;            // array in the bundle
  std::string_view keyword = name;  // argument and property in Python
  Layout layout = Layout::by_type;
  bool is_optional = false;  // absent arrays leave the default

  bool operator==(const Field&) const = default;
};

enum class Task { classification, regression, detection };

/// The label of all other classes.
inline constexpr const char* kRest = "all other classes";

/// The points of one class, or of one sign if the points do not belong to classes.
struct PointCount {
  std::string of;  // "of class 2", "with coefficient > 0"
  std::size_t count;
};

/// A kind of model in words.
struct ModelSummary {
  std::string description;
  std::string_view point_name;  // "support vectors"
  std::vector<PointCount> points = {};
  std::vector<double> intercepts = {};
  std::optional<std::size_t> k = {};  // number of neighbors
};

/// The number of points in the pools P and N of a pair of classes.
struct PoolSizes {
  std::size_t positive = 0, negative = 0;
  double intercept = 0.0;  // of the pair's f: a virtual point of P if positive, of N if negative
};

}  // namespace bisector
