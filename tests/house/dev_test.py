#!/usr/bin/env python3
"""./dev and .ci/run with every program they call replaced by one that records the call."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
REAL = ["sh", "cat", "dirname", "env", "grep", "mkdir", "nproc", "readlink", "sed"]
BUILD_COMMANDS = ["g++", "ninja"]
BUILD_LIBRARIES = ["tao-pegtl-dev", "libexpected-dev", "libfmt-dev", "libcli11-dev", "libboost-filesystem-dev",
                   "libidn2-dev", "libunistring-dev", "libpsl-dev", "libssl-dev"]

FAKES = {
    "id": 'echo "${FAKE_UID:-0}"',
    "dpkg-query": 'cat "$STATE/installed"',
    "apt-get": """
echo "apt-get $* (frontend ${DEBIAN_FRONTEND:-unset})" >>"$STATE/log"
echo "chatter of apt-get"
case "$*" in *" update") exit "${FAKE_UPDATE_STATUS:-0}" ;; esac
[ -z "${FAKE_INSTALL_FAILS:-}" ]""",
    "cmake": """
echo "cmake $*" >>"$STATE/log"
case $1 in
  --preset)
    mkdir -p "build/$2"
    : >"build/$2/build.ninja"
    case "$*" in *-DBUILD_TESTING=ON*) on=ON ;; *) on=OFF ;; esac
    echo "BUILD_TESTING:BOOL=$on" >"build/$2/CMakeCache.txt"
    echo "chatter of the configuration" ;;
  --build)
    if [ -n "${FAKE_BUILD_FAILS:-}" ]; then echo "main.cpp:1: error: planted"; exit 1; fi
    if [ -e "$2/compiler/cli/forge-policy" ]; then
      echo "[0/2] Re-checking globbed directories..."; echo "ninja: no work to do."; exit 0
    fi
    mkdir -p "$2/compiler/cli"
    printf '%s\\n' '#!/bin/sh' 'printf "<%s>" "$PWD" "$@"' 'exit 7' >"$2/compiler/cli/forge-policy"
    chmod +x "$2/compiler/cli/forge-policy"
    echo "[1/1] chatter of the build" ;;
