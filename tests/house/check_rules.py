#!/usr/bin/env python3
"""The rules of the house that no compiler enforces, over every tracked file.

usage: check_rules.py [ROOT]

Prints `file:line: rule: what` for each breach; status 1 when there is one.
"""

import pathlib
import re
import subprocess
import sys
from typing import Callable, Iterator, NamedTuple

PRODUCT = ("policy/", "grammar/", "compiler/", "enforce/")
CPP = (".cpp", ".hpp", ".c", ".h", ".def")
SCRIPTS = (".py", ".sh")
MAX_LINES = 500
SYSCALL_FILES = ("enforce/src/syscalls.cpp", "enforce/src/syscalls.hpp")
SEARCHED_BYTES = 2_000_000  # larger files are data

Breach = tuple[int, str]  # line, what


class File(NamedTuple):
    name: str
    text: str

    @property
    def is_cpp(self):
        return self.name.endswith(CPP)

    @property
    def is_product(self):
        return self.is_cpp and self.name.startswith(PRODUCT)


class Rule(NamedTuple):
    name: str
    applies: Callable[[File], bool]
    breaches: Callable[[File], Iterator[Breach]]


# A quote between digits (1'000) separates them and opens nothing.
STRING_PATTERN = r"""R"([^(\s]*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|(?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)*'"""
STRING = re.compile(STRING_PATTERN, re.DOTALL)
COMMENT_OR_STRING = re.compile(STRING_PATTERN + r"|//[^\n]*|/\*.*?\*/", re.DOTALL)


def without_comments(text):
    """C++ with comments blanked, line numbers kept; strings stay, since includes are strings."""
    return COMMENT_OR_STRING.sub(lambda m: re.sub(r"[^\n]", " ", m[0]) if m[0].startswith("/") else m[0], text)


def without_strings(text):
    """The same with the contents of strings blanked as well, for rules about calls."""
    return STRING.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), without_comments(text))


def lines_matching(regex, text) -> Iterator[Breach]:
    for match in re.finditer(regex, text, re.MULTILINE):
        yield text.count("\n", 0, match.start()) + 1, " ".join(match[0].split())


def includes(target):
    """Breaches of including what `target` matches."""
    regex = rf'^\s*#\s*include\s*[<"](?:{target})[^>"]*[>"]'
    return lambda file: lines_matching(regex, without_comments(file.text))


def calls(name):
    """Breaches of calling a function; a member of that name, or one of our own namespaces, is no breach."""
    regex = rf"(?<![\w.>:])(?:::|std::)?(?:{name})\s*\("
    return lambda file: lines_matching(regex, without_strings(file.text))


def product_except(*prefixes):
    return lambda file: file.is_product and not file.name.startswith(prefixes)


def too_long(file):
    lines = file.text.count("\n") + 1
    if lines > MAX_LINES + 1:
        yield lines, f"{lines - 1} lines, the limit is {MAX_LINES}"


# Written so that this file does not contain what it looks for.
UNFINISHED = r"\bTO[D]O\b|\bFIX[M]E\b|\bXX[X]\b"
WORKPLACE = r"\.\./sha[r]ed\b|/wor[k]/main\b|\bthis\ssessio[n]\b|\bthe\sCE[O]\b|\bissu[e]\s#?\d+"
REGISTRIES = r"\bregistry\.np[m]js\b|\b(?:deb|security)\.deb[i]an\.org\b|\bpypi\.o[r]g\b"

# Of arpa/, inet.h has no system call: it turns addresses into text and back.
SYSTEM_HEADERS = (r"unistd\.h|fcntl\.h|poll\.h|pwd\.h|grp\.h|dirent\.h|spawn\.h|sched\.h|termios\.h|dlfcn\.h|"
                  r"sys/(?!types\.h)|linux/|asm/|netinet/|arpa/(?!inet\.h)|seccomp\.h")
STARTS_A_PROGRAM = r"system|popen|v?fork|execv?[lpe]+|execvpe|execveat|fexecve|posix_spawnp?|clone3?"

