#!/usr/bin/env python3
"""Where a worktree's git directory is: the plan must say what the real git says, for every layout that git makes."""

import os
import pathlib
import subprocess
import sys
import tempfile

import cli_case
from cli_case import CliCase

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import on_disk  # noqa: E402

ENV = on_disk.git_environment({"safe.directory": "*"})  # with the templates that git comes with

CHECKOUT = "git init -q src; git -C src commit -q --allow-empty -m one; "
LINKED = CHECKOUT + "git -C src worktree add -q ../wt; "
LIBRARY = "git init -q lib; git -C lib commit -q --allow-empty -m one; "
ADD = "git submodule --quiet add "
UPDATE = "git submodule --quiet update --init "
WITH_SUBMODULE = CHECKOUT + LIBRARY + f'(cd src; {ADD} "$PWD/../lib" sub; git commit -qm sub); '
# The submodule's own submodule, fetched with it.
NESTED = (CHECKOUT + LIBRARY + f'git init -q outer; (cd outer; {ADD} "$PWD/../lib" in; git commit -qm in); '
          f'(cd src; {ADD} "$PWD/../outer" out; {UPDATE}--recursive); ')
BARE = CHECKOUT + "git clone -q --bare src bare.git; "
IN_LINKED = f"git -C src worktree add -q ../wt; (cd wt; {UPDATE}); "

# Name, how it is made, the worktree, the project (None: the worktree), the layout.
MADE = (
    ("no git at all", "mkdir src", "src", None, "none"),
    ("plain checkout", CHECKOUT, "src", None, "checkout"),
    ("plain checkout, named by a link", CHECKOUT + "ln -s src named", "named", None, "checkout"),
    ("plain checkout with worktrees", LINKED, "src", None, "checkout"),
    ("fresh checkout without a commit", "git init -q src", "src", None, "checkout"),
    ("no template", "git init -q --template= src", "src", None, "checkout"),
    ("a repository in a repository", CHECKOUT + "git init -q src/inner", "src/inner", None, "checkout"),
    ("subdirectory", CHECKOUT + "mkdir -p src/a/b", "src/a/b", None, "subdirectory"),
    ("subdirectory with an empty .git", CHECKOUT + "mkdir -p src/a/.git", "src/a", None, "subdirectory"),
    ("linked worktree", LINKED, "wt", "src", "linked-worktree"),
    ("linked worktree, without its project", LINKED, "wt", None, "linked-worktree"),
    ("linked worktree inside of the checkout", CHECKOUT + "git -C src worktree add -q in", "src/in", "src",
     "linked-worktree"),
    ("linked worktree, moved", LINKED + "git -C src worktree move ../wt ../to", "to", "src", "linked-worktree"),
    ("linked worktree, relative paths", LINKED + "echo gitdir: ../src/.git/worktrees/wt >wt/.git; "
     "echo ../../../../wt/.git >src/.git/worktrees/wt/gitdir", "wt", "src", "linked-worktree"),
    ("subdirectory of a linked worktree", LINKED + "mkdir wt/a", "wt/a", "src", "linked-worktree"),
    ("separate git directory", "git init -q --separate-git-dir apart.git src", "src", None, "separate"),
    ("separate git directory, with core.worktree", "git init -q --separate-git-dir apart.git src; "
     'git -C src config core.worktree "$PWD/src"', "src", None, "separate"),
    ("linked worktree of a separate git directory", "git init -q --separate-git-dir apart.git src; "
     "git -C src commit -q --allow-empty -m one; git -C src worktree add -q ../wt", "wt", "src", "linked-worktree"),
    ("submodule", WITH_SUBMODULE, "src/sub", None, "submodule"),
    ("checkout with a submodule", WITH_SUBMODULE, "src", None, "checkout"),
    ("nested submodule", NESTED, "src/out/in", None, "submodule"),
    ("linked worktree with a submodule", WITH_SUBMODULE + IN_LINKED, "wt", "src", "linked-worktree"),
    ("submodule in a linked worktree", WITH_SUBMODULE + IN_LINKED, "wt/sub", None, "submodule"),
    (".git links to the outside", CHECKOUT + "mv src/.git apart.git; ln -s ../apart.git src/.git", "src", None, "link"),
    (".git links to the inside", CHECKOUT + "mv src/.git src/apart.git; ln -s apart.git src/.git", "src", None, "link"),
    ("bare", BARE, "bare.git", None, "bare"),
    # Not bare by its config, but with no work tree of its own just the same.
    ("the git directory of a checkout", CHECKOUT, "src/.git", None, "bare"),
    ("linked worktree of a bare repository", BARE + "git -C bare.git worktree add -q ../wt", "wt", "bare.git",
     "linked-worktree"),
)

