// bisector convert: converts a model file to another format.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <ostream>

#include "bisector/io/bundle_extras.h"
#include "bisector/io/model_file.h"
#include "bisector/limits.h"
#include "cli/options/limit_option.h"
#include "cli/options/option_values.h"
#include "cli/verbs.h"
#include "tools/output_file.h"

namespace bisector::cli {
namespace {

struct ConvertArguments {
  std::filesystem::path input, output;
  Limits limits;
};

constexpr std::array<std::string_view, 4> kLibsvmExtensions = {".model", ".svm", ".libsvm", ".txt"};

enum class Format { bundle, libsvm };

Format format_of(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".npz") return Format::bundle;
  if (std::ranges::find(kLibsvmExtensions, extension) != kLibsvmExtensions.end())
    return Format::libsvm;
  throw UsageError(
      fmt::format("the output {} has an unknown extension, expected .npz (a bundle) or {} (LIBSVM)",
                  path.string(), fmt::join(kLibsvmExtensions, ", ")));
}

void convert_command(const ConvertArguments& arguments, std::ostream&, std::ostream&) {
  const Format format = format_of(arguments.output);
  const Model model = read_model(arguments.input, arguments.limits);
  const BundleExtras extras = read_bundle_extras(arguments.input, arguments.limits);
  tools::OutputFile output(arguments.output);
  if (format == Format::bundle)
    write_bundle(output.stream(), model, extras);
  else
    write_libsvm_model(output.stream(), model, extras.probabilities);
  output.commit();
}

}  // namespace

void add_convert(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "convert",
      "Writes a model file in another format: an .npz bundle for every model, or LIBSVM for kernel "
      "machines without preprocessing.");
  const auto arguments = std::make_shared<ConvertArguments>();
  add_path(verb, "IN", arguments->input, "", "A LIBSVM model file or an .npz bundle")->required();
  add_output(verb, "OUT", arguments->output, "",
             "The format follows from the extension: .npz; .model, .svm, .libsvm or .txt for "
             "LIBSVM's format")
      ->required();
  add_limit_option(verb, arguments->limits);
  verb.footer("Example:\n  bisector convert wine.model wine.npz");
  set_action(verb, action, arguments, convert_command);
}

}  // namespace bisector::cli
