#include <fmt/format.h>

#include <algorithm>

#include "forge/policy/overloaded.hpp"
#include "forge/policy/plan_document.hpp"
#include "forge/policy/plan_words.hpp"
#include "plan_encode_parts.hpp"

namespace forge::policy {
namespace {

void write_strings(JsonWriter& out, std::string_view name, const std::vector<std::string>& texts) {
  write_list(out, name, texts, [](JsonWriter& w, const std::string& text) { w.string(text); });
}

void write_span(JsonWriter& out, const std::optional<Span>& span) {
  out.key("span");
  if (!span) {
    out.null();
    return;
  }
  out.begin_object();
  out.member("end", std::int64_t{span->end});
  out.member("start", std::int64_t{span->begin});
  out.end_object();
}

void write_action(JsonWriter& out, const Action& action) {
  out.begin_object();
  std::visit(overloaded{[&](const EnsureDir& dir) {
                          out.member("kind", "ensure-dir");
                          out.member("mode", fmt::format("{:04o}", dir.mode));
                          out.member("path", dir.path);
                        },
                        [&](const GitExclude& exclude) {
                          out.member("kind", "git-exclude");
                          out.member("pattern", exclude.pattern);
                        }},
             action);
  out.end_object();
}

void write_compiler(JsonWriter& out, const CompilerInfo& compiler) {
  out.key("compiler");
  out.begin_object();
  out.key("data");
  out.begin_object();
  out.member("idna", compiler.idna);
  out.member("public_suffix_list", compiler.public_suffix_list);
  out.end_object();
  out.member("name", compiler.name);
  out.member("version", compiler.version);
  out.end_object();
}

void write_context(JsonWriter& out, const Context& context) {
  out.key("context");
  out.begin_object();
  out.member("data_dir", context.data_dir);
  out.member("home", context.home);
  out.member("project", context.project);
  out.member("tmp", context.tmp);
  out.member("tool_output", context.tool_output);
  out.member("worktree", context.worktree);
  out.end_object();
}

void write_control_plane(JsonWriter& out, const ControlPlaneEntry& entry) {
  out.begin_object();
  out.member("dev", fmt::format("{}", entry.dev));
  out.member("ino", fmt::format("{}", entry.ino));
  out.member("path", entry.path);
  out.member("why", word(entry.kind));
  out.end_object();
}

void write_dropped(JsonWriter& out, const Dropped& dropped) {
  out.begin_object();
  out.member("code", code_text(dropped.code));
  out.key("conflict");
  if (dropped.conflict.empty()) {
    out.null();
  } else {
    out.string(dropped.conflict);
  }
  out.member("origin", dropped.origin);
  write_span(out, dropped.span);
  out.member("what", dropped.what);
  out.end_object();
}

void write_egress_rule(JsonWriter& out, const EgressRule& rule) {
  out.begin_object();
  out.member("action", "allow");
  out.member("kind", kind_of(rule.to));
  out.member("origin", rule.origin);
  out.member("value", value_of(rule.to));
  out.end_object();
}

void write_egress(JsonWriter& out, const Egress& egress) {
  out.key("egress");
  out.begin_object();
  out.member("mode", word(egress.mode));
  write_list(out, "rules", egress.rules, write_egress_rule);
  out.end_object();
}

void write_git(JsonWriter& out, const GitPlan& git) {
  const auto directory = [&](std::string_view name, const std::string& path) {
    out.key(name);
    if (path.empty()) {
      out.null();
    } else {
      out.string(path);
    }
  };
  out.key("git");
  out.begin_object();
  directory("common_dir", git.common_dir);
  directory("git_dir", git.git_dir);
  write_strings(out, "hooks", git.hooks);
  out.member("layout", word(git.layout));
  out.member("mode", word(git.mode));
  out.end_object();
}

void write_mount(JsonWriter& out, const Mount& mount) {
  const auto* path = std::get_if<PathSource>(&mount.source);
  const auto* disk = std::get_if<DiskSource>(&mount.source);
  out.begin_object();
  out.member("access", word(mount.access));
  out.member("guest", mount.guest.text());
  if (path != nullptr) {
    out.member("host", path->host.text());
  }
  out.member("kind", path != nullptr ? word(path->kind) : "named-disk");
  out.member("origin", word(mount.origin));
  if (disk != nullptr) {
    out.member("size_mib", std::int64_t{disk->size.count});
  }
  write_span(out, mount.span);
  if (disk != nullptr) {
    out.member("volume", disk->volume);
  }
  out.end_object();
}

template <class T, class WriteValue>
void write_optional(JsonWriter& out, std::string_view name, const std::optional<T>& value, WriteValue write) {
  out.key(name);
  if (value) {
    write(*value);
  } else {
    out.null();
  }
}

void write_overrides(JsonWriter& out, const Overrides& overrides) {
  const auto size = [&](Mebibytes mib) { out.integer(mib.count); };
  out.key("overrides");
  out.begin_object();
  write_optional(out, "cache_disk_mib", overrides.cache_disk, size);
  write_optional(out, "cpus", overrides.cpus, [&](std::uint32_t cpus) { out.integer(cpus); });
  write_optional(out, "docker_disk_mib", overrides.docker_disk, size);
  write_optional(out, "lan", overrides.lan, [&](Lan lan) { out.boolean(lan == Lan::Open); });
  write_optional(out, "memory_mib", overrides.memory, size);
  out.member("sandbox", overrides.sandbox == Enabled::On);
  out.end_object();
}

void write_loop_deny(JsonWriter& out, const LoopDeny& deny) {
  out.begin_object();
  out.member("pattern", deny.pattern);
  out.member("permission", deny.permission);
  out.end_object();
}

void write_permissions(JsonWriter& out, const Permissions& permissions) {
  out.key("permissions");
  out.begin_object();
  out.member("auto_approve", permissions.auto_approve == Enabled::On);
  write_list(out, "deny", permissions.deny, [](JsonWriter& w, const AutoApproveDeny& deny) {
    w.begin_object();
    w.member("action", deny.action);
    w.member("resource", deny.resource);
    w.end_object();
  });
  write_list(out, "loop_deny", permissions.loop_deny, write_loop_deny);
  write_list(out, "loop_deny_refused", permissions.loop_deny_refused, write_loop_deny);
  out.end_object();
}

void write_resources(JsonWriter& out, const Resources& resources) {
  out.key("resources");
  out.begin_object();
  out.member("cache_disk_mib", std::int64_t{resources.cache_disk.count});
  out.member("cpus", std::int64_t{resources.cpus});
  out.member("docker_disk_mib", std::int64_t{resources.docker_disk.count});
  out.member("memory_mib", std::int64_t{resources.memory.count});
  out.key("origin");
  out.begin_object();
  out.member("cache_disk_mib", word(resources.cache_disk_origin));
  out.member("cpus", word(resources.cpus_origin));
  out.member("docker_disk_mib", word(resources.docker_disk_origin));
  out.member("memory_mib", word(resources.memory_origin));
  out.end_object();
  out.end_object();
}

void write_sandbox(JsonWriter& out, const Plan& plan) {
  out.key("sandbox");
  out.begin_object();
  out.member("enabled", plan.enabled == Enabled::On);
  out.member("image", plan.image.text());
  out.member("name", plan.name.text());
  out.member("session", word(plan.session));
  out.end_object();
}

void write_secret(JsonWriter& out, const Secret& secret) {
  out.begin_object();
  out.member("bound", secret.binding == Binding::Bound);
  out.member("env", secret.env.text());
  write_list(out, "hosts", secret.hosts,
             [](JsonWriter& w, const HostRule& host) { w.string(spelling_of(host)); });
  out.member("placeholder", secret.placeholder());
  out.end_object();
}

void write_shell(JsonWriter& out, const Plan& plan) {
  out.key("shell");
  out.begin_object();
  out.member("sandbox", plan.name.text());
  out.member("shim", std::int64_t{1});
  out.end_object();
}

void write_source(JsonWriter& out, const Plan& plan) {
  out.key("source");
  out.begin_object();
  out.member("config_path", plan.config_path);
  out.member("config_sha256", plan.config_sha256);
  out.member("facts_sha256", plan.facts_sha256);
  out.end_object();
}

void write_target(JsonWriter& out, TargetId target) {
  out.key("target");
  out.begin_object();
  out.member("name", word(target));
  out.member("versions", target_versions(target));
  out.end_object();
}

void write_before_digest(JsonWriter& out, const Plan& plan) {
  write_list(out, "actions", plan.actions, write_action);
  write_compiler(out, plan.compiler);
  write_context(out, plan.context);
  write_list(out, "control_plane", plan.control_plane, write_control_plane);
  write_list(out, "diagnostics", plan.diagnostics, write_diagnostic);
}

void write_after_digest(JsonWriter& out, const Plan& plan) {
  write_list(out, "dropped", plan.dropped, write_dropped);
  write_egress(out, plan.egress);
  write_env_names(out, "env", plan.env);
  out.key("facts");
  write_facts(out, plan.facts);
  write_git(out, plan.git);
  write_list(out, "mounts", plan.mounts, write_mount);
  write_overrides(out, plan.overrides);
  write_permissions(out, plan.permissions);
  write_env_names(out, "required_env", plan.required_env());
  write_resources(out, plan.resources);
  write_sandbox(out, plan);
  out.member("schema", kPlanSchema);
  write_list(out, "secrets", plan.secrets, write_secret);
  write_shell(out, plan);
  write_source(out, plan);
  write_target(out, plan.target);
  write_strings(out, "warnings", plan.warnings);
}

}  // namespace

PlanDocument encode_plan(const Plan& plan) {
  JsonWriter out;
  PlanDocument document;
  out.begin_object();
  write_before_digest(out, plan);
  document.digest_at = out.size();
  write_after_digest(out, plan);
  out.end_object();
  document.bytes = std::move(out).take();
  return document;
}

std::string PlanDocument::with_digest(std::string_view sha256_hex) const {
  return fmt::format("{},\"digest\":\"sha256:{}\"{}", std::string_view(bytes).substr(0, digest_at),
                     sha256_hex, std::string_view(bytes).substr(digest_at));
}

}  // namespace forge::policy
