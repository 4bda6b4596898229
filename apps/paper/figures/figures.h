// The paper's figures and its table as a page, drawn from the CSV files of the studies.
#pragma once

#include <filesystem>

namespace bisector::paper {

/// ablation.svg (the paper's Figure 2) from ablation.csv.
void draw_ablation(const std::filesystem::path& folder);
/// heuristics.svg (Note G's heat maps, with the heuristic's line) from heuristics.csv.
void draw_heuristics(const std::filesystem::path& folder);
/// table.html from table.csv.
void write_table_page(const std::filesystem::path& folder);

/// Draws each of these whose CSV file is in the folder.
void draw_all(const std::filesystem::path& folder);

}  // namespace bisector::paper
