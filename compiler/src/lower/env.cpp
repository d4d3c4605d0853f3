#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "env_faults.hpp"
#include "forge/grammar/values.hpp"
#include "forge/policy/utf8.hpp"
#include "lowering.hpp"
#include "reveal.hpp"

namespace forge::compiler {
namespace {

using policy::DiagnosticId;
using policy::EnvName;

enum class EnvClass : std::uint8_t { Forbidden, Steers };

struct SpecialEnv {
  std::string_view pattern;
  EnvClass klass;
  std::string_view why;
};

constexpr std::array kSpecial = {
#define FORGE_ENV(pattern, klass, why) SpecialEnv{pattern, EnvClass::klass, why},
#include "env_names.def"
#undef FORGE_ENV
};

const SpecialEnv* special_env(std::string_view name) {
  const auto hit = std::find_if(kSpecial.begin(), kSpecial.end(), [name](const SpecialEnv& row) {
    return row.pattern.ends_with('*') ? name.starts_with(row.pattern.substr(0, row.pattern.size() - 1))
                                      : name == row.pattern;
  });
  return hit == kSpecial.end() ? nullptr : &*hit;
}

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

// A word of the name, between underscores, that credentials are called by.
constexpr std::array<std::string_view, 25> kCredentialWords = {
    "TOKEN",      "TOKENS", "SECRET", "SECRETS",    "PASSWORD",    "PASSWORDS", "PASSWD",
    "PASSPHRASE", "PASS",   "PWD",    "CREDENTIAL", "CREDENTIALS", "APIKEY",    "PRIVATEKEY",
    "ACCESSKEY",  "AUTH",   "JWT",    "COOKIE",     "KEY",         "KEYS",      "PGPASSWORD",
    "BEARER",     "PAT",    "DSN",    "WEBHOOK"};

bool looks_like_credential(std::string_view name) {
  std::string folded(name);
  std::transform(folded.begin(), folded.end(), folded.begin(), upper);
  std::string_view rest = folded;
  while (true) {
    const std::size_t cut = rest.find('_');
    const std::string_view word = rest.substr(0, cut);
    if (std::find(kCredentialWords.begin(), kCredentialWords.end(), word) != kCredentialWords.end() ||
        (word.size() > 5 &&
         (word.ends_with("TOKEN") || word.ends_with("SECRET") || word.ends_with("PASSWORD")))) {
      return true;
    }
    if (cut == std::string_view::npos) {
      return false;
    }
    rest.remove_prefix(cut + 1);
  }
}

class EnvList {
 public:
  explicit EnvList(Lowering& out) : out_(out) {}

  void add(const Entry& entry) {
    const auto name = grammar::parse_env_name(entry.text);
    if (!name) {
      out_.report(DiagnosticId::EnvNameInvalid, entry, describe_env_fault(entry.shown, name.error().fault),
                  entry.text.find('=') != std::string::npos
                      ? "write only the name; values are never written here"
                      : "names have letters, digits and underscores",
                  name.error().where);
      return;
    }
    const SpecialEnv* special = special_env(name->text());
    if (special != nullptr && special->klass == EnvClass::Forbidden) {
      out_.report(DiagnosticId::EnvNameForbidden, entry,
                  fmt::format("`{}` cannot be passed: {}", name->text(), special->why),
                  "set it inside the sandbox if it is needed there");
      return;
    }
    if (const auto [seen, fresh] = seen_.emplace(*name, entry.node.span()); !fresh) {
      out_.config.dropped.push_back(
          {name->text(), entry.origin, DiagnosticId::EnvDuplicate, name->text(), entry.node.span()});
      out_.sink.report({DiagnosticId::EnvDuplicate,
                        fmt::format("`{}` is named twice", name->text()),
                        entry.node.span(),
                        entry.pointer,
                        "remove one of the two",
                        {{"first named here", seen->second}}});
      return;
    }
    out_.config.network.env.push_back({*name, entry.index, entry.node.span()});
  }

 private:
  Lowering& out_;
  std::map<EnvName, policy::Span> seen_;
};

}  // namespace

std::string describe_env_fault(std::string_view shown, grammar::EnvNameFault fault) {
  switch (fault) {
    case grammar::EnvNameFault::Blank:
      return "this variable name is blank";
    case grammar::EnvNameFault::BadCharacter:
      return fmt::format("`{}` is not a variable name", policy::excerpt(shown));
    case grammar::EnvNameFault::StartsWithDigit:
      return fmt::format("`{}` begins with a digit, so it is not a variable name", policy::excerpt(shown));
  }
  return {};
}

std::string_view why_env_is_forbidden(const EnvName& name) {
  const SpecialEnv* special = special_env(name.text());
  return special != nullptr && special->klass == EnvClass::Forbidden ? special->why : std::string_view();
}

void note_env(Lowering& out) {
  for (const EnvEntry& entry : out.config.network.env) {
    const std::string& name = entry.name.text();
    const auto report = [&](DiagnosticId id, std::string message, std::string help) {
      out.sink.report({id,
                       std::move(message),
                       entry.span,
                       pointer_to("/sandbox/network/env", entry.index),
                       std::move(help),
                       {}});
    };
    if (const SpecialEnv* special = special_env(name)) {
      report(DiagnosticId::EnvSteersClient, fmt::format("`{}` steers programs: {}", name, special->why),
             "pass it only if what it names can be used in the sandbox");
    }
    if (looks_like_credential(name)) {
      report(DiagnosticId::EnvLooksLikeCredential,
             fmt::format("`{}` looks like a credential and would be passed in the clear", name),
             "bind it under `sandbox.network.secrets` with the hosts it is for");
    }
    report(DiagnosticId::EnvReadableInGuest,
           fmt::format("`{}` is readable in the guest, and the runtime stores its value in clear", name), "");
  }
}

void lower_env(const std::optional<NodeRef>& network, Lowering& out) {
  EnvList list(out);
  for_each_text(network, "env", "/sandbox/network/env", shown_name,
                [&](const Entry& entry) { list.add(entry); });
}

}  // namespace forge::compiler
