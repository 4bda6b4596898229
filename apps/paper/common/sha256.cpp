#include "common/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <new>

namespace bisector::paper {

void Sha256::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  if (!context_) throw std::bad_alloc();
  EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr);
}

void Sha256::add(std::string_view bytes) {
  EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
}

std::string Sha256::digits() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  EVP_DigestFinal_ex(context_.get(), digest, &length);
  std::string digits;
  for (unsigned int i = 0; i < length; ++i) digits += fmt::format("{:02x}", digest[i]);
  return digits;
}

}  // namespace bisector::paper
