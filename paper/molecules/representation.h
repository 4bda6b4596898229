// Represents molecules as rows of numbers that do not change if a molecule is moved, rotated or
// mirrored or its atoms are renumbered, and records the atoms that each number describes.
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

#include "bisector/matrix.h"
#include "molecules/molecule.h"

namespace bisector::molecules {

/// Coulomb matrix: Z_i Z_j / |r_i - r_j| off the diagonal and Z_i^2.4 / 2 on it, rows and columns
/// in descending order of their L1 norms; its upper triangle, row by row. Rows of equal norm come
/// in the order of their largest entries, then of the atoms. A molecule with fewer atoms has zeros
/// at the end.
struct CoulombLayout {
  std::size_t atoms = 0;  // of the largest molecule
  bool operator==(const CoulombLayout&) const = default;
};

/// Bag of bonds: for each pair of elements the distances between their atoms, bonded or not, in
/// descending order. A molecule with fewer such pairs has zeros at the end of the bag.
struct BagLayout {
  // Largest number of pairs for each two elements, the smaller atomic number first.
  std::map<std::pair<int, int>, std::size_t> bags;
  bool operator==(const BagLayout&) const = default;
};

enum class RepresentationKind { coulomb_matrix, bag_of_bonds };

/// The atoms that a feature describes: two, the same one twice for a feature of a single atom, or
/// none for padding.
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

class Representation {
 public:
  /// A representation that is large enough for each of the molecules. Throws InvalidInput if there
  /// are no molecules, or for more than ten million features.
  static Representation fit(RepresentationKind kind, std::span<const Molecule> molecules);
  std::size_t features() const { return names_.size(); }
  /// "coulomb 1 2" for row 1 and column 2; "C-H 3" for the third largest distance of that bag.
  const std::vector<std::string>& feature_names() const { return names_; }

  /// Throws InvalidInput, with the molecule's place, for a molecule that is too large and for atoms
  /// at the same position.
  DescribedMolecule operator()(const Molecule& molecule) const;
  /// One row per molecule.
  Matrix rows(std::span<const Molecule> molecules) const;

  bool operator==(const Representation&) const = default;

 private:
  using Layout = std::variant<CoulombLayout, BagLayout>;
  explicit Representation(Layout layout);

  Layout layout_;
  std::vector<std::string> names_;
};

/// "C-H": carbon first, hydrogen last, other elements in alphabetical order.
std::string pair_name(int one, int other);

}  // namespace bisector::molecules
