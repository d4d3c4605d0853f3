// Any bytes as a plan. Properties: what is read is canonical (encoding it gives
// the same bytes), and a document whose digest does not fit is never a plan.
#include <cstdint>
#include <string>

#include "forge/policy/json.hpp"
#include "forge/policy/plan_document.hpp"
#include "forge/seal/digest.hpp"

namespace {

using namespace forge;

void require(bool holds) {
  if (!holds) {
    __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto json = policy::read_canonical_json(bytes)) {
    require(policy::encode(*json) == bytes);
  }
  const auto decoded = policy::decode_plan(bytes);
  if (decoded) {
    require(policy::encode_plan(decoded->plan).with_digest(decoded->claimed_sha256) == bytes);
  }
  const auto sealed = seal::read_sealed_plan(bytes);
  require(!sealed || decoded.has_value());
  if (sealed) {
    require(seal::seal_plan(*sealed).value_or("") == bytes);
  }
  return 0;
}
