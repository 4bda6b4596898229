// The verbs in the order of --help. A new verb is a file with its add function, and a line here.
#pragma once

#include "cli/verb.h"

namespace bisector::cli {

void add_train(CLI::App& app, Action& action);
void add_demo(CLI::App& app, Action& action);
void add_explain(CLI::App& app, Action& action);
void add_flip(CLI::App& app, Action& action);
void add_predict(CLI::App& app, Action& action);
void add_score(CLI::App& app, Action& action);
void add_evaluate(CLI::App& app, Action& action);
void add_choose(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_inspect(CLI::App& app, Action& action);
void add_convert(CLI::App& app, Action& action);
void add_help(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);

inline constexpr AddVerb kVerbs[] = {
    add_demo,   add_train,  add_explain, add_flip,    add_predict, add_score,     add_evaluate,
    add_choose, add_report, add_inspect, add_convert, add_help,    add_completion};

}  // namespace bisector::cli
