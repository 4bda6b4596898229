// The paper's figures and its table as a page, from the CSV files that the studies leave.
#pragma once

#include <filesystem>

namespace bisector::paper {

/// ablation.svg (the paper's Figure 2) from ablation.csv.
void draw_ablation(const std::filesystem::path& folder);
/// heuristics.svg (Note G's heat maps, with the heuristic's line) from heuristics.csv.
void draw_heuristics(const std::filesystem::path& folder);
/// table.html from table.csv.
void write_table_page(const std::filesystem::path& folder);

/// All of these for which the folder has the numbers.
void draw_all(const std::filesystem::path& folder);

}  // namespace bisector::paper