RULES = [
    Rule("pegtl-only-in-grammar", lambda f: f.is_cpp and not f.name.startswith("grammar/"), includes("tao/")),
    Rule("boost-only-in-facts", lambda f: f.is_cpp and not f.name.startswith("compiler/src/facts/"), includes("boost/")),
    Rule("openssl-only-in-seal", lambda f: f.is_cpp and not f.name.startswith("policy/seal/"), includes("openssl/")),
    Rule("system-headers-in-one-file", product_except(*SYSCALL_FILES), includes(SYSTEM_HEADERS)),
    Rule("syscalls-in-one-file", product_except(*SYSCALL_FILES), calls("syscall")),
    Rule("starts-no-program", product_except(), calls(STARTS_A_PROGRAM)),
    Rule("no-io-in-the-pure-rooms", lambda f: f.is_product and f.name.startswith(("policy/", "grammar/")),
         includes(r"fstream|iostream|filesystem|cstdio|stdio\.h|csignal|thread|chrono|ctime")),
    Rule("environment-only-at-the-edge", product_except("compiler/src/facts/", "compiler/cli/", "enforce/"),
         calls("getenv|secure_getenv|setenv|putenv|unsetenv")),
    Rule("no-include-of-a-parent-folder", lambda f: f.is_cpp, includes(r"(?:[^\"<>]*/)?\.\./")),
    Rule("nothing-includes-tests", product_except(), includes("tests/|fuzz/|bench/")),
    Rule("nothing-includes-the-tool", product_except("compiler/cli/"), includes("compiler/cli/|cli/")),
    Rule("only-the-tool-includes-enforce", lambda f: f.is_product and not f.name.startswith(("enforce/", "compiler/cli/")),
         includes("forge/enforce/")),
    Rule("nothing-left-undone", lambda f: True, lambda f: lines_matching(UNFINISHED, f.text)),
    Rule("speaks-of-itself-only", lambda f: True, lambda f: lines_matching(WORKPLACE, f.text)),
    # Configs are data: what a user may reach is theirs to name.
    Rule("names-no-registry", lambda f: not f.name.endswith((".json", ".jsonc")),
         lambda f: lines_matching(REGISTRIES, f.text)),
    Rule("file-length", lambda f: f.name.endswith(CPP + SCRIPTS) or f.name in ("dev", ".ci/run"), too_long),
]


def comment_first(path):
    """True when the file starts with a comment, after a `#!` line."""
    try:
        lines = [line for line in path.read_text().splitlines() if line.strip()][:2]
    except (OSError, UnicodeDecodeError):
        return False
    lines = lines[1:] if lines and lines[0].startswith("#!") else lines
    return bool(lines) and lines[0].lstrip().startswith(("#", "//", "/*", '"""', "<!--"))


def unexplained_folders(root, names):
    """Top-level folders and rooms without a README.md or a comment that says what they are for."""
    folders = {name.split("/")[0] for name in names if "/" in name}
    folders |= {str(pathlib.PurePosixPath(name).parent) for name in names if name.endswith("/CMakeLists.txt")}
    for folder in sorted(folders):
        direct = [name for name in names if str(pathlib.PurePosixPath(name).parent) == folder]
        listing = f"{folder}/CMakeLists.txt"
        explained = (f"{folder}/README.md" in names
                     or (comment_first(root / listing) if listing in names
                         else direct and all(comment_first(root / name) for name in direct)))
        if not explained:
            yield folder


def tracked(root):
    """Files that git knows or would add; all files when there is no git."""
    done = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True)
    if done.returncode == 0:
        names = [name for name in done.stdout.decode("utf-8", "surrogateescape").split("\0") if name]
    else:
        names = [str(path.relative_to(root)) for path in root.rglob("*")
                 if not {"build", ".git", "__pycache__", "node_modules"} & set(path.relative_to(root).parts)]
    return sorted(name for name in set(names) if (root / name).is_file())


def read(root, name):
    data = (root / name).read_bytes()[:SEARCHED_BYTES]
    return File(name, data.decode("utf-8", "replace"))


def check(root):
    names = tracked(root)
    for name in names:
        file = read(root, name)
        for rule in RULES:
            if rule.applies(file):
                for line, what in rule.breaches(file):
                    yield f"{name}:{line}: {rule.name}: {what}"
    for folder in unexplained_folders(root, names):
        yield f"{folder}/: says-what-it-is-for: neither README.md nor a comment at the top of its CMakeLists.txt"
    if not names:
        yield f"{root}: nothing to check"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
    breaches = list(check(root))
    print("\n".join(breaches) if breaches else f"{len(tracked(root))} files keep the rules")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