# What is not believed, though git may believe it: no plan, but this finding.
OTHER = (LINKED + "git init -q other; git -C other commit -q --allow-empty -m one; "
         "git -C other worktree add -q ../owt; ")
REFUSED = (
    ("a pointer to nothing", "FP3025", LINKED + "echo gitdir: nowhere >wt/.git", "wt", "src"),
    (".git is no pointer", "FP3026", LINKED + "echo x >wt/.git", "wt", "src"),
    ("a pointer to what the sandbox made", "FP3025", LINKED + "cp -r src/.git wt/made; echo gitdir: made >wt/.git",
     "wt", "src"),
    ("a pointer to another repository", "FP3025", OTHER + 'echo "gitdir: $PWD/other/.git" >wt/.git', "wt", "src"),
    ("a pointer to another worktree's entry", "FP3025", OTHER + "cp owt/.git wt/.git", "wt", "src"),
    ("a pointer to the source's own", "FP3025", LINKED + 'echo "gitdir: $PWD/src/.git" >wt/.git', "wt", "src"),
    ("an entry that leads elsewhere", "FP3025", OTHER + 'echo "$PWD/other/.git" >src/.git/worktrees/wt/commondir',
     "wt", "src"),
    ("an entry of another worktree", "FP3025", LINKED + 'echo "$PWD/x/.git" >src/.git/worktrees/wt/gitdir',
     "wt", "src"),
    ("commondir in a main directory", "FP3027", OTHER + 'echo "$PWD/other/.git" >src/.git/commondir', "src", None),
    ("a worktree of another project", "FP3025", OTHER, "owt", "src"),
    ("a folder of the git directory", "FP3028", CHECKOUT, "src/.git/objects", None),
)


class Layouts(CliCase):
    def made(self, script):
        """A folder of its own, with what the script makes in it."""
        folder = tempfile.mkdtemp(dir=self.place.root)
        done = subprocess.run(["/bin/sh", "-euc", script], cwd=folder, env=ENV, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return folder

    def git(self, worktree, words):
        """The real path that git rev-parse gives; None where it finds no repository."""
        done = subprocess.run(["git", "rev-parse", "--path-format=absolute", *words.split()], cwd=worktree, env=ENV,
                              capture_output=True, text=True)
        return os.path.realpath(done.stdout.rstrip("\n")) if done.returncode == 0 else None

    def compile_for(self, folder, worktree, project, mode):
        # With one place for both, what is compiled is a session in the checkout itself, not in a loop's worktree.
        places = {"worktree": os.path.join(folder, worktree), "project": os.path.join(folder, project or worktree)}
        return self.run_tool("compile", "-", *self.place.context(**places), f"--git-layout={mode}", "--format=json",
                             stdin="{}")

    def test_the_plan_says_what_git_says(self):
        for name, script, worktree, project, layout in MADE:
            folder = self.made(script)
            said = [self.git(os.path.join(folder, worktree), words)
                    for words in ("--git-dir", "--git-common-dir", "--git-path hooks")]
            for mode in ("compatible", "split"):
                with self.subTest(name=name, mode=mode):
                    done = self.compile_for(folder, worktree, project, mode)
                    if (layout, mode) == ("bare", "split"):  # the worktree is the shared directory: nothing to split
                        self.assertEqual(self.codes(done), ["FP3040"])
                        continue
                    self.assertEqual(done.status, 0, done)
                    git = done.json()["git"]
                    self.assertEqual([git["layout"], git["git_dir"], git["common_dir"]], [layout, said[0], said[1]])
                    self.assertEqual(git["mode"], mode)
                    self.assertEqual(git["hooks"][:1], [said[2]] if said[2] else [])

    def codes(self, done):
        """The findings that stopped the plan."""
        self.assertEqual(done.status, 1, done)
        return [finding["code"] for finding in done.json()["diagnostics"] if finding["severity"] == "error"]

    def test_what_is_not_believed(self):
        for name, code, script, worktree, project in REFUSED:
            with self.subTest(name=name):
                done = self.compile_for(self.made(script), worktree, project, "compatible")
                self.assertEqual(self.codes(done), [code], done)


if __name__ == "__main__":
    on_disk.need_git()
    print(subprocess.run(["git", "--version"], env=ENV, capture_output=True, text=True).stdout, end="", flush=True)
    cli_case.main()
