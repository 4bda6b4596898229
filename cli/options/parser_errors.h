// What the parser found wrong, in our own words.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace bisector::cli {

/// One sentence: what is wrong, and what to type instead. `app` is the command that was parsed.
std::string parser_message(const CLI::App& app, const CLI::ParseError& error);

/// "; did you mean explain?" for the candidate that differs least, nothing where none is near.
std::string suggestion(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace bisector::cli
