// The grammar of github.com/distribution/reference, narrowed to what msb takes:
// digests are sha256 in lower case, registries are not IPv6 literals.
#include "forge/grammar/values.hpp"
#include "value_text.hpp"

namespace forge::grammar {
namespace {

namespace pegtl = tao::pegtl;
using Problem = ValueProblem<ImageFault>;

constexpr std::size_t kMaxRepositoryBytes = 255;
constexpr unsigned kMaxTagBytes = 128;
constexpr unsigned kMaxPortDigits = 5;
static_assert(kMaxRepositoryBytes + kMaxTagBytes + std::string_view(":@sha256:").size() + 64 <
              policy::kMaxImageReferenceBytes);
// A bare name stands for `docker.io/library/NAME`, and `library/` counts as well
// (measured: 247 bytes are taken, 248 refused).
constexpr std::size_t kMaxBareNameBytes = kMaxRepositoryBytes - std::string_view("library/").size();

struct slash : pegtl::one<'/'> {};
struct lower_alnum : pegtl::ranges<'a', 'z', '0', '9'> {};
struct separator : pegtl::sor<pegtl::string<'_', '_'>, pegtl::one<'.', '_'>, pegtl::plus<pegtl::one<'-'>>> {};
struct component : pegtl::seq<pegtl::plus<lower_alnum>, pegtl::star<separator, pegtl::plus<lower_alnum>>> {};

struct host_label : pegtl::seq<pegtl::alnum, pegtl::star<pegtl::star<pegtl::one<'-'>>, pegtl::alnum>> {};
struct port : pegtl::seq<pegtl::one<':'>, pegtl::rep_min_max<1, kMaxPortDigits, pegtl::digit>> {};
struct registry : pegtl::seq<pegtl::list<host_label, pegtl::one<'.'>>, pegtl::opt<port>> {};

// The first component is a registry only where it cannot be part of a Docker Hub
// path. Without a dot or a port msb reads `A/b` as a path of Docker Hub, upper
// case and all, while Docker reads a registry `A`: nobody gets that one.
struct like_registry : pegtl::seq<pegtl::star<pegtl::not_one<'/', '.', ':'>>, pegtl::one<'.', ':'>,
                                  pegtl::star<pegtl::not_one<'/'>>, slash> {};
struct registry_part
    : pegtl::if_then_else<pegtl::at<like_registry>, pegtl::seq<registry, slash>, pegtl::success> {};

struct repository : pegtl::seq<registry_part, pegtl::list<component, slash>> {};
struct tag_first : pegtl::sor<pegtl::alnum, pegtl::one<'_'>> {};
struct tag_rest : pegtl::sor<tag_first, pegtl::one<'.', '-'>> {};
struct tag : pegtl::seq<pegtl::one<':'>, tag_first, pegtl::rep_opt<kMaxTagBytes - 1, tag_rest>> {};
struct hex : pegtl::ranges<'0', '9', 'a', 'f'> {};
struct digest
    : pegtl::seq<pegtl::one<'@'>, pegtl::string<'s', 'h', 'a', '2', '5', '6', ':'>, pegtl::rep<64, hex>> {};
struct reference
    : pegtl::seq<value_text::place<repository>, pegtl::opt<tag>, pegtl::opt<digest>, pegtl::eof> {};

std::optional<Problem> misread_by_a_command_line(std::string_view text) {
  if (value_text::is_blank(text)) {
    return Problem{ImageFault::Blank, value_text::whole(text)};
  }
  if (text.front() == '-') {
    return Problem{ImageFault::LooksLikeOption, {0, 1}};
  }
  if (text.front() == '.' || text.front() == '/') {
    return Problem{ImageFault::LooksLikePath, {0, 1}};
  }
  return std::nullopt;
}

// Tag and digest have a length of their own, so this bounds the whole reference.
bool is_too_long(std::string_view repository_text) {
  const bool bare = repository_text.find('/') == std::string_view::npos;
  return repository_text.size() > (bare ? kMaxBareNameBytes : kMaxRepositoryBytes);
}

}  // namespace

tl::expected<policy::ImageReference, Problem> parse_image_reference(std::string_view text) {
  if (text.size() > kMaxValueBytes) {
    return tl::unexpected(Problem{ImageFault::TooLong, value_text::past_limit(text, kMaxValueBytes)});
  }
  if (const auto problem = misread_by_a_command_line(text)) {
    return tl::unexpected(*problem);
  }
  const auto repository_span = value_text::find<reference>({text, 0});
  if (repository_span && is_too_long(text.substr(0, repository_span->end))) {
    return tl::unexpected(Problem{ImageFault::TooLong, *repository_span});
  }
  auto parsed = repository_span ? policy::ImageReference::from_canonical(text) : std::nullopt;
  if (!parsed) {
    return tl::unexpected(Problem{ImageFault::NotAReference, value_text::whole(text)});
  }
  return *std::move(parsed);
}

}  // namespace forge::grammar
