#include "forge/seal/digest.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <iterator>

#include "forge/policy/plan_document.hpp"

namespace forge::seal {

using policy::ErrorKind;
using policy::fail;
using policy::Result;

Result<std::string> sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  std::size_t length = 0;
  if (EVP_Q_digest(nullptr, "SHA256", nullptr, bytes.data(), bytes.size(), digest.data(), &length) != 1) {
    return fail(ErrorKind::Unsupported, "compute SHA-256", "the cryptographic library refused");
  }
  std::string hex;
  for (std::size_t i = 0; i < length; ++i) {
    fmt::format_to(std::back_inserter(hex), "{:02x}", digest[i]);
  }
  return hex;
}

Result<std::string> seal_plan(const policy::Plan& plan) {
  const policy::PlanDocument document = policy::encode_plan(plan);
  return sha256_hex(document.bytes).map([&](const std::string& hex) { return document.with_digest(hex); });
}

Result<policy::Plan> read_sealed_plan(std::string_view bytes) {
  auto decoded = policy::decode_plan(bytes);
  if (!decoded) {
    return tl::unexpected(decoded.error());
  }
  const auto digest = sha256_hex(decoded->bytes_without_digest);
  if (!digest) {
    return tl::unexpected(digest.error());
  }
  if (*digest != decoded->claimed_sha256) {
    return fail(ErrorKind::Malformed, "read the plan",
                "the digest is not that of the document: it was changed after it was compiled");
  }
  const auto facts = sha256_hex(policy::encode_facts(decoded->plan.facts));
  if (!facts) {
    return tl::unexpected(facts.error());
  }
  if (*facts != decoded->plan.facts_sha256) {
    return fail(ErrorKind::Malformed, "read the plan", "source/facts_sha256 is not the digest of the facts");
  }
  return std::move(decoded->plan);
}

}  // namespace forge::seal
