#include "apps/molecules/pictures/molecule_page.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/molecules/pictures/molecule_shape.h"
#include "bisector/report/markup.h"
#include "bisector/report/page_template.h"
#include "bisector/version.h"

namespace bisector::molecules {

using namespace chart;

namespace {

using Json = nlohmann::ordered_json;

/// JSON has no infinities: they become null.
Json number_or_null(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

/// Rounds to thousandths of an Angstrom, which is enough for a picture.
double rounded(double coordinate) { return std::round(1000.0 * coordinate) / 1000.0; }

Json atoms_json(const PageMolecule& shown) {
  const std::vector<std::array<double, 3>> seen = principal_coordinates(shown.molecule);
  Json atoms = Json::array();
  for (std::size_t n = 0; n < shown.molecule.atoms.size(); ++n) {
    const auto& [x, y, z] = seen[n];
    atoms.push_back({element_symbol(shown.molecule.atoms[n].number), rounded(x), rounded(y),
                     rounded(z), number_or_null(shown.relevance.atoms[n])});
  }
  return atoms;
}

Json pairs_json(const PageMolecule& shown) {
  Json pairs = Json::array();
  for (const PairRelevance& pair : shown.relevance.pairs)
    pairs.push_back({pair.first, pair.second,
                     distance(shown.molecule.atoms[pair.first], shown.molecule.atoms[pair.second]),
                     number_or_null(pair.relevance)});
  return pairs;
}

Json molecule_json(const PageMolecule& shown) {
  Json bonds = Json::array();
  for (const Bond& bond : molecules::bonds(shown.molecule))
    bonds.push_back({bond.first, bond.second});
  return {{"name", shown.molecule.name},
          {"formula", formula(shown.molecule)},
          {"note", shown.note},
          {"prediction", number_or_null(shown.prediction)},
          {"truth", number_or_null(shown.truth)},
          {"base", number_or_null(shown.base)},
          {"remainder", number_or_null(shown.remainder)},
          {"atoms", atoms_json(shown)},
          {"bonds", std::move(bonds)},
          {"pairs", pairs_json(shown)},
          {"padding", number_or_null(shown.relevance.padding)}};
}

Json error_json(const std::optional<PageError>& error) {
  if (!error) return nullptr;
  return {{"molecules", error->molecules},
          {"mean", error->mean_absolute},
          {"ofTheMean", error->of_the_mean}};
}

}  // namespace

void write_molecule_page(std::ostream& out, const MoleculePage& content, std::string_view page) {
  Json json = {{"version", kVersion},
               {"title", content.title},
               {"quantity", content.quantity},
               {"unit", content.unit},
               {"description", content.description},
               {"level", number_or_null(content.level)},
               {"method", content.method},
               {"error", error_json(content.error)},
               {"files", content.files},
               {"molecules", Json::array()}};
  for (const PageMolecule& shown : content.molecules)
    json["molecules"].push_back(molecule_json(shown));
  PageTemplate parts(page);
  out << parts.up_to("<!--title-->") << escaped_markup(content.title);
  out << parts.up_to("<!--data-->")
      << json_for_script(json.dump(-1, ' ', false, Json::error_handler_t::replace));
  out << parts.rest();
}

}  // namespace bisector::molecules
