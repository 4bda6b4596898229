#include "apps/molecules/command/writer.h"

#include <fmt/format.h>

#include "cli/writers/json_text.h"

namespace bisector::molecules {

using namespace cli;

namespace {

/// The cells that every line of a molecule begins with, "3,dsgdb9nsd_1,1.85,0.2,1.5,0,".
std::string head_cells(const ExplainedMolecule& e) {
  return fmt::format("{},{},{},{},{},{},", e.frame, csv_cell(e.molecule.name), e.prediction,
                     e.output, e.base, e.remainder);
}

const Atom& atom_of(const ExplainedMolecule& explained, std::size_t index) {
  return explained.molecule.atoms[index];
}

double pair_distance(const ExplainedMolecule& explained, const PairRelevance& pair) {
  return distance(atom_of(explained, pair.first), atom_of(explained, pair.second));
}

/// A feature of a single atom has the name of its element.
std::string pair_elements(const ExplainedMolecule& explained, const PairRelevance& pair) {
  const int first = atom_of(explained, pair.first).number;
  if (pair.first == pair.second) return std::string(element_symbol(first));
  return pair_name(first, atom_of(explained, pair.second).number);
}

}  // namespace

MoleculeWriter::MoleculeWriter(std::ostream& out, TableFormat format, MoleculePart part,
                               const ExplainSettings& settings)
    : buffer_(out), format_(format), part_(part), rows_(format) {
  if (is_json(format))
    buffer_.text() += rows_.begin("{\"method\": " + json_text(settings.method) +
                                  ", \"unit\": " + json_text(name(settings.unit)) +
                                  ", \"eta\": " + json_text(number_json(settings.eta)) +
                                  ", \"level\": " + json_text(number_json(settings.level)) +
                                  ",\n\"molecules\": ");
  else if (part == MoleculePart::pair)
    buffer_.text() +=
        "frame,name,prediction,output,base,remainder,first,second,elements,distance,relevance\n";
  else
    buffer_.text() += "frame,name,prediction,output,base,remainder,atom,element,relevance\n";
}

void MoleculeWriter::write(const ExplainedMolecule& explained) {
  if (is_json(format_))
    write_json(explained);
  else if (part_ == MoleculePart::pair)
    write_pairs(explained);
  else
    write_atoms(explained);
  buffer_.end_row();
}

void MoleculeWriter::finish() {
  if (is_json(format_)) buffer_.text() += rows_.end();
  buffer_.flush();
}

void MoleculeWriter::write_pairs(const ExplainedMolecule& explained) {
  const std::string head = head_cells(explained);
  for (const PairRelevance& pair : explained.relevance.pairs)
    buffer_.text() +=
        fmt::format("{}{},{},{},{},{}\n", head, pair.first + 1, pair.second + 1,
                    pair_elements(explained, pair), pair_distance(explained, pair), pair.relevance);
  if (explained.relevance.padding != 0.0)
    buffer_.text() += fmt::format("{},,padding,,{}\n", head, explained.relevance.padding);
}

void MoleculeWriter::write_atoms(const ExplainedMolecule& explained) {
  const std::string head = head_cells(explained);
  for (std::size_t n = 0; n < explained.molecule.atoms.size(); ++n)
    buffer_.text() +=
        fmt::format("{}{},{},{}\n", head, n + 1, element_symbol(atom_of(explained, n).number),
                    explained.relevance.atoms[n]);
  if (explained.relevance.padding != 0.0)
    buffer_.text() += fmt::format("{},padding,{}\n", head, explained.relevance.padding);
}

void MoleculeWriter::write_json(const ExplainedMolecule& explained) {
  Json json = {{"frame", explained.frame}, {"name", explained.molecule.name}};
  json["formula"] = formula(explained.molecule);
  json["prediction"] = number_json(explained.prediction);
  json["output"] = number_json(explained.output);
  json["base"] = number_json(explained.base);
  json["remainder"] = number_json(explained.remainder);
  json["atoms"] = Json::array();
  for (std::size_t n = 0; n < explained.molecule.atoms.size(); ++n)
    json["atoms"].push_back({{"element", element_symbol(atom_of(explained, n).number)},
                             {"position", atom_of(explained, n).position},
                             {"relevance", explained.relevance.atoms[n]}});
  json["pairs"] = Json::array();
  for (const PairRelevance& pair : explained.relevance.pairs)
    json["pairs"].push_back({{"first", pair.first + 1},
                             {"second", pair.second + 1},
                             {"distance", pair_distance(explained, pair)},
                             {"relevance", pair.relevance}});
  json["padding"] = explained.relevance.padding;
  buffer_.text() += rows_.before_row();
  buffer_.text() += json_text(json);
}

}  // namespace bisector::molecules
