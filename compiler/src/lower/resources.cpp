#include <fmt/format.h>

#include "forge/compiler/disk_size.hpp"
#include "forge/grammar/values.hpp"
#include "forge/policy/utf8.hpp"
#include "lowering.hpp"
#include "reveal.hpp"

namespace forge::compiler {
namespace {

using grammar::NodeKind;
using policy::DiagnosticId;
using policy::Mebibytes;

std::optional<Entry> text_member(const std::optional<NodeRef>& section, std::string_view key,
                                 std::string_view pointer) {
  const auto node = section ? section->member(key) : std::nullopt;
  if (!node || !node->is(NodeKind::String)) {
    return std::nullopt;
  }
  std::string text = node->text();
  std::string shown = key == "image" ? shown_image(text) : shown_short(text);
  return Entry{*node, std::move(text), 0, pointer_to(pointer, key), std::string(key), std::move(shown)};
}

// A wrong value of a single setting stops the plan; it is no entry of a list
// that could be left out, so it is not listed among the dropped ones.
void report(Lowering& out, DiagnosticId id, const Entry& entry, std::string message, std::string help) {
  out.sink.report({id, std::move(message), entry.node.span(), entry.pointer, std::move(help), {}});
}

std::optional<Located<Mebibytes>> lower_size(const std::optional<NodeRef>& resources, std::string_view key,
                                             Lowering& out) {
  const auto entry = text_member(resources, key, "/sandbox/resources");
  if (!entry) {
    return std::nullopt;
  }
  const auto size = grammar::parse_size(entry->text);
  if (!size) {
    const bool shape = size.error().fault == grammar::SizeFault::NotASize;
    report(out, shape ? DiagnosticId::SizeInvalid : DiagnosticId::SizeOutOfRange, *entry,
           fmt::format("`{}` is {}", policy::excerpt(entry->shown), shape ? "not a size" : "out of range"),
           shape ? "write a number and k, m or g, like `8g`"
                 : fmt::format("a size is 1 MiB to {} MiB", grammar::kMaxMebibytes));
    return std::nullopt;
  }
  if (size->rounded) {
    report(
        out, DiagnosticId::SizeRounded, *entry,
        fmt::format("`{}` is rounded down to {} MiB", policy::excerpt(entry->shown), size->mebibytes.count),
        "");
  }
  return Located<Mebibytes>{size->mebibytes, entry->node.span()};
}

// A disk must also be one that the runtime can format.
std::optional<Located<Mebibytes>> lower_disk(const std::optional<NodeRef>& resources, std::string_view key,
                                             Lowering& out) {
  const auto size = lower_size(resources, key, out);
  const auto entry = text_member(resources, key, "/sandbox/resources");
  if (!size || !entry) {
    return size;
  }
  const auto fitted = fit_disk(size->value);
  if (!fitted) {
    report(out, DiagnosticId::SizeOutOfRange, *entry,
           fmt::format("a disk of {} MiB cannot be formatted", size->value.count),
           fmt::format("a disk has {} MiB to {} MiB", kMinDiskMebibytes, kMaxDiskMebibytes));
    return std::nullopt;
  }
  if (fitted->rounded) {
    report(out, DiagnosticId::SizeRounded, *entry,
           fmt::format("`{}` is rounded down to {} MiB, the next size that can be formatted",
                       policy::excerpt(entry->shown), fitted->size.count),
           "");
  }
  return Located<Mebibytes>{fitted->size, size->span};
}

std::optional<Located<std::uint32_t>> lower_cpus(const std::optional<NodeRef>& resources, Lowering& out) {
  const auto entry = text_member(resources, "cpus", "/sandbox/resources");
  if (!entry) {
    return std::nullopt;
  }
  const auto cpus = grammar::parse_cpus(entry->text);
  if (!cpus) {
    report(out, DiagnosticId::CpusInvalid, *entry,
           fmt::format("`{}` is not a whole number from 1 to {}", policy::excerpt(entry->shown),
                       grammar::kMaxCpus),
           "write a whole number, like `4`");
    return std::nullopt;
  }
  return Located<std::uint32_t>{*cpus, entry->node.span()};
}

std::string describe(std::string_view text, grammar::ImageFault fault) {
  std::string quoted = fmt::format("`{}`", policy::excerpt(text));
  switch (fault) {
    case grammar::ImageFault::Blank:
      return "the image is blank";
    case grammar::ImageFault::LooksLikeOption:
      return fmt::format("{} would be read as an option of the runtime", quoted);
    case grammar::ImageFault::LooksLikePath:
      return fmt::format("{} would be read as a directory of the host to boot from", quoted);
    case grammar::ImageFault::NotAReference:
      return fmt::format("{} is not an image reference", quoted);
    case grammar::ImageFault::TooLong:
      return fmt::format("the image reference is longer than {} bytes", policy::kMaxImageReferenceBytes);
  }
  return quoted;
}

void lower_image(const std::optional<NodeRef>& sandbox, Lowering& out) {
  const auto entry = text_member(sandbox, "image", "/sandbox");
  if (!entry) {
    return;
  }
  const auto image = grammar::parse_image_reference(entry->text);
  if (!image) {
    report(out, DiagnosticId::ImageInvalid, *entry, describe(entry->shown, image.error().fault),
           "write `name:tag`, lower case, optionally with a registry host before it");
    return;
  }
  out.config.image = *image;
}

}  // namespace

void lower_resources(const std::optional<NodeRef>& sandbox, Lowering& out) {
  const auto resources = sandbox ? sandbox->member("resources") : std::nullopt;
  lower_image(sandbox, out);
  out.config.resources.memory = lower_size(resources, "memory", out);
  out.config.resources.cpus = lower_cpus(resources, out);
  out.config.resources.docker_disk = lower_disk(resources, "dockerDisk", out);
  out.config.resources.cache_disk = lower_disk(resources, "cacheDisk", out);
}

}  // namespace forge::compiler
