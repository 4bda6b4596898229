// Properties that every file of molecules has.
#pragma once

#include <cmath>
#include <filesystem>

#include "apps/molecules/files/molecule_file.h"
#include "property.h"

namespace bisector::fuzz {

inline void check_molecules(const std::filesystem::path& path) {
  attempt([&] {
    molecules::MoleculeReader reader(path);
    std::size_t count = 0;
    while (const auto molecule = reader.next()) {
      ++count;
      require(!molecule->atoms.empty(), "a molecule has atoms");
      require_readable(molecule->place);
      for (const molecules::Atom& atom : molecule->atoms) {
        require(!molecules::element_symbol(atom.number).empty(), "an atom is of an element");
        for (const double coordinate : atom.position)
          require(std::abs(coordinate) <= 1e100, "coordinates are within 1e100");
      }
      for (const auto& [name, value] : molecule->properties)
        require(std::isfinite(value), "properties are finite");
    }
    return count;
  });
}

}  // namespace bisector::fuzz
