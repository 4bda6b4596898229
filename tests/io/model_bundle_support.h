// Bundles put together array by array, so that a test can break one thing at a time.
#pragma once

#include <gtest/gtest.h>
#include <zip.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/arrays/npy.h"

namespace bisector::test {

using Shape = std::vector<std::size_t>;

inline std::string npy(const std::vector<double>& values, Shape shape) {
  return io::encode_npy(std::span<const double>(values), std::move(shape));
}
inline std::string npy_integers(const std::vector<std::int64_t>& values, Shape shape) {
  return io::encode_npy(std::span<const std::int64_t>(values), std::move(shape));
}
inline std::string npy_text(const std::vector<std::string>& values, Shape shape) {
  return io::encode_npy(std::span<const std::string>(values), std::move(shape));
}

inline std::string meta_text(const std::string& kind) {
  return R"({"format": "bisector-model", "version": 3, "kind": ")" + kind + R"("})";
}

/// Entries of a zip archive, in order; names may repeat and contents may be anything.
class Draft {
 public:
  /// Replaces an array, or adds it.
  Draft& set(const std::string& array, std::string content) {
    return set_entry(array + ".npy", std::move(content));
  }
  Draft& set_entry(const std::string& name, std::string content) {
    const auto place = find(name);
    if (place == entries_.end())
      entries_.emplace_back(name, std::move(content));
    else
      place->second = std::move(content);
    return *this;
  }
  Draft& remove(const std::string& array) {
    entries_.erase(find(array + ".npy"));
    return *this;
  }
  const std::string& get(const std::string& array) { return find(array + ".npy")->second; }

  void write(const std::filesystem::path& path, zip_int32_t method = ZIP_CM_STORE) const {
    zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
    ASSERT_NE(archive, nullptr);
    for (const auto& [name, content] : entries_) {
      zip_source_t* source = zip_source_buffer(archive, content.data(), content.size(), 0);
      const zip_int64_t index = zip_file_add(archive, name.c_str(), source, 0);
      ASSERT_GE(index, 0);
      zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), method, 0);
    }
    ASSERT_EQ(zip_close(archive), 0);
  }

 private:
  using Entries = std::vector<std::pair<std::string, std::string>>;
  Entries::iterator find(const std::string& name) {
    return std::ranges::find(entries_, name, &Entries::value_type::first);
  }

  Entries entries_;
};

/// Two classes, three support vectors of two features.
inline Draft classifier_draft() {
  Draft draft;
  draft.set("meta", npy_text({meta_text("kernel_classifier")}, {}))
      .set("support_vectors", npy({1, 2, 3, 4, 5, 6}, {3, 2}))
      .set("coefficients", npy({0.5, 0.25, -0.75}, {1, 3}))
      .set("intercept", npy({0.125}, {1}))
      .set("gamma", npy({2}, {}))
      .set("n_support", npy_integers({2, 1}, {2}))
      .set("labels", npy_integers({1, -1}, {2}));
  return draft;
}

inline Draft neighbors_draft() {
  Draft draft;
  draft.set("meta", npy_text({meta_text("neighbors")}, {}))
      .set("points", npy({1, 2, 3, 4, 5, 6}, {3, 2}))
      .set("point_classes", npy_integers({0, 1, 0}, {3}))
      .set("k", npy_integers({1}, {}))
      .set("labels", npy_text({"red", "blue"}, {2}));
  return draft;
}

inline Draft one_class_draft() {
  Draft draft = classifier_draft();
  draft.remove("n_support")
      .remove("labels")
      .set("meta", npy_text({meta_text("one_class")}, {}))
      .set("coefficients", npy({0.5, 0.25, -0.75}, {3}));
  return draft;
}

}  // namespace bisector::test
