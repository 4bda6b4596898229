#include "cli/options/network_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bisector/error.h"
#include "bisector/io/data_reader.h"
#include "cli/options/small_file.h"

namespace bisector::cli {
namespace {

using NetworkJson = nlohmann::json;

constexpr auto kExpectedNetwork = "expected the JSON that bisector.torch.Explainer.report writes";

/// An open file of --network.
class NetworkFile {
 public:
  NetworkFile(const std::filesystem::path& path, const Limits& limits)
      : path_(path),
        limits_(limits),
        json_(NetworkJson::parse(read_small_file(path, limits, kExpectedNetwork), nullptr, false)) {
    if (!json_.is_object()) fail("broken JSON");
  }

  std::string text(const char* name) const {
    if (!json_.contains(name) || !json_[name].is_string())
      fail(fmt::format("\"{}\" is not text", name));
    return json_[name].get<std::string>();
  }

  std::vector<std::string> texts(const char* name) const {
    const bool is_list = json_.contains(name) && json_[name].is_array() &&
                         std::ranges::all_of(json_[name], &NetworkJson::is_string);
    if (!is_list) fail(fmt::format("\"{}\" is not a list of texts", name));
    return json_[name].get<std::vector<std::string>>();
  }

  /// The numbers of a file in the same folder.
  Matrix numbers(const char* name) const {
    const auto reader = open_data(path_.parent_path() / text(name), {.limits = limits_});
    return read_all(*reader).numbers;
  }

  Matrix numbers_if_given(const char* name) const {
    return json_.contains(name) ? numbers(name) : Matrix();
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw FormatError(path_.string(), 0, fmt::format("{}, {}", problem, kExpectedNetwork));
  }

 private:
  std::filesystem::path path_;
  Limits limits_;
  NetworkJson json_;
};

std::vector<double> column(const Matrix& matrix, std::size_t c) {
  std::vector<double> result(matrix.rows());
  for (std::size_t r = 0; r < matrix.rows(); ++r) result[r] = matrix(r, c);
  return result;
}

}  // namespace

NetworkInputs read_network_inputs(const std::filesystem::path& path, const Limits& limits) {
  const NetworkFile file(path, limits);
  const Matrix totals = file.numbers("totals");
  if (totals.cols() != 3) file.fail("\"totals\" has not the columns output, base and remainder");
  const std::string method = file.text("method");
  if (method != "lrp" && method != "lrp-expected")
    file.fail(fmt::format("\"method\" is \"{}\" and not lrp-expected or lrp", method));
  return {file.text("network"),      method,
          file.texts("names"),       file.numbers("values"),
          file.numbers("relevance"), file.numbers_if_given("standard_error"),
          column(totals, 0),         column(totals, 1),
          column(totals, 2),         file.numbers_if_given("points")};
}

}  // namespace bisector::cli
