#include "cli/options/file_roles.h"

#include <fmt/format.h>

#include <array>
#include <system_error>
#include <vector>

#include "bisector/io/data_reader.h"
#include "cli/verb.h"

namespace bisector::cli {
namespace {

constexpr std::array kRoles = {FileRole::none, FileRole::input, FileRole::output,
                               FileRole::replacement};

// The role is stored as the type name of the option, which --help does not show.
constexpr const char* type_name(FileRole role) {
  switch (role) {
    case FileRole::none:
      break;
    case FileRole::input:
      return "file to read";
    case FileRole::output:
      return "file to write";
    case FileRole::replacement:
      return "model to write";
  }
  return "";
}

struct NamedFile {
  FileRole role;
  std::string option;
  std::filesystem::path path;
};

std::vector<NamedFile> files_of(const CLI::App& verb) {
  std::vector<NamedFile> files;
  for (const CLI::Option* option : verb.get_options()) {
    const FileRole role = role_of(*option);
    if (role == FileRole::none) continue;
    for (const std::string& value : option->results())
      files.push_back({role, option->get_name(), split_array(value).first});
  }
  return files;
}

/// True if both names are the same regular file. A file that does not exist, a pipe and /dev/null
/// cannot be lost.
bool are_one_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code problem;
  return std::filesystem::is_regular_file(a, problem) && std::filesystem::equivalent(a, b, problem);
}

void require_apart(const NamedFile& output, const NamedFile& other) {
  if (output.role == FileRole::replacement && other.option == "MODEL") return;
  // A missing input is reported elsewhere. Two outputs may have the same name before the file
  // exists; standard output may be used twice.
  std::error_code ignored;
  const bool will_be_one = output.path == other.path && output.path != "-" &&
                           !std::filesystem::exists(output.path, ignored);
  if (!are_one_file(output.path, other.path) && !will_be_one) return;
  const bool is_input = other.role == FileRole::input;
  throw UsageError(fmt::format("{} {} is the same file as {} {}, expected another name: {}",
                               output.option, output.path.string(), other.option,
                               other.path.string(),
                               is_input ? "the input would be lost" : "only one would remain"));
}

}  // namespace

FileRole role_of(const CLI::Option& option) {
  for (const FileRole role : kRoles) {
    if (option.get_type_name() == type_name(role)) return role;
  }
  return FileRole::none;
}

CLI::Option* set_role(CLI::Option* option, FileRole role) {
  return option->type_name(type_name(role));
}

void require_inputs_survive(const CLI::App& verb) {
  const std::vector<NamedFile> files = files_of(verb);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i].role == FileRole::input) continue;
    for (std::size_t j = 0; j < files.size(); ++j) {
      if (j < i || (j > i && files[j].role == FileRole::input)) require_apart(files[i], files[j]);
    }
  }
  for (const CLI::App* below : verb.get_subcommands()) require_inputs_survive(*below);
}

}  // namespace bisector::cli
