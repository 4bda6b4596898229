// What a file of molecules promises.
#pragma once

#include <cmath>
#include <filesystem>

#include "bisector/chemistry/molecule_file.h"
#include "promise.h"

namespace bisector::fuzz {

inline void check_molecules(const std::filesystem::path& path) {
  attempt([&] {
    chemistry::MoleculeReader reader(path);
    std::size_t molecules = 0;
    while (const auto molecule = reader.next()) {
      ++molecules;
      require(!molecule->atoms.empty(), "a molecule has atoms");
      require_readable(molecule->place);
      for (const chemistry::Atom& atom : molecule->atoms) {
        require(!chemistry::element_symbol(atom.number).empty(), "an atom is of an element");
        for (const double coordinate : atom.position)
          require(std::abs(coordinate) <= 1e100, "coordinates are within 1e100");
      }
      for (const auto& [name, value] : molecule->properties)
        require(std::isfinite(value), "properties are finite");
    }
    return molecules;
  });
}

}  // namespace bisector::fuzz
