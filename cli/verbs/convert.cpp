// bisector convert: writes a model file of another program as a bundle.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <ostream>

#include "bisector/io/bundle_extras.h"
#include "bisector/io/model_file.h"
#include "bisector/limits.h"
#include "cli/options/input.h"
#include "cli/options/option_values.h"
#include "cli/verbs.h"
#include "tools/output_file.h"

namespace bisector::cli {
namespace {

struct ConvertArguments {
  std::filesystem::path input, output;
  Limits limits;
};

void convert_command(const ConvertArguments& arguments, std::ostream&, std::ostream&) {
  if (arguments.output.extension() != ".npz")
    throw UsageError(
        fmt::format("the output is {}, expected a name that ends in .npz: LIBSVM models are only "
                    "read",
                    arguments.output.string()));
  const Model model = read_model(arguments.input, arguments.limits);
  const BundleExtras extras = read_bundle_extras(arguments.input, arguments.limits);
  tools::OutputFile output(arguments.output);
  write_bundle(output.stream(), model, extras);
  output.commit();
}

}  // namespace

void add_convert(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand("convert", "Writes a LIBSVM model file as an .npz bundle.");
  const auto arguments = std::make_shared<ConvertArguments>();
  add_path(verb, "IN", arguments->input, "", "A LIBSVM model file or an .npz bundle")->required();
  add_output(verb, "OUT", arguments->output, "", "The .npz bundle to write")->required();
  add_limit_option(verb, arguments->limits);
  verb.footer("Example:\n  bisector convert wine.model wine.npz");
  set_action(verb, action, arguments, convert_command);
}

}  // namespace bisector::cli
