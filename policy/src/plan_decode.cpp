#include <algorithm>

#include "field_reader.hpp"
#include "forge/policy/plan_agreement.hpp"
#include "forge/policy/plan_document.hpp"
#include "plan_decode_checks.hpp"

namespace forge::policy {
namespace {

constexpr std::string_view kSha256Prefix = "sha256:";

// What the runtime takes, and what grammar::parse_cpus and parse_size make.
constexpr std::uint32_t kMostCpus = 255;
constexpr std::uint32_t kMostMebibytes = std::numeric_limits<std::uint32_t>::max();

bool is_sha256_hex(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

MountPath to_mount_path(FieldReader& fields, std::string_view key) {
  auto path = MountPath::from_canonical(fields.string(key));
  if (!path) {
    fields.wrong(key, "is not a path that a mount can name");
    path = MountPath::from_canonical("/-");
  }
  return *path;
}

std::uint32_t to_cpus(FieldReader& fields, const Json& json) {
  return fields.number_in(json, "cpus", 1, kMostCpus);
}

Mebibytes to_size(FieldReader& fields, const Json& json, std::string_view key) {
  return {fields.number_in(json, key, 1, kMostMebibytes)};
}

Mebibytes to_size(FieldReader& fields, std::string_view key) { return to_size(fields, fields.get(key), key); }

std::string to_sha256(FieldReader& fields, std::string_view key) {
  std::string text = fields.string(key);
  if (!is_sha256_hex(text)) {
    fields.wrong(key, "is not a SHA-256 in hex");
  }
  return text;
}

std::optional<Span> to_span(FieldReader& fields) {
  const Json& json = fields.get("span");
  if (json.is_null()) {
    return std::nullopt;
  }
  FieldReader span(json, fields.where() + "/span", fields.problem());
  const Span out{span.unsigned32("start"), span.unsigned32("end")};
  span.finish();
  return out;
}

CompilerInfo read_compiler(FieldReader& plan) {
  FieldReader fields(plan.get("compiler"), "compiler", plan.problem());
  FieldReader data(fields.get("data"), "compiler/data", plan.problem());
  CompilerInfo out{fields.string("name"), fields.string("version"), data.string("idna"),
                   data.string("public_suffix_list")};
  data.finish();
  fields.finish();
  return out;
}

Context read_context(FieldReader& plan) {
  FieldReader fields(plan.get("context"), "context", plan.problem());
  Context out{fields.string("worktree"), fields.string("project"),     fields.string("home"),
              fields.string("data_dir"), fields.string("tool_output"), fields.string("tmp")};
  fields.finish();
  return out;
}

GitPlan read_git(FieldReader& plan) {
  FieldReader fields(plan.get("git"), "git", plan.problem());
  GitPlan out;
  out.layout = fields.choice<GitLayout>("layout");
  out.mode = fields.choice<GitMode>("mode");
  out.git_dir = string_or_null(fields, "git_dir");
  out.common_dir = string_or_null(fields, "common_dir");
  fields.list("hooks", [&](const Json& json, const std::string& where) {
    if (json.string() == nullptr) {
      plan.problem().note(where + " is not a string");
      return;
    }
    out.hooks.push_back(*json.string());
  });
  fields.finish();
  return out;
}

Mount read_mount(const Json& json, const std::string& where, DecodeProblem& problem) {
  FieldReader fields(json, where, problem);
  const std::string kind = fields.string("kind");
  std::variant<PathSource, DiskSource> source = DiskSource{};
  if (kind == "named-disk") {
    source = DiskSource{fields.string("volume"), to_size(fields, "size_mib")};
  } else {
    source = PathSource{to_mount_path(fields, "host"), fields.choice<PathMountKind>("kind")};
  }
  Mount out{std::move(source), to_mount_path(fields, "guest"), fields.choice<Access>("access"),
            fields.choice<MountOrigin>("origin"), to_span(fields)};
  fields.finish();
  return out;
}

Dropped read_dropped(const Json& json, const std::string& where, DecodeProblem& problem) {
  FieldReader fields(json, where, problem);
  Dropped out{fields.string("what"), fields.string("origin"), to_code(fields, "code"),
              string_or_null(fields, "conflict"), to_span(fields)};
  fields.finish();
  return out;
}

std::optional<HostRule> read_secret_host(std::string_view spelling) {
  const bool suffix = spelling.starts_with("*.");
  return host_rule_from_canonical(suffix ? "suffix" : "domain", suffix ? spelling.substr(2) : spelling);
}

Egress read_egress(FieldReader& plan) {
  FieldReader fields(plan.get("egress"), "egress", plan.problem());
  Egress out;
  out.mode = fields.choice<EgressMode>("mode");
  fields.list("rules", [&](const Json& json, const std::string& where) {
    FieldReader rule(json, where, plan.problem());
    rule.constant("action", "allow");
    auto host = host_rule_from_canonical(rule.string("kind"), rule.string("value"));
    std::string origin = rule.string("origin");
    rule.finish();
    if (!host) {
      rule.wrong("value", "is not a canonical destination of its kind");
      return;
    }
    out.rules.push_back({std::move(*host), std::move(origin)});
  });
  fields.finish();
  return out;
}

std::vector<Secret> read_secrets(FieldReader& plan) {
  std::vector<Secret> out;
  plan.list("secrets", [&](const Json& json, const std::string& where) {
    FieldReader fields(json, where, plan.problem());
    Secret secret{to_env(fields.get("env"), where + "/env", plan.problem()),
                  {},
                  fields.boolean("bound") ? Binding::Bound : Binding::Unbound};
    fields.list("hosts", [&](const Json& host, const std::string& host_where) {
      auto rule = host.string() != nullptr ? read_secret_host(*host.string()) : std::nullopt;
      if (!rule) {
        plan.problem().note(host_where + " is not a host a secret may go to");
        return;
      }
      secret.hosts.push_back(std::move(*rule));
    });
    fields.constant("placeholder", secret.placeholder());
    fields.finish();
    out.push_back(std::move(secret));
  });
  return out;
}

Overrides read_overrides(FieldReader& plan) {
  FieldReader fields(plan.get("overrides"), "overrides", plan.problem());
  const auto size = [&](std::string_view key) -> std::optional<Mebibytes> {
    const Json& json = fields.get(key);
    return json.is_null() ? std::nullopt : std::optional(to_size(fields, json, key));
  };
  Overrides out;
  if (const Json& cpus = fields.get("cpus"); !cpus.is_null()) {
    out.cpus = to_cpus(fields, cpus);
  }
  out.memory = size("memory_mib");
  out.docker_disk = size("docker_disk_mib");
  out.cache_disk = size("cache_disk_mib");
  if (const Json& lan = fields.get("lan"); lan.boolean() != nullptr) {
    out.lan = *lan.boolean() ? Lan::Open : Lan::Closed;
  } else if (!lan.is_null()) {
    fields.wrong("lan", "is neither null nor a boolean");
  }
  out.sandbox = fields.boolean("sandbox") ? Enabled::On : Enabled::Off;
  fields.finish();
  return out;
}

Permissions read_permissions(FieldReader& plan) {
  FieldReader fields(plan.get("permissions"), "permissions", plan.problem());
  Permissions out;
  out.auto_approve = fields.boolean("auto_approve") ? Enabled::On : Enabled::Off;
  fields.list("deny", [&](const Json& json, const std::string& where) {
    FieldReader deny(json, where, plan.problem());
    out.deny.push_back({deny.string("action"), deny.string("resource")});
    deny.finish();
  });
  const auto read_loop = [&](std::string_view key, std::vector<LoopDeny>& into) {
    fields.list(key, [&](const Json& json, const std::string& where) {
      FieldReader deny(json, where, plan.problem());
      into.push_back({deny.string("permission"), deny.string("pattern")});
      deny.finish();
    });
  };
  read_loop("loop_deny", out.loop_deny);
  read_loop("loop_deny_refused", out.loop_deny_refused);
  fields.finish();
  return out;
}

Resources read_resources(FieldReader& plan) {
  FieldReader fields(plan.get("resources"), "resources", plan.problem());
  FieldReader origin(fields.get("origin"), "resources/origin", plan.problem());
  Resources out{to_cpus(fields, fields.get("cpus")),
                to_size(fields, "memory_mib"),
                to_size(fields, "docker_disk_mib"),
                to_size(fields, "cache_disk_mib"),
                origin.choice<ValueOrigin>("cpus"),
                origin.choice<ValueOrigin>("memory_mib"),
                origin.choice<ValueOrigin>("docker_disk_mib"),
                origin.choice<ValueOrigin>("cache_disk_mib")};
  origin.finish();
  fields.finish();
  return out;
}

void read_sandbox(FieldReader& plan, Plan& out) {
  FieldReader fields(plan.get("sandbox"), "sandbox", plan.problem());
  const auto image = ImageReference::from_canonical(fields.string("image"));
  const auto name = SandboxName::from_canonical(fields.string("name"));
  if (!image) {
    fields.wrong("image", "is not an image reference");
  }
  if (!name) {
    fields.wrong("name", "is not a sandbox name");
  }
  out.image = image.value_or(out.image);
  out.name = name.value_or(out.name);
  out.enabled = fields.boolean("enabled") ? Enabled::On : Enabled::Off;
  out.session = fields.choice<Session>("session");
  fields.finish();
}

void read_derived(FieldReader& plan, const Plan& out) {
  FieldReader shell(plan.get("shell"), "shell", plan.problem());
  shell.constant("sandbox", out.name.text());
  if (shell.unsigned32("shim") != 1) {
    shell.wrong("shim", "is another contract version");
  }
  shell.finish();
  FieldReader target(plan.get("target"), "target", plan.problem());
  target.constant("versions", target_versions(out.target));
  if (target.choice<TargetId>("name") != out.target) {
    target.wrong("name", "is another target");
  }
  target.finish();
  if (read_env_names(plan, "required_env") != out.required_env()) {
    plan.wrong("required_env", "is not what env and secrets ask for");
  }
}

void read_actions(FieldReader& plan, Plan& out) {
  plan.list("actions", [&](const Json& json, const std::string& where) {
    FieldReader fields(json, where, plan.problem());
    if (fields.string("kind") == "git-exclude") {
      fields.constant("pattern", kExcludedPattern);
      out.actions.emplace_back(GitExclude{std::string(kExcludedPattern)});
    } else {
      fields.constant("kind", "ensure-dir");
      fields.constant("mode", "0700");
      out.actions.emplace_back(EnsureDir{fields.string("path"), 0700});
    }
    fields.finish();
  });
  plan.list("control_plane", [&](const Json& json, const std::string& where) {
    FieldReader fields(json, where, plan.problem());
    out.control_plane.push_back({fields.string("path"), fields.choice<ControlPlaneKind>("why"),
                                 fields.decimal64("dev"), fields.decimal64("ino")});
    fields.finish();
  });
}

void read_lists(FieldReader& plan, Plan& out) {
  DecodeProblem& problem = plan.problem();
  plan.list("mounts", [&](const Json& json, const std::string& where) {
    out.mounts.push_back(read_mount(json, where, problem));
  });
  plan.list("dropped", [&](const Json& json, const std::string& where) {
    out.dropped.push_back(read_dropped(json, where, problem));
  });
  plan.list("diagnostics", [&](const Json& json, const std::string& where) {
    out.diagnostics.push_back(read_diagnostic(json, where, problem));
  });
  plan.list("warnings", [&](const Json& json, const std::string& where) {
    if (json.string() == nullptr) {
      problem.note(where + " is not a string");
      return;
    }
    out.warnings.push_back(*json.string());
  });
}

Plan read_plan(FieldReader& fields, Plan out) {
  read_actions(fields, out);
  out.compiler = read_compiler(fields);
  out.context = read_context(fields);
  out.egress = read_egress(fields);
  out.env = read_env_names(fields, "env");
  out.facts = read_facts(fields.get("facts"), "facts", fields.problem());
  out.git = read_git(fields);
  out.overrides = read_overrides(fields);
  out.permissions = read_permissions(fields);
  out.resources = read_resources(fields);
  read_sandbox(fields, out);
  out.secrets = read_secrets(fields);
  read_lists(fields, out);
  read_derived(fields, out);
  FieldReader source(fields.get("source"), "source", fields.problem());
  out.config_path = source.string("config_path");
  out.config_sha256 = to_sha256(source, "config_sha256");
  out.facts_sha256 = to_sha256(source, "facts_sha256");
  source.finish();
  return out;
}

}  // namespace

Result<DecodedPlan> decode_plan(std::string_view bytes) {
  constexpr const char* kOperation = "read the plan";
  auto json = read_canonical_json(bytes);
  if (!json) {
    return fail(json.error().kind, kOperation, json.error().detail);
  }
  const Json* schema = json->find("schema");
  if (schema == nullptr || schema->string() == nullptr) {
    return fail(ErrorKind::Malformed, kOperation, "the document names no schema");
  }
  if (*schema->string() != kPlanSchema) {
    return fail(ErrorKind::Unsupported, kOperation, fmt::format("this version reads `{}` only", kPlanSchema));
  }
  DecodeProblem problem;
  FieldReader fields(*json, "", problem);
  fields.constant("schema", kPlanSchema);
  const std::string digest = fields.string("digest");
  if (!digest.starts_with(kSha256Prefix) || !is_sha256_hex(digest.substr(kSha256Prefix.size()))) {
    fields.wrong("digest", "is not `sha256:` and 64 hex digits");
  }
  Plan plan = read_plan(fields, Plan(*ImageReference::from_canonical("none")));
  fields.finish();
  if (problem.any()) {
    return fail(ErrorKind::Malformed, kOperation, problem.text);
  }
  if (const auto contradiction = find_contradiction(plan)) {
    return fail(ErrorKind::Malformed, kOperation, *contradiction);
  }
  PlanDocument document = encode_plan(plan);
  const std::string claimed = digest.substr(kSha256Prefix.size());
  if (document.with_digest(claimed) != bytes) {
    return fail(ErrorKind::Malformed, kOperation, "the document is not in canonical form");
  }
  return DecodedPlan{std::move(plan), claimed, std::move(document.bytes)};
}

}  // namespace forge::policy
