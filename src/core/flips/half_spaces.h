// The shortest vector in an intersection of half-spaces and a box.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bisector::detail {

/// Minimizes |v|^2 / 2 over a.v <= b for every half-space and lowest <= v <= highest, by the dual
/// active-set method (Goldfarb and Idnani 1983): the vector grows from 0 until no constraint is
/// violated. Half-spaces can be added between calls of solve(), which continues from the last
/// solution.
class HalfSpaces {
 public:
  explicit HalfSpaces(std::size_t dimensions);
  HalfSpaces(std::vector<double> lowest, std::vector<double> highest);

  /// Normals of length 0 are left out; returns whether this one was not.
  bool add(std::span<const double> normal, double bound);
  /// The number of multiplications since the start.
  double work() const { return work_; }

  /// False if the intersection is empty, up to rounding.
  bool solve();
  std::span<const double> solution() const { return solution_; }
  /// How much each half-space keeps the solution from being shorter; 0 if it is not active.
  std::vector<double> multipliers() const;
  /// A length that no vector in the intersection is shorter than: the dual value is a lower bound
  /// of the minimum for any multipliers, also if the intersection is empty.
  double least_length() const;

 private:
  /// A half-space, or an end of the box in one dimension.
  struct Constraint {
    enum class Kind { half_space, lower, upper } kind;
    std::size_t number;
  };
  /// A normal as a sum over the basis and a rest that is orthogonal to it.
  struct Projection {
    std::vector<double> products, rest;
  };

  std::vector<double> normal_of(const Constraint& constraint) const;
  double bound_of(const Constraint& constraint) const;
  double excess(const Constraint& constraint) const;
  /// Moves the solution until the constraint holds; false if it contradicts the active ones.
  bool enforce(const Constraint& entering);
  Projection project(std::vector<double> normal);
  /// The products with the basis as factors of the active normals.
  std::vector<double> factors(std::vector<double> products) const;
  /// The projection is that of the constraint's normal.
  void activate(const Constraint& constraint, double multiplier, Projection projection);
  void drop(std::size_t position);
  /// A lower bound of the length from a sum of constraints that almost has no normal.
  double contradiction(const Constraint& entering, std::span<const double> factors) const;

  std::vector<double> lowest_, highest_;  // empty: no box
  std::vector<double> normals_;           // of length 1, one after the other
  std::vector<double> bounds_;
  std::vector<double> solution_;
  std::vector<Constraint> active_;
  std::vector<double> multipliers_;            // of the active constraints, not negative
  std::vector<std::vector<double>> basis_;     // orthonormal; spans the active normals
  std::vector<std::vector<double>> triangle_;  // products of each active normal with the basis
  double empty_length_ = 0.0;                  // see contradiction()
  double work_ = 0.0;
};

}  // namespace bisector::detail
