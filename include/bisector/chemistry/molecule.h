// Molecules: atoms with their places, and the properties that somebody measured or computed.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/export.h"

namespace bisector::chemistry {

struct Atom {
  int number = 0;                       // of protons: 1 for hydrogen
  std::array<double, 3> position = {};  // in Angstrom
  bool operator==(const Atom&) const = default;
};

struct Molecule {
  std::string name;  // as its file has it; may be empty
  std::vector<Atom> atoms;
  std::map<std::string, double, std::less<>> properties;
  std::string place;  // where it was read, for messages: file, line and frame; may be empty
};

BISECTOR_EXPORT double distance(const Atom& a, const Atom& b);

/// "H" for 1 up to "Og" for 118. Throws InvalidInput for any other number.
BISECTOR_EXPORT std::string_view element_symbol(int number);
/// The number of an element's symbol, upper and lower case as in chemistry; nothing for others.
BISECTOR_EXPORT std::optional<int> element_number(std::string_view symbol);

/// The sum formula in Hill's order: carbon, hydrogen, then the alphabet.
BISECTOR_EXPORT std::string formula(const Molecule& molecule);

/// Throws InvalidInput, with the molecule's place and the properties that it has, where the one
/// asked for is missing.
BISECTOR_EXPORT double property(const Molecule& molecule, std::string_view name);

}  // namespace bisector::chemistry