esac""",
    "ctest": 'echo "ctest $*" >>"$STATE/log"; echo "in $PWD"; echo "100% tests passed"; exit "${FAKE_CTEST_STATUS:-0}"',
    "sudo": 'echo "sudo $*" >>"$STATE/log"; [ "$1" != -n ] || shift; exec "$@"',
}


class Fixture(unittest.TestCase):
    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        base = pathlib.Path(temp.name).resolve()
        self.checkout, self.bin, self.state = base / "a check out", base / "bin", base / "state"
        for folder in (self.checkout, self.bin, self.state):
            folder.mkdir()
        shutil.copy(ROOT / "dev", self.checkout / "dev")
        for name in REAL + ["chmod"]:
            (self.bin / name).symlink_to(shutil.which(name))
        for name in BUILD_COMMANDS:
            self.program(name, "")
        for name, body in FAKES.items():
            self.program(name, body)
        self.install(BUILD_LIBRARIES)

    def program(self, name, body):
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def install(self, packages):
        (self.state / "installed").write_text("".join(f"{name} installed\n" for name in packages))

    def log(self):
        path = self.state / "log"
        return path.read_text().splitlines() if path.exists() else []

    def run_in(self, cwd, command, **env):
        return subprocess.run(command, cwd=cwd, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              env={"PATH": str(self.bin), "STATE": str(self.state), **env})

    def dev(self, *arguments, **env):
        return self.run_in(self.checkout, ["./dev", *arguments], **env)


class Run(Fixture):
    def test_gives_the_tool_its_arguments_and_streams_and_takes_its_status(self):
        done = self.dev("run", "check", "a b", "", "*")
        self.assertEqual((done.returncode, done.stdout), (7, f"<{self.checkout}><check><a b><><*>"))
        for chatter in ("of the configuration", "of the build"):
            self.assertIn(chatter, done.stderr)

    def test_says_nothing_when_nothing_is_to_be_done(self):
        self.dev("run")
        done = self.dev("run")
        self.assertEqual((done.returncode, done.stderr), (7, ""))
        self.assertEqual(self.log()[-1], f"cmake --build {self.checkout}/build/release --target forge-policy")

    def test_needs_no_test_library(self):
        self.dev("run")
        self.assertEqual(self.log()[0], "cmake --preset release -DBUILD_TESTING=OFF")

    def test_keeps_a_folder_that_was_configured_with_tests(self):
        self.run_in(self.checkout, ["cmake", "--preset", "release", "-DBUILD_TESTING=ON"])
        self.dev("run")
        self.assertEqual([line for line in self.log() if "--preset" in line],
                         ["cmake --preset release -DBUILD_TESTING=ON"])

    def test_works_from_another_folder_and_through_a_link(self):
        (self.state / "link").symlink_to(self.checkout / "dev")
        done = self.run_in(self.state, [str(self.state / "link"), "run", "x"])
        self.assertEqual((done.returncode, done.stdout), (7, f"<{self.state}><x>"))
        self.assertIn(f"--build {self.checkout}/build/release", self.log()[-1])

    def test_does_not_run_what_did_not_build(self):
        self.dev("run")
        done = self.dev("run", FAKE_BUILD_FAILS="1")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("error: planted", done.stderr)

    def test_build_ends_with_the_path_of_the_tool(self):
        done = self.dev("build")
        self.assertEqual((done.returncode, done.stdout),
                         (0, f"{self.checkout}/build/release/compiler/cli/forge-policy\n"))
        self.assertEqual(self.dev("build", FAKE_BUILD_FAILS="1").returncode, 1)


class Packages(Fixture):
    def test_are_left_alone_when_all_are_there(self):
        self.dev("run")
        self.assertFalse([line for line in self.log() if "apt-get" in line])

    def test_missing_ones_are_announced_and_installed_after_an_update(self):
        self.install([name for name in BUILD_LIBRARIES if name not in ("libpsl-dev", "libfmt-dev")])
        (self.bin / "ninja").unlink()
        done = self.dev("run")
        self.assertEqual(done.returncode, 7)
        self.assertIn("to be installed with apt-get: ninja-build libfmt-dev libpsl-dev", done.stderr)
        self.assertNotIn("chatter", done.stdout)
        self.assertEqual(self.log()[:2], [
            "apt-get -qq -o Dpkg::Use-Pty=0 update (frontend noninteractive)",
            "apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends ninja-build libfmt-dev libpsl-dev "
            "(frontend noninteractive)"])

    def test_a_name_is_not_taken_for_a_longer_one(self):
        self.install(["not-" + BUILD_LIBRARIES[0], BUILD_LIBRARIES[0] + "-doc"] + BUILD_LIBRARIES[1:])
        self.assertIn(f"apt-get: {BUILD_LIBRARIES[0]}\n", self.dev("run").stderr)

    def test_old_lists_will_do(self):
        self.install([])
        self.assertEqual(self.dev("run", FAKE_UPDATE_STATUS="100").returncode, 7)

    def test_a_failed_installation_ends_it(self):
        self.install([])
        done = self.dev("run", FAKE_INSTALL_FAILS="1")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("By hand, as root: apt-get update && apt-get install -y", done.stderr)

    def test_an_unknown_system_gets_the_list(self):
        (self.bin / "apt-get").unlink()
        done = self.dev("run")
        self.assertEqual((done.returncode, done.stdout, self.log()), (1, "", []))
        for name in ["g++", "cmake", "ninja-build", *BUILD_LIBRARIES]:
            self.assertIn(f"  {name}\n", done.stderr)
        self.assertEqual(self.dev("run", FORGE_SKIP_PACKAGES="1").returncode, 7)

    def test_without_root_and_sudo_the_command_is_named(self):
        self.install([])
        (self.bin / "sudo").unlink()
        done = self.dev("run", FAKE_UID="1000")
        self.assertEqual((done.returncode, done.stdout, self.log()), (1, "", []))
        self.assertIn("as root: apt-get update && apt-get install -y", done.stderr)
        self.assertIn("libssl-dev", done.stderr)

    def test_without_root_sudo_is_used_and_asks_nothing(self):
        self.install([])
        self.assertEqual(self.dev("run", FAKE_UID="1000", CI="true").returncode, 7)
        self.assertTrue(self.log()[0].startswith("sudo -n env DEBIAN_FRONTEND=noninteractive apt-get"))

    def test_the_suite_needs_more_than_the_tool(self):
        done = self.dev("test")
        self.assertIn("libgtest-dev", done.stderr)
        self.assertNotIn("libssl-dev", done.stderr)


class Test(Fixture):
    def test_ends_with_the_summary_of_ctest_and_its_status(self):
        done = self.dev("test", "-R", "house")
        self.assertEqual((done.returncode, done.stdout), (0, f"in {self.checkout}\n100% tests passed\n"))
        self.assertEqual(self.dev("test", FAKE_CTEST_STATUS="8").returncode, 8)

    def test_builds_everything_with_tests_also_where_the_tool_was_built_without(self):
        self.dev("run")
        self.dev("test")
        self.assertIn("cmake --preset release -DBUILD_TESTING=ON", self.log())
        self.assertIn(f"cmake --build {self.checkout}/build/release --target all all_verify_interface_header_sets",
                      self.log())

    def test_runs_nothing_that_did_not_build(self):
        done = self.dev("test", FAKE_BUILD_FAILS="1")
        self.assertEqual((done.returncode, done.stdout), (1, ""))

    def test_an_unknown_command_is_refused(self):
        done = self.dev("tset")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("unknown command: tset", done.stderr)
        self.assertEqual(self.dev("help").returncode, 0)


class Ci(Fixture):
    def setUp(self):
        super().setUp()
        (self.checkout / ".ci").mkdir()
        shutil.copy(ROOT / ".ci" / "run", self.checkout / ".ci" / "run")
        dev = self.checkout / "dev"
        dev.write_text('#!/bin/sh\necho "dev $1 CI=$CI FORGE_REQUIRE=$FORGE_REQUIRE"\n'
                       'case " $FAKE_FAILS " in *" $1 "*) exit 3 ;; esac\n')
        dev.chmod(0o755)

    def ci(self, fails=""):
        return self.run_in("/", ["sh", str(self.checkout / ".ci" / "run")], FAKE_FAILS=fails)

    def test_lints_then_tests_with_what_must_be_there(self):
        done = self.ci()
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout.splitlines()[-2:],
                         [f"dev {task} CI=true FORGE_REQUIRE=msb,kernel,git" for task in ("lint", "test")])
        self.assertTrue(self.log()[0].startswith("apt-get -qq update"))

    def test_any_failure_counts_and_hides_nothing(self):
        for fails in ("lint", "test", "lint test"):
            done = self.ci(fails)
            self.assertNotEqual(done.returncode, 0, fails)
            self.assertIn("dev test", done.stdout.splitlines()[-1])


if __name__ == "__main__":
    unittest.main()
