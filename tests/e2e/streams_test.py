#!/usr/bin/env python3
"""Output that cannot be written, and output files: nothing partial, nothing through links, nothing left behind."""

import os
import stat
import subprocess
import threading

import cli_case
import tool
from cli_case import CliCase

MANY = 20_000


class Streams(CliCase):
    def words(self):
        """Each verb with an output of its own."""
        plan, config = self.plan_file(), self.place.write("c.jsonc", {"sandbox": {"network": {"allow": ["a b"]}}})
        return (["check", config], ["check", config, "--format=json"], ["compile", config, *self.place.context()],
                ["emit", plan], ["emit", plan, "remove"], ["emit", plan, "exec", "--", "true"], ["--help"], ["--version"],
                ["check", "--help"])

    def shell(self, words, redirection):
        """Status and standard error of the tool under sh, which does the redirecting."""
        done = subprocess.run(["sh", "-c", f'"$@" {redirection}', "sh", self.tool.binary, *words], capture_output=True,
                              env=tool.environment(), timeout=tool.SECONDS)
        return done.returncode, done.stderr

    def test_output_that_takes_nothing_is_2(self):
        for words in self.words():
            for redirection in ("> /dev/full", ">&-"):
                with self.subTest(words=words[:2], redirection=redirection):
                    status, errors = self.shell(words, redirection)
                    self.assertEqual(status, 2, errors)
                    self.assertIn(b"write standard output", errors)

    def test_a_reader_that_went_away_is_no_crash_and_no_noise(self):
        config = self.place.write("big.jsonc", {"sandbox": {"network": {"allow": [f"h{n} x" for n in range(MANY)]}}})
        plan = self.plan_file({"sandbox": {"network": {"allow": [f"h{n}.example.com" for n in range(MANY)]}}})
        for words in (["check", config, "--format=json"], ["compile", config, *self.place.context()], ["emit", plan]):
            with self.subTest(words=words[:1]):
                with subprocess.Popen([self.tool.binary, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      env=tool.environment()) as process:
                    process.stdout.close()
                    errors = process.stderr.read()
                    self.assertEqual(process.wait(tool.SECONDS), 2, errors[-300:])
                self.assertNotIn(b"write standard output", errors)
                self.assertNotIn(b"pipe", errors.lower())

    def test_a_standard_error_that_takes_nothing_changes_no_status(self):
        for words in self.words():
            with self.subTest(words=words[:2]):
                expected = self.run_tool(*words).status
                for redirection in ("2> /dev/full", "2>&-"):
                    self.assertEqual(self.shell(words, redirection + " > /dev/null")[0], expected)

    def test_standard_input_that_is_closed(self):
        for words in (["check", "-"], ["emit", "-"], ["compile", "-", *self.place.context()]):
            with self.subTest(words=words[:1]):
                self.assertEqual(self.shell(words, "<&- > /dev/null")[0], 2)

    def test_a_closed_descriptor_is_not_taken_for_an_output(self):
        """With standard error closed, the first file opened must not become it."""
        target = self.place.path("plan.json")
        config = self.place.write("c.jsonc", {"sandbox": {"network": {"allow": ["a b"]}}})
        self.assertEqual(self.shell(["compile", config, *self.place.context(), "-o", target], "2>&- >&- <&-")[0], 0)
        self.assertEqual(self.run_tool("emit", target).status, 0)


class OutputFiles(CliCase):
    def write(self, target, **more):
        return self.compile("{}", "-o", target, **more)

    def test_mode_is_0600_whatever_the_umask(self):
        for umask in (0, 0o022, 0o277):
            with self.subTest(umask=oct(umask)):
                target = self.place.path(f"plan-{umask}")
                done = self.write(target, preexec_fn=lambda mask=umask: os.umask(mask))
                self.assertStatus(done, 0)
                self.assertEqual(stat.S_IMODE(os.stat(target).st_mode), 0o600)

    def test_an_old_file_is_replaced_whole_and_is_not_written_into(self):
        target = self.place.write("plan.json", b"x" * 1_000_000)
        os.chmod(target, 0o666)
        other = self.place.path("a hard link")
        os.link(target, other)
        self.assertStatus(self.write(target), 0)
        self.assertEqual(stat.S_IMODE(os.stat(target).st_mode), 0o600)
        self.assertEqual(os.stat(other).st_size, 1_000_000)
        self.assertEqual(self.run_tool("emit", target).status, 0)

    def test_what_is_no_regular_file_is_refused_and_left_alone(self):
        real = self.place.write("real", "untouched")
        os.symlink(real, self.place.path("link"))
        os.symlink(self.place.path("nowhere"), self.place.path("dangling"))
        os.mkfifo(self.place.path("fifo"))
        for name in ("link", "dangling", "fifo", "wt", "wt/", "missing/plan.json", "real/plan.json", ".", "..", "/dev/null", "/dev/full"):
            with self.subTest(name=name):
                self.assertStatus(self.write(os.path.join(self.place.root, name)), 2)
        with open(real, encoding="utf-8") as file:
            self.assertEqual(file.read(), "untouched")
        self.assertTrue(os.path.islink(self.place.path("link")))
        self.assertEqual(sorted(os.listdir(self.place.root)),
                         ["dangling", "fifo", "home", "link", "real", "tmp", "wt"])  # no temporary file is left

    def test_the_message_names_the_file(self):
        target = self.place.path("missing", "plan.json")
        self.assertSays(self.write(target), target)

    def test_a_folder_that_cannot_be_written(self):
        folder = self.place.folder("locked")
        os.chmod(folder, 0o500)
        try:
            if os.geteuid() == 0:  # root may write anywhere: be somebody else
                os.chmod(self.place.root, 0o755)
                done = self.write(os.path.join(folder, "plan.json"), user=65534, group=65534, extra_groups=[])
            else:
                done = self.write(os.path.join(folder, "plan.json"))
            self.assertStatus(done, 2)
            self.assertEqual(os.listdir(folder), [])
        finally:
            os.chmod(folder, 0o700)

    def test_a_disk_that_is_full_leaves_nothing(self):
        """A limit on file sizes stands for the full disk."""
        def limited():
            import resource
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        target = self.place.write("plan.json", "old")
        done = self.write(target, preexec_fn=limited)
        self.assertStatus(done, 2)
        with open(target, encoding="utf-8") as file:
            self.assertEqual(file.read(), "old")
        self.assertEqual(sorted(os.listdir(self.place.root)), ["home", "plan.json", "tmp", "wt"])

    def test_emit_writes_files_the_same_way(self):
        plan, target = self.plan_file(), self.place.path("argv")
        self.assertStatus(self.run_tool("emit", plan, "-o", target), 0)
        self.assertEqual(stat.S_IMODE(os.stat(target).st_mode), 0o600)
        os.symlink(target, self.place.path("link"))
        self.assertStatus(self.run_tool("emit", plan, "-o", self.place.path("link")), 2)

    def test_two_commands_racing_on_one_file_leave_one_whole_plan(self):
        target = self.place.path("plan.json")
        wholes = {self.plan_bytes("{}", f"--cpus={n}") for n in (1, 2)}
        problems = []

        def racer(cpus):
            for _ in range(40):
                done = self.compile("{}", f"--cpus={cpus}", "-o", target)
                if done.status != 0:
                    problems.append(str(done))
                with open(target, "rb") as file:
                    if file.read() not in wholes:
                        problems.append("a partial plan")

        threads = [threading.Thread(target=racer, args=(cpus,)) for cpus in (1, 2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(problems, [])
        self.assertEqual(sorted(os.listdir(self.place.root)), ["home", "plan.json", "tmp", "wt"])


if __name__ == "__main__":
    cli_case.main()
