// SHA-256 checksums of files and journal units.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace bisector::paper {

class Sha256 {
 public:
  Sha256();
  void add(std::string_view bytes);
  /// The checksum of all added bytes in hexadecimal digits. Call it once, at the end.
  std::string digits();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

}  // namespace bisector::paper
