#include "common/study_run.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <chrono>
#include <sstream>

#include "bisector/version.h"
#include "common/markdown.h"
#include "tools/output_file.h"

namespace bisector::paper {
namespace {

std::filesystem::path journal_path(const std::filesystem::path& out, const std::string& name) {
  tools::make_folder(out);
  return out / (name + ".journal");
}

}  // namespace

StudyRun::StudyRun(const std::filesystem::path& out, const std::string& name,
                   const std::string& settings, std::ostream& log)
    : out_(out),
      name_(name),
      log_(log),
      journal_(journal_path(out, name), fmt::format("bisector-paper {} {}{}{}", name, kVersion,
                                                    settings.empty() ? "" : " ", settings)) {}

const StudyRun::Lines& StudyRun::lines(const std::string& unit,
                                       const std::function<Lines()>& compute) {
  if (!journal_.contains(unit)) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    journal_.add(unit, compute());
    const std::chrono::duration<double> taken = Clock::now() - start;
    fmt::print(log_, "{}: {:.1f} s\n", unit, taken.count());
    log_.flush();
  }
  return journal_.lines(unit);
}

void StudyRun::write(const std::string& csv, const std::string& page) const {
  write_file(out_ / (name_ + ".csv"), csv);
  write_result(out_ / (name_ + ".md"), page, log_);
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

std::vector<double> numbers_of(const std::string& line, std::size_t first) {
  std::vector<double> numbers;
  const std::vector<std::string> cells = cells_of(line);
  for (std::size_t c = first; c < cells.size(); ++c) numbers.push_back(std::stod(cells[c]));
  return numbers;
}

void write_result(const std::filesystem::path& path, const std::string& text, std::ostream& log) {
  write_file(path, wrapped(text));
  fmt::print(log, "wrote {}\n", path.string());
}

}  // namespace bisector::paper
