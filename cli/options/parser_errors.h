// Error messages for command lines that the parser refuses.
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

/// The message for an unknown verb, with the most similar verb or all verbs.
std::string unknown_verb(const std::string& word, const std::vector<std::string>& verbs);

}  // namespace bisector::cli
