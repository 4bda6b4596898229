// Statistics of the relevance of pairs of atoms: by distance, by elements, and by oxygen atoms.
#pragma once

#include <array>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "molecules/atom_relevance.h"
#include "molecules/molecule.h"

namespace bisector::paper {

/// Named numbers for the journal.
using Facts = std::map<std::string, std::vector<double>>;

/// Distances in Angstrom; a band ends before its limit.
struct Band {
  double limit;
  std::string_view title;
};
inline constexpr std::array<Band, 4> kBands = {
    {{1.7, "under 1.7"},
     {3.0, "1.7 to 3"},
     {4.5, "3 to 4.5"},
     {std::numeric_limits<double>::infinity(), "4.5 and over"}}};
std::size_t band_of(double distance);

/// True for heavy atoms (not hydrogen) whose distance from the center of the heavy atoms is above
/// the mean.
std::vector<bool> peripheral_atoms(const molecules::Molecule& molecule);

/// Sums over molecules; shares are of the sum of |relevance| over pairs of different atoms.
class FindingSums {
 public:
  void add(const molecules::Molecule& molecule, const molecules::AtomRelevance& relevance);
  /// "band 0": share of |relevance| and of pairs, and the sum of signed relevance as a share of
  /// |relevance|; "pair C-H": the same; "peripheral oxygen", "inner oxygen", "other": the same of
  /// atoms, which have half of each pair; "distance": mean weighted by |relevance|, and plain;
  /// "diagonal": the atoms' own share beside the pairs.
  Facts facts() const;

 private:
  struct Sums {
    double relevance = 0.0, net = 0.0, count = 0.0;
  };
  std::map<std::string, Sums> parts_;
  Sums pairs_, distances_;
  double atoms_ = 0.0, diagonal_ = 0.0;
};

}  // namespace bisector::paper
