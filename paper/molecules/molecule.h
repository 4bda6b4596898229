// Molecules: atoms with their positions, and measured or computed properties.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bisector::molecules {

struct Atom {
  int number = 0;                       // atomic number: 1 for hydrogen
  std::array<double, 3> position = {};  // in Angstrom
  bool operator==(const Atom&) const = default;
};

struct Molecule {
  std::string name;  // from the file; may be empty
  std::vector<Atom> atoms;
  std::map<std::string, double, std::less<>> properties;
  std::string place;  // file, line and frame, for messages; may be empty
};

double distance(const Atom& a, const Atom& b);

/// "H" for 1 up to "Og" for 118. Throws InvalidInput for any other number.
std::string_view element_symbol(int number);
/// The atomic number of a symbol in the usual case ("Cl"); nothing for other text.
std::optional<int> element_number(std::string_view symbol);

/// The chemical formula in Hill order: carbon, hydrogen, then in alphabetical order.
std::string formula(const Molecule& molecule);

/// Throws InvalidInput, with the molecule's place and its properties, if this one is missing.
double property(const Molecule& molecule, std::string_view name);

}  // namespace bisector::molecules
