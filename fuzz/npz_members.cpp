// Archives built from the bytes. Most parts are valid, so that errors occur deep in the reader.
#include <fmt/format.h>

#include <array>
#include <span>
#include <vector>

#include "archives.h"
#include "io/arrays/npy.h"
#include "io/bundle/bundle_schema.h"
#include "io/zip_testing.h"
#include "recipe.h"
#include "target.h"

namespace bisector::fuzz {

using namespace io;

namespace {

class ArchiveCook {
 public:
  explicit ArchiveCook(Recipe& recipe)
      : recipe_(recipe),
        points_(1 + recipe.below(5)),
        features_(1 + recipe.below(4)),
        classes_(2 + recipe.below(2)) {}

  std::string archive() {
    std::vector<Kind> kinds;
    detail::for_each_kind([&]<class M>(std::type_identity<M>) {
      kinds.push_back({M::kKind, arrays_of_kind<M>()});
    });
    const auto& [kind, arrays] = kinds[recipe_.below(kinds.size())];
    // There are more arrays than bits in a byte, so each bit selects several arrays.
    const unsigned byte = recipe_.byte(), extras = byte | byte << 8;
    add_meta(kind);
    add_listed(arrays, extras, true);
    add_listed(kCommonArrays, extras, false);
    constexpr std::string_view kRows[] = {"X", "y"};
    add_listed(kRows, byte >> 6, false);
    while (!recipe_.is_empty() && entries_.size() < kMaxEntries) add_any();
    return zip_archive(entries_);
  }

 private:
  static constexpr std::size_t kMaxEntries = 24;

  struct Kind {
    std::string_view name;
    std::vector<std::string_view> arrays;
  };

  /// Arrays that plain models do not have.
  static bool is_extra(std::string_view name) {
    return name.starts_with("kernel_") || name.starts_with("vote_") || name == "arrangement" ||
           name == "target_mean" || name == "radius" || name.ends_with("_weights");
  }

  /// The arrays whose bit is set, and with `usual` also all that plain models have.
  void add_listed(std::span<const std::string_view> names, unsigned bits, bool usual) {
    for (const std::string_view name : names) {
      if ((usual && !is_extra(name)) || (bits & 1) != 0) add(std::string(name), array(name));
      bits >>= 1;
    }
  }

  void add(const std::string& name, std::string bytes) {
    ZipContent entry{name + ".npy", std::move(bytes)};
    const std::uint8_t odd = recipe_.byte();
    entry.is_deflated = odd % 4 == 1;
    if (odd > 250) entry.claimed_size = recipe_.word();
    if (odd == 250) entry.crc_error = 1;
    if (odd == 249) entry.name = recipe_.text(20);
    if (odd == 248) entry.bytes.resize(entry.bytes.size() / 2);
    entries_.push_back(std::move(entry));
  }

  void add_meta(std::string_view kind) {
    std::string text = fmt::format(R"({{"format":"{}","version":{},"kind":"{}"{}}})", kBundleFormat,
                                   kBundleVersion, kind, columns());
    if (recipe_.below(16) == 15) text = recipe_.text();
    const auto npy =
        attempt([&] { return encode_npy(std::span<const std::string>(&text, 1), {}); });
    if (npy) add("meta", *npy);
  }

  std::string columns() {
    switch (recipe_.below(9)) {
      case 8:
        return R"(,"columns":[{"name":"a","kind":"category","levels":["x","y"]}])";
      case 7:
        return fmt::format(",\"columns\":{}", recipe_.text());
      case 6:
        return R"(,"columns":[{"name":"a","kind":"one_hot","levels":["x","y"],"fill":1}])";
      case 5:
        return R"(,"columns":[{"kind":"numeric"},{"kind":"ordinal","levels":["x","y"]}])";
      default:
        return "";
    }
  }

  std::vector<std::size_t> shape_of(std::string_view name) {
    if (recipe_.below(16) == 15) {
      std::vector<std::size_t> shape(recipe_.below(5));
      for (std::size_t& extent : shape) extent = recipe_.flag() ? recipe_.word() : recipe_.below(6);
      return shape;
    }
    if (name == "support_vectors" || name == "points" || name == "X") return {points_, features_};
    if (name == "centroids") return {classes_, features_};
    if (name == "coefficients") return {classes_ - 1, points_};
    if (name == "intercept") return {classes_ * (classes_ - 1) / 2};
    if (name == "n_support" || name == "labels") return {classes_};
    if (name == "point_classes" || name == "y") return {points_};
    if (name == "input_matrix") return {features_, features_};
    if (name.starts_with("input_") || name == "feature_names") return {features_};
    return {};
  }

  NpyHeader header_of(std::string_view name) {
    NpyHeader header{.shape = shape_of(name)};
    if (name == "n_support" || name == "point_classes" || name == "k") header.kind = 'i';
    if (name == "feature_names" || (name == "labels" && recipe_.flag())) {
      header.kind = 'U';
      header.item_size = 4 * (1 + recipe_.below(4));
    }
    if (const std::uint8_t odd = recipe_.byte(); odd > 200) {
      header.kind = "fiubUcOSV"[odd % 9];
      header.item_size = std::size_t{1} << recipe_.below(5);
    }
    header.fortran = recipe_.below(4) == 3;
    header.swapped = recipe_.below(8) == 7;
    return header;
  }

  std::string array(std::string_view name) {
    const NpyHeader header = header_of(name);
    std::string bytes = npy_header(header);
    constexpr std::size_t kLargest = 512;
    std::size_t count = 1;  // the product of a random shape may overflow
    for (const std::size_t extent : header.shape) count *= extent;
    for (std::size_t i = 0; i < std::min(count, kLargest); ++i) bytes += element(header);
    return bytes;
  }

  std::string element(const NpyHeader& header) {
    if (header.kind == 'f' && header.item_size == 8)
      return little_endian(std::bit_cast<std::uint64_t>(recipe_.number()), 8);
    std::string bytes(header.item_size, '\0');
    bytes[0] = static_cast<char>(recipe_.byte());
    return bytes;
  }

  void add_any() {
    constexpr std::array<std::string_view, 6> kNames{"X", "y",     "table", "feature_names",
                                                     "k", "labels"};
    const std::string name(kNames[recipe_.below(kNames.size())]);
    add(name, recipe_.below(4) == 3 ? std::string(recipe_.text()) : array(name));
  }

  Recipe& recipe_;
  std::size_t points_, features_, classes_;
  std::vector<ZipContent> entries_;
};

}  // namespace

FUZZ_TARGET(npz_members, bytes) {
  Recipe recipe(bytes);
  check_archive(ArchiveCook(recipe).archive());
}

}  // namespace bisector::fuzz
