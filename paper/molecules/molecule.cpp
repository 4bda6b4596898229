#include "molecules/molecule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bisector/error.h"

namespace bisector::molecules {
namespace {

constexpr std::array<std::string_view, 118> kSymbols = {
    "H",  "He", "Li", "Be", "B",  "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al", "Si", "P",
    "S",  "Cl", "Ar", "K",  "Ca", "Sc", "Ti", "V",  "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn",
    "Ga", "Ge", "As", "Se", "Br", "Kr", "Rb", "Sr", "Y",  "Zr", "Nb", "Mo", "Tc", "Ru", "Rh",
    "Pd", "Ag", "Cd", "In", "Sn", "Sb", "Te", "I",  "Xe", "Cs", "Ba", "La", "Ce", "Pr", "Nd",
    "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho", "Er", "Tm", "Yb", "Lu", "Hf", "Ta", "W",  "Re",
    "Os", "Ir", "Pt", "Au", "Hg", "Tl", "Pb", "Bi", "Po", "At", "Rn", "Fr", "Ra", "Ac", "Th",
    "Pa", "U",  "Np", "Pu", "Am", "Cm", "Bk", "Cf", "Es", "Fm", "Md", "No", "Lr", "Rf", "Db",
    "Sg", "Bh", "Hs", "Mt", "Ds", "Rg", "Cn", "Nh", "Fl", "Mc", "Lv", "Ts", "Og"};

std::string property_names(const Molecule& molecule) {
  std::string names;
  for (const auto& [name, value] : molecule.properties) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "it has none" : "expected one of " + names;
}

}  // namespace

double distance(const Atom& a, const Atom& b) {
  return std::hypot(a.position[0] - b.position[0], a.position[1] - b.position[1],
                    a.position[2] - b.position[2]);
}

std::string_view element_symbol(int number) {
  if (number < 1 || number > static_cast<int>(kSymbols.size()))
    throw InvalidInput(fmt::format("there is no element {}, expected 1 to 118", number));
  return kSymbols[static_cast<std::size_t>(number - 1)];
}

std::optional<int> element_number(std::string_view symbol) {
  const auto found = std::ranges::find(kSymbols, symbol);
  if (found == kSymbols.end()) return std::nullopt;
  return static_cast<int>(found - kSymbols.begin()) + 1;
}

std::string formula(const Molecule& molecule) {
  std::map<std::string_view, std::size_t> counts;
  for (const Atom& atom : molecule.atoms) ++counts[element_symbol(atom.number)];
  std::string text;
  const auto take = [&](std::string_view symbol) {
    const auto found = counts.find(symbol);
    if (found == counts.end()) return;
    text += symbol;
    if (found->second > 1) text += std::to_string(found->second);
    counts.erase(found);
  };
  if (counts.contains("C")) {
    take("C");
    take("H");
  }
  while (!counts.empty()) take(counts.begin()->first);
  return text;
}

double property(const Molecule& molecule, std::string_view name) {
  const auto found = molecule.properties.find(name);
  if (found != molecule.properties.end()) return found->second;
  const std::string where = molecule.place.empty() ? "" : molecule.place + ": ";
  throw InvalidInput(
      fmt::format("{}no property \"{}\", {}", where, name, property_names(molecule)));
}

}  // namespace bisector::molecules
