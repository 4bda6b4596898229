#include "cli/convert.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "bisector/model_file.h"
#include "cli/option_values.h"
#include "cli/output_file.h"
#include "cli/verbs.h"

namespace bisector::cli {
namespace {

constexpr std::array<std::string_view, 4> kLibsvmExtensions = {".model", ".svm", ".libsvm", ".txt"};

bool is_bundle(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".npz") return true;
  if (std::ranges::find(kLibsvmExtensions, extension) != kLibsvmExtensions.end()) return false;
  throw UsageError(
      fmt::format("the output {} has no known extension, expected .npz (a bundle), or {} (LIBSVM)",
                  path.string(), fmt::join(kLibsvmExtensions, ", ")));
}

}  // namespace

void convert_command(const ConvertArguments& arguments, std::ostream&) {
  const bool to_bundle = is_bundle(arguments.output);
  const Model model = read_model(arguments.input);
  OutputFile output(arguments.output);
  if (to_bundle)
    write_bundle(output.temporary(), model);
  else
    write_libsvm_model(output.stream(), model);
  output.commit();
}

void add_convert(CLI::App& app, Action& action) {
  CLI::App& verb = *app.add_subcommand(
      "convert",
      "A model file in another format: a LIBSVM model as an .npz bundle, which NumPy opens, or a "
      "bundle as a LIBSVM model, where that can hold it (kernel machines without preprocessing).");
  const auto arguments = std::make_shared<ConvertArguments>();
  add_path(verb, "IN", arguments->input, "", "A LIBSVM model file or an .npz bundle")->required();
  add_path(verb, "OUT", arguments->output, "",
           "By its extension: .npz is a bundle; .model, .svm, .libsvm or .txt LIBSVM's format")
      ->required();
  verb.footer("Example:\n  bisector convert wine.model wine.npz");
  verb.callback([arguments, &action] {
    action = [arguments](std::ostream& out) { convert_command(*arguments, out); };
  });
}

}  // namespace bisector::cli
