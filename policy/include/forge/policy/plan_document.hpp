// The plan as a file: canonical JSON, one way to write it, strictly read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "forge/policy/plan.hpp"
#include "forge/policy/result.hpp"

namespace forge::policy {

inline constexpr std::string_view kPlanSchema = "forge-policy/plan/v1";

/// The canonical document without its `digest` member, and the place where that
/// member belongs.
struct PlanDocument {
  std::string bytes;
  std::size_t digest_at = 0;

  /// The document with `"digest":"sha256:<hex>"` in its place.
  [[nodiscard]] std::string with_digest(std::string_view sha256_hex) const;
};

[[nodiscard]] PlanDocument encode_plan(const Plan& plan);

/// The canonical bytes that `facts_sha256` is taken over.
[[nodiscard]] std::string encode_facts(const HostFacts& facts);

/// Reads facts that stand alone, as encode_facts writes them. Errors: TooLarge,
/// Malformed (not canonical, a field missing, unknown or of the wrong shape, a
/// path that is not absolute and lexically normal); the text is safe to show.
[[nodiscard]] Result<HostFacts> decode_facts(std::string_view bytes);

/// A plan as read, with what its digest claims and the bytes the claim is about.
struct DecodedPlan {
  Plan plan;
  std::string claimed_sha256;
  std::string bytes_without_digest;
};

/// Reads a plan document. The digests of the document and of its facts are
/// compared by `seal`, not here. Errors: TooLarge, Malformed, Unsupported
/// (another schema). Malformed is what is not canonical, a field missing or of
/// the wrong shape, and what contradicts another part of the plan: mounts against
/// context and facts, resources against overrides, rules against mode and secrets.
/// A field that is not known is refused as well, at every depth: a reader that
/// passes over a field would enforce less than the plan's author asked for, so a
/// new field needs a new schema. The error's text is safe to show.
[[nodiscard]] Result<DecodedPlan> decode_plan(std::string_view bytes);

}  // namespace forge::policy
