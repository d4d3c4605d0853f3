#include "forge/grammar/jsonc.hpp"

#include <new>
#include <string>
#include <utility>

#include "jsonc_actions.hpp"
#include "jsonc_rules.hpp"

namespace forge::grammar {
namespace {

using policy::DiagnosticId;

// A value takes at least about this many bytes in real configs.
constexpr std::size_t kBytesPerNode = 16;

void read(SyntaxTree& tree, policy::DiagnosticSink& sink) {
  jsonc::Reader reader(tree, sink);
  jsonc::Input in(tree.text.data(), tree.text.data() + tree.text.size(), "");
  try {
    (void)jsonc::pegtl::parse<jsonc::rules::document, jsonc::action, jsonc::control>(in, reader);
  } catch (const jsonc::Slip&) {  // outside of any container there is nothing to go on with
  } catch (const jsonc::Stop&) {
  }
  reader.finish();
}

void refuse(SyntaxTree& tree, policy::DiagnosticSink& sink, std::string message, std::string help) {
  tree.nodes = {};
  tree.complete = false;
  sink.report({DiagnosticId::FileTooLarge, std::move(message), policy::Span{0, 0}, {}, std::move(help), {}});
}

}  // namespace

SyntaxTree parse_jsonc(std::string_view text, policy::DiagnosticSink& sink) {
  SyntaxTree tree{text, {}, true};
  if (text.size() > kMaxConfigBytes) {
    refuse(tree, sink, "the file is larger than 8 MiB", "check that the right file was given");
    return tree;
  }
  try {
    tree.nodes.reserve(text.size() / kBytesPerNode + 1);
    read(tree, sink);
  } catch (const std::bad_alloc&) {
    refuse(tree, sink, "the file needs more memory than there is", "make the file smaller");
  }
  return tree;
}

}  // namespace forge::grammar
