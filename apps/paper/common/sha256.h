// SHA-256: is a file, or a part of one, what it was?
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
  /// Of everything that was added, in hexadecimal digits; ends the sum.
  std::string digits();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

}  // namespace bisector::paper
