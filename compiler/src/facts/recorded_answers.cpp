#include "forge/compiler/facts.hpp"

namespace forge::compiler {

policy::PathFact RecordedAnswers::look(const std::string& path) {
  const policy::PathFact* fact = facts_.find(path);
  return fact != nullptr ? *fact : policy::PathFact{path,  policy::PathKind::Unreadable, {},   0, 0,
                                                    false, policy::Owner::Unknown,       false};
}

policy::GitFileFact RecordedAnswers::git_file(const std::string& path, policy::GitFileKind kind) {
  const policy::GitFileFact* fact = facts_.find_git_file(path);
  return fact != nullptr && fact->kind == kind
             ? *fact
             : policy::GitFileFact{path, kind, policy::GitFileState::Unreadable, "nobody looked at it", {}};
}

policy::ListingFact RecordedAnswers::list(const std::string& path) {
  const policy::ListingFact* fact = facts_.find_listing(path);
  return fact != nullptr ? *fact : policy::ListingFact{path, policy::ListingState::Unreadable, {}};
}

}  // namespace forge::compiler
