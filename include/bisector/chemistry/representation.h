// Molecules as rows of numbers that do not change when a molecule is moved, turned, mirrored or its
// atoms are numbered otherwise; and from which atoms every number came.
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bisector/chemistry/molecule.h"
#include "bisector/export.h"
#include "bisector/matrix.h"

namespace bisector::chemistry {

/// Coulomb matrix: Z_i Z_j / |r_i - r_j| off the diagonal and Z_i^2.4 / 2 on it, rows and columns
/// in descending order of their L1 norms; its upper triangle, row by row. Rows of equal norm come
/// in the order of their largest entries, then of the atoms; a molecule with fewer atoms has zeros
/// at the end.
struct CoulombLayout {
  std::size_t atoms = 0;  // of the largest molecule
  bool operator==(const CoulombLayout&) const = default;
};

/// Bag of bonds: for each pair of elements the distances between their atoms, bonded or not, in
/// descending order; a molecule with fewer such pairs has zeros at the bag's end.
struct BagLayout {
  std::map<std::pair<int, int>, std::size_t> bags;  // elements, the smaller first: most pairs
  bool operator==(const BagLayout&) const = default;
};

enum class RepresentationKind { coulomb_matrix, bag_of_bonds };

/// The atoms of a feature. The same atom twice: it is the atom's own. No atoms: padding.
struct FeatureOrigin {
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::size_t first = kNone, second = kNone;
  bool is_padding() const { return first == kNone; }
  bool operator==(const FeatureOrigin&) const = default;
};

struct DescribedMolecule {
  std::vector<double> features;
  std::vector<FeatureOrigin> origin;  // one for each feature; every pair of atoms at most once
};

class BISECTOR_EXPORT Representation {
 public:
  /// With room for each of the molecules. Throws InvalidInput where there is none, or where it
  /// would have more than ten million features.
  static Representation fit(RepresentationKind kind, std::span<const Molecule> molecules);
  /// The representation whose feature names these are, as a model carries them. Throws
  /// InvalidInput for others.
  static Representation from_feature_names(std::span<const std::string> names);

  RepresentationKind kind() const;
  std::size_t features() const { return names_.size(); }
  /// "coulomb 1 2" for row 1 and column 2; "C-H 3" for the third largest distance of that bag.
  const std::vector<std::string>& feature_names() const { return names_; }

  /// Throws InvalidInput, with the molecule's place, for one that there is no room for, and for
  /// atoms so close that a feature is no usable number.
  DescribedMolecule operator()(const Molecule& molecule) const;
  /// A row for each molecule.
  Matrix rows(std::span<const Molecule> molecules) const;

  bool operator==(const Representation&) const = default;

 private:
  using Layout = std::variant<CoulombLayout, BagLayout>;
  explicit Representation(Layout layout);

  Layout layout_;
  std::vector<std::string> names_;
};

/// "C-H": carbon first, hydrogen last, others by the alphabet.
BISECTOR_EXPORT std::string pair_name(int one, int other);

}  // namespace bisector::chemistry
