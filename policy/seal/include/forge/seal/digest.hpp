// Digests: of any bytes, and of a plan.
#pragma once

#include <string>
#include <string_view>

#include "forge/policy/plan.hpp"
#include "forge/policy/result.hpp"

namespace forge::seal {

/// SHA-256 (FIPS 180-4) as 64 lower-case hex digits.
[[nodiscard]] policy::Result<std::string> sha256_hex(std::string_view bytes);

/// The plan's document with its digest in place.
[[nodiscard]] policy::Result<std::string> seal_plan(const policy::Plan& plan);

/// Reads a plan document and compares its digests. Errors: those of
/// policy::decode_plan, and Malformed when the digest is not that of the bytes or
/// `facts_sha256` not that of the facts.
[[nodiscard]] policy::Result<policy::Plan> read_sealed_plan(std::string_view bytes);

}  // namespace forge::seal
