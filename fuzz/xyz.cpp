// Molecules as XYZ text, or whatever the bytes look like: compressed text is recognized.
#include <cmath>

#include "memory_file.h"
#include "molecules/xyz.h"
#include "property.h"
#include "target.h"

namespace bisector::fuzz {

FUZZ_TARGET(xyz, bytes) {
  const MemoryFile file(bytes);
  attempt([&] {
    const std::vector<molecules::Molecule> all = molecules::read_molecules(file.path());
    for (const molecules::Molecule& molecule : all) {
      require(!molecule.atoms.empty(), "a molecule has atoms");
      require_readable(molecule.place);
      for (const molecules::Atom& atom : molecule.atoms) {
        require(!molecules::element_symbol(atom.number).empty(), "an atom is of an element");
        for (const double coordinate : atom.position)
          require(std::abs(coordinate) <= 1e100, "coordinates are within 1e100");
      }
      for (const auto& [name, value] : molecule.properties)
        require(std::isfinite(value), "properties are finite");
    }
    return all.size();
  });
}

}  // namespace bisector::fuzz
