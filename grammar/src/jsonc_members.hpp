// The members of an array or object, with recovery.
#pragma once

#include <tao/pegtl/apply_mode.hpp>
#include <tao/pegtl/rewind_mode.hpp>
#include <tao/pegtl/type_list.hpp>

#include "jsonc_reader.hpp"

namespace forge::grammar::jsonc {

enum class Next : std::uint8_t { Member, Closed };

/// Takes up the reading after a slip inside a member of the innermost container.
void resume(Input& in, Reader& reader, const Slip& slip);

/// A member ended, and neither a comma nor the closing bracket follows: reports
/// that, and finds out how to go on. `Closed`: the container is finished.
[[nodiscard]] Next after_member(Input& in, Reader& reader);

/// Neither a colon nor white space after a key. True: read on as if it stood there.
bool missing_colon(Input& in, Reader& reader);

/// `Member` separated by `Separator` up to `Close`. A rule of its own since a
/// slip inside a member must end that member only.
template <typename Member, typename Separator, typename Close>
struct members {
  using rule_t = members;
  using subs_t = tao::pegtl::type_list<Member, Separator, Close>;

  template <tao::pegtl::apply_mode A, tao::pegtl::rewind_mode M, template <typename...> class Action,
            template <typename...> class Control>
  static bool match(Input& in, Reader& reader) {
    while (!Control<Close>::template match<A, M, Action, Control>(in, reader)) {
      try {
        (void)Control<Member>::template match<A, M, Action, Control>(in, reader);
        reader.end_member();
      } catch (const Slip& slip) {
        reader.drop_member();
        resume(in, reader, slip);
      }
      if (Control<Separator>::template match<A, M, Action, Control>(in, reader)) {
        continue;
      }
      if (Control<Close>::template match<A, M, Action, Control>(in, reader)) {
        return true;
      }
      if (after_member(in, reader) == Next::Closed) {
        return true;
      }
    }
    return true;
  }
};

}  // namespace forge::grammar::jsonc
