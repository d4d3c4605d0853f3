"""What git does inside a sandbox, and with which layout of the mounts it works.

A row is a command: a shell script that runs in the worktree, in the sandbox, and stops at the first failure; a test at
its end makes sure of the effect. `before` runs on the host first. `$C` is the common directory, `$E` the worktree's own
entry in it (of a plain checkout `$C` itself), `$R` the folder of the remotes.
"""

from typing import NamedTuple

# COMPLAINS: it does what was asked, ends with 0, and says that something could not be written.
WORKS, COMPLAINS, FAILS = "works", "complains", "fails"
CASES = (("linked", "compatible"), ("linked", "split"), ("plain", "compatible"), ("plain", "split"))


def expect(linked_split, plain_split, compatible=WORKS):
    """The outcomes in the order of CASES."""
    return compatible, linked_split, compatible, plain_split


ALWAYS, NEVER, COMPATIBLE = expect(WORKS, WORKS), expect(FAILS, FAILS, FAILS), expect(FAILS, FAILS)
# Needs to write the index, HEAD and the like, which a linked worktree has in its entry.
OWN_ENTRY = expect(WORKS, FAILS)


class Row(NamedTuple):
    name: str
    guest: str
    expected: tuple
    before: str = ""
    breaches: tuple = ()  # the cases where it changes what the layout is meant to protect: known holes


EDIT = "echo more >>file; "
COMMIT = EDIT + "git commit -qam more; "
BOTH = "echo both >file; git add file; "
# Nothing is left in progress: the next commit is one of its own.
IDLE = "; test ! -e $E/CHERRY_PICK_HEAD; test ! -e $E/REVERT_HEAD"
NO_STASH = "; ! git rev-parse -q --verify refs/stash"
LIBRARY = "git switch -q -C forge/task library; "
HOOK = r"printf '#!/bin/sh\ntouch ran\n' >"

READING = [
    Row("status", "git status", ALWAYS),
    Row("log", "git log --oneline --all", ALWAYS),
    Row("diff", EDIT + "git diff", ALWAYS),
    Row("show, blame, grep", "git show; git blame file; git grep ours", ALWAYS),
    Row("describe", "git describe", ALWAYS),
    Row("reflog", "git reflog; git reflog show main", ALWAYS),
    Row("archive", "git archive HEAD >/tmp/a.tar", ALWAYS),
    Row("format-patch", "git format-patch -o /tmp -2", ALWAYS),
    Row("bundle create", "git bundle create /tmp/b HEAD", ALWAYS),
    Row("fsck", "git fsck", ALWAYS),
    Row("count-objects", "git count-objects -v", ALWAYS),
    Row("ls-remote", "git ls-remote origin", ALWAYS),
    Row("worktree list", "git worktree list", ALWAYS),
]

INDEX_AND_TREE = [
    Row("add", EDIT + "git add file", OWN_ENTRY),
    Row("rm, mv", "git rm -q big; git mv file renamed", OWN_ENTRY),
    Row("restore", EDIT + "git restore file; git diff --quiet", OWN_ENTRY),
    Row("restore --staged", EDIT + "git add file; git restore --staged file", OWN_ENTRY),
    Row("checkout -- FILE", EDIT + "git checkout -- file", OWN_ENTRY),
    Row("checkout COMMIT -- FILE", "git checkout main -- file", OWN_ENTRY),
    Row("clean -fd", "mkdir new; touch new/x; git clean -qfd; test ! -e new", ALWAYS),
    Row("apply", "git diff HEAD~ | git apply -R", ALWAYS),
    Row("apply --index", "git diff HEAD~ | git apply -R --index", OWN_ENTRY),
    Row("reset --hard", EDIT + "git reset -q --hard", OWN_ENTRY),
    Row("reset --hard COMMIT", "git reset -q --hard HEAD~", OWN_ENTRY),
    Row("reset --soft COMMIT", "git reset -q --soft HEAD~", OWN_ENTRY),
    Row("sparse-checkout set", "git sparse-checkout set --no-cone /file; test ! -e big", COMPATIBLE),
]

COMMITS = [
    Row("commit", COMMIT + "git log -1 --format=%s | grep more", OWN_ENTRY),
    Row("commit, in the editor", EDIT + "GIT_EDITOR='echo said >' git commit -qa; git log -1 --format=%s | grep said",
        OWN_ENTRY),
    Row("commit --amend", EDIT + "git commit -qa --amend --no-edit", OWN_ENTRY),
    Row("commit, detached", "git switch -q --detach; " + COMMIT, OWN_ENTRY),
    Row("commit, when gc is due", COMMIT, expect(COMPLAINS, FAILS),
        before="git repack -q; " + COMMIT + "git repack -q; git config gc.autoPackLimit 1"),
    Row("merge, fast-forward", "git merge -q --ff-only ahead", OWN_ENTRY),
    Row("merge", "git merge -q --no-edit topic", OWN_ENTRY),
    Row("merge, conflict, commit", "! git merge -q clash; " + BOTH + "git commit -qm both", OWN_ENTRY),
    Row("merge, conflict, --abort", "! git merge -q clash; git merge --abort", OWN_ENTRY),
    Row("merge --squash", "git merge -q --squash topic; git commit -qm squashed", OWN_ENTRY),
    Row("rebase", "git rebase -q topic" + IDLE, COMPATIBLE),
    Row("rebase, up to date", "git rebase -q main" + IDLE, expect(COMPLAINS, COMPLAINS)),
    Row("rebase, then merge", "git rebase -q topic; git merge -q --no-edit clash || test -e $E/MERGE_HEAD", COMPATIBLE),
    Row("rebase --autosquash", EDIT + "git commit -qa --fixup=HEAD~2; git rebase -q -i --autosquash HEAD~4" + IDLE,
        COMPATIBLE),
    Row("rebase, conflict, --continue", "! git rebase -q clash; " + BOTH + "git rebase --continue" + IDLE, COMPATIBLE),
    Row("rebase, conflict, --abort", "! git rebase -q clash; git rebase --abort" + IDLE, COMPATIBLE),
    Row("rebase --apply", "git rebase -q --apply topic" + IDLE, expect(COMPLAINS, FAILS)),
    Row("cherry-pick", "git cherry-pick topic~" + IDLE, COMPATIBLE),
    Row("cherry-pick, then commit --amend", "git cherry-pick topic~; git commit -q --amend -m other", COMPATIBLE),
    Row("cherry-pick, then commit", "git cherry-pick topic~; git rm -q big; "
        "GIT_AUTHOR_NAME=Other git commit -qm own; git log -1 --format=%an | grep Other", COMPATIBLE),
    Row("cherry-pick -n", "git cherry-pick -n topic~; git commit -qm picked", OWN_ENTRY),
    Row("cherry-pick, conflict, --continue", "! git cherry-pick clash; " + BOTH + "git cherry-pick --continue" + IDLE,
        COMPATIBLE),
    Row("cherry-pick, conflict, commit", "! git cherry-pick clash; " + BOTH + "git commit -qm both" + IDLE, COMPATIBLE),
    Row("cherry-pick, conflict, --abort", "! git cherry-pick clash; git cherry-pick --abort" + IDLE, COMPATIBLE),
    Row("revert", "git revert --no-edit HEAD" + IDLE, expect(COMPLAINS, FAILS)),
    Row("revert, conflict, --continue", "echo x >file; git commit -qam x; ! git revert HEAD~3; " + BOTH
        + "git revert --continue" + IDLE, COMPATIBLE),
    Row("revert, conflict, --abort", "echo x >file; git commit -qam x; ! git revert HEAD~3; git revert --abort" + IDLE,
        COMPATIBLE),
    Row("am", "git format-patch -q -o /tmp topic~..topic; git reset -q --hard topic~; git am -q /tmp/*.patch" + IDLE,
        expect(COMPLAINS, FAILS)),
    Row("stash push", EDIT + "git stash -q; git diff --quiet; git stash list | grep .", OWN_ENTRY),
    Row("stash apply", EDIT + "git stash -q; git stash apply -q", OWN_ENTRY),
    Row("stash pop, the last", EDIT + "git stash -q; git stash pop -q; ! git diff --quiet" + NO_STASH, COMPATIBLE),
    Row("stash pop, not the last", EDIT + "git stash -q; echo x >>big; git stash -q; git stash pop -q", OWN_ENTRY),
    Row("stash pop, then stash", 2 * (EDIT + "git stash -q; test $(git stash list | wc -l) = 1; git stash pop -q; "),
        expect(COMPLAINS, FAILS)),
    Row("stash drop", EDIT + "git stash -q; git stash drop -q" + NO_STASH, COMPATIBLE),
    Row("stash clear", EDIT + "git stash -q; git stash clear" + NO_STASH, COMPATIBLE),
]

REFS = [
    Row("branch NAME", "git branch new", ALWAYS),
    Row("branch -f", "git branch -f loose-old topic", ALWAYS),
    Row("branch -d, loose", "git branch -d loose-old", COMPATIBLE),
    Row("branch -d, packed", "git branch -d packed-old", COMPATIBLE),
    Row("branch -m", "git branch -m loose-old renamed", COMPATIBLE),
    Row("branch --set-upstream-to", "git branch --set-upstream-to=origin/main", COMPATIBLE),
    Row("switch -c", "git switch -qc new", OWN_ENTRY),
    Row("switch -c, tracking", "git switch -qc new origin/main", COMPATIBLE),
    Row("switch -c --no-track", "git switch -qc new --no-track origin/main", OWN_ENTRY),
    Row("switch", "git switch -q topic; git switch -q -", OWN_ENTRY),
    Row("switch --detach", "git switch -q --detach main", OWN_ENTRY),
    Row("switch --orphan", "git switch -q --orphan fresh; echo x >x; git add x; git commit -qm x", OWN_ENTRY),
    Row("tag", "git tag new", ALWAYS),
    Row("tag -a", "git tag -am new new", ALWAYS),
    Row("tag -f", "git tag -f v2", ALWAYS),
    Row("tag -d", "git tag -d v2", COMPATIBLE),
    Row("update-ref", "git update-ref refs/x/y HEAD", ALWAYS),
    Row("update-ref -d", "git update-ref -d refs/heads/loose-old", COMPATIBLE),
    Row("symbolic-ref HEAD", "git symbolic-ref HEAD refs/heads/topic", OWN_ENTRY),
    Row("symbolic-ref, another", "git symbolic-ref refs/heads/alias refs/heads/topic", ALWAYS),
    Row("notes add", "git notes add -m n", ALWAYS),
    Row("notes remove", "git notes add -m n; git notes remove", ALWAYS),
    Row("replace", "git replace HEAD HEAD~", ALWAYS),
    Row("replace -d", "git replace HEAD HEAD~; git replace -d HEAD", COMPATIBLE),
    Row("reflog expire", "git reflog expire --expire=all HEAD", OWN_ENTRY),
    Row("reflog expire --all", "git reflog expire --expire=all --all", COMPATIBLE),
    Row("reflog delete", "git reflog delete HEAD@{0}", OWN_ENTRY),
    Row("bisect start, good, bad", "git bisect start; git bisect bad; git bisect good main; git bisect good",
        COMPATIBLE),
    Row("bisect reset", "git bisect start; git bisect bad; git bisect good main; git bisect reset", COMPATIBLE),
]

REMOTES = [
    Row("fetch", "git fetch -q; git rev-parse FETCH_HEAD v3; git log -1 --format=%s origin/main | grep upstream",
        OWN_ENTRY),
    Row("fetch REMOTE BRANCH", "git fetch -q origin main; git rev-parse FETCH_HEAD", OWN_ENTRY),
    Row("fetch --no-write-fetch-head", "git fetch -q --no-write-fetch-head; git rev-parse v3", ALWAYS),
    Row("fetch --prune", "git fetch -q --prune; ! git rev-parse -q --verify origin/gone", COMPATIBLE),
    Row("fetch --prune, nothing to prune", "git fetch -q --prune mirror", OWN_ENTRY),
    Row("fetch --depth", "git fetch -q --depth=1 \"file://$R/origin.git\" main", COMPATIBLE),
    Row("fetch, in a shallow clone", "git fetch -q; git rev-parse v3", OWN_ENTRY,
        before="git fetch -q --depth=1 \"file://$R/origin.git\" main; rm $E/FETCH_HEAD; test -e $C/shallow"),
    Row("pull", "git pull -q --no-rebase --no-edit origin main", OWN_ENTRY),
    Row("pull, fetch.prune", "git pull -q --no-rebase --no-edit", COMPATIBLE,
        before="git config fetch.prune true; git branch -q -u origin/main"),
    Row("pull --rebase", "git pull -q --rebase origin main" + IDLE, COMPATIBLE),
    Row("push", "git push -q mirror HEAD; git rev-parse mirror/forge/task", ALWAYS),
    Row("push -u", "git push -q -u mirror HEAD", expect(COMPLAINS, COMPLAINS)),
    Row("push -u, then push", "git push -q -u mirror HEAD; git rev-parse @{upstream}; git push", COMPATIBLE),
    Row("push --delete", "git push -q mirror --delete gone; ! git rev-parse -q --verify mirror/gone", COMPATIBLE),
    Row("remote add", "git remote add new https://example.org/x.git", COMPATIBLE),
    Row("remote set-url", "git remote set-url origin https://example.org/x.git", COMPATIBLE),
    Row("remote prune", "git remote prune origin", COMPATIBLE),
]

REPOSITORY = [
    Row("gc", "git gc -q", COMPATIBLE),
    Row("gc --auto", "git gc --auto", ALWAYS),
    Row("maintenance run", "git maintenance run", COMPATIBLE),
    Row("repack -ad", "git repack -qad", expect(COMPLAINS, COMPLAINS)),
    Row("prune", "git prune", ALWAYS),
    Row("prune-packed", "git prune-packed", ALWAYS),
    Row("pack-refs --all", "git pack-refs --all", COMPATIBLE),
    Row("commit-graph write", "git commit-graph write --reachable", ALWAYS),
    Row("config NAME VALUE", "git config user.x y", COMPATIBLE),
    Row("config core.hooksPath", "git config core.hooksPath /tmp/hooks", COMPATIBLE),
    Row("config --worktree", "git config --worktree user.x y", OWN_ENTRY,
        before="git config extensions.worktreeConfig true"),
    Row("config --global", "git config --global user.x y; git config user.x", ALWAYS),
    Row("rerere", "git config --global rerere.enabled true; ! git merge -q clash; test -n \"$(git rerere diff)\"; "
        + BOTH + "git commit -qm both; ls $C/rr-cache/*/postimage", COMPATIBLE),
    Row("worktree add", "git worktree add -q /tmp/new", COMPATIBLE),
    Row("worktree add --detach", "git worktree add -q --detach /tmp/new", COMPATIBLE),
    Row("worktree lock", "git worktree lock other", COMPATIBLE),
    # The folders of other worktrees are not there in the sandbox, so that git takes their entries for left over.
    Row("worktree prune", "git worktree prune; test ! -e $C/worktrees/other", COMPATIBLE),
    Row("submodule update --init", "git submodule --quiet update --init; test -e lib/file", COMPATIBLE, before=LIBRARY),
    Row("submodule update, initialised", "git submodule --quiet update; test -e lib/file", OWN_ENTRY,
        before=LIBRARY + "git submodule --quiet init"),
    Row("submodule add", "git submodule --quiet add $R/library.git lib2", expect(COMPLAINS, FAILS)),
    Row("edit info/exclude", "echo x >>$C/info/exclude", COMPATIBLE),
    Row("a hook of the host runs", COMMIT + "test -e ran", OWN_ENTRY, before=HOOK + "$C/hooks/pre-commit"),
    Row("a hook in the tree runs", COMMIT + "test -e ran", OWN_ENTRY,
        before=f"mkdir .hooks; {HOOK}.hooks/pre-commit; chmod +x .hooks/pre-commit; git config core.hooksPath .hooks"),
    Row("install a hook", "echo '#!/bin/sh' >$C/hooks/post-commit", NEVER),
]

COMMANDS = READING + INDEX_AND_TREE + COMMITS + REFS + REMOTES + REPOSITORY

# What somebody would try who wants git to run their program on the host, or to spoil it for others.
ATTACKS = [
    Row("write a hook", "echo x >$C/hooks/pre-commit", NEVER),
    Row("rename the hooks", "mv $C/hooks $C/hooks.old", NEVER),
    Row("remove the hooks", "rm -rf $C/hooks", NEVER),
    # A folder that has a mount point inside can be renamed; one that is a mount point cannot.
    Row("replace the whole .git", "mv .git .git.old; mkdir -p .git/hooks; echo x >.git/hooks/pre-commit",
        (WORKS, WORKS, WORKS, FAILS), breaches=(("plain", "compatible"),)),
    Row("write the config", "echo '[core] fsmonitor = /tmp/x' >>$C/config", COMPATIBLE),
    Row("replace the config", "echo x >$C/config.lock; mv $C/config.lock $C/config", COMPATIBLE),
    Row("write config.worktree", "echo x >$C/config.worktree", COMPATIBLE),
    Row("write info/attributes", "echo '* filter=x' >$C/info/attributes", COMPATIBLE),
    Row("write commondir", "echo /tmp >$C/commondir", COMPATIBLE),
    Row("replace the objects by a link", "mv $C/objects $C/objects.old; ln -s /tmp $C/objects", COMPATIBLE),
    Row("replace the refs by a link", "mv $C/refs $C/refs.old; ln -s /tmp $C/refs", COMPATIBLE),
    Row("write packed-refs", "echo '# x' >>$C/packed-refs", COMPATIBLE),
    Row("write another worktree's gitdir", "echo /tmp >$C/worktrees/other/gitdir", COMPATIBLE),
    Row("write another worktree's HEAD", "echo x >$C/worktrees/other/HEAD", COMPATIBLE),
    Row("add a worktree's entry", "mkdir $C/worktrees/new", COMPATIBLE),
    Row("write a submodule's hook", "echo x >$C/modules/kept/hooks/post-checkout", NEVER),
    Row("replace the submodules",
        "mv $C/modules $C/old; mkdir -p $C/modules/kept/hooks; echo x >$C/modules/kept/hooks/pre-push", COMPATIBLE,
        breaches=(("linked", "compatible"), ("plain", "compatible"))),
    Row("write the source's HEAD", "echo 'ref: refs/heads/topic' >$C/HEAD", COMPATIBLE),
    # The worktree and its entry belong to the sandbox, whoever runs git in there on the host runs what they say.
    Row("write the entry's commondir", "echo /tmp >$E/commondir", OWN_ENTRY),
    Row("write the entry's config.worktree", "echo x >$E/config.worktree", OWN_ENTRY),
    Row("move a branch that is checked out elsewhere", "git update-ref refs/heads/main HEAD", ALWAYS),
    Row("remove all objects", "rm -rf $C/objects/??", ALWAYS),
    Row("name other objects", "echo /tmp >$C/objects/info/alternates", ALWAYS),
    Row("put a link among the logs", "rm -f $C/logs/refs/heads/main; ln -s /tmp/x $C/logs/refs/heads/main", ALWAYS),
]

# What is tried where there are no logs, hooks and info yet: git makes them when it needs them, in a sandbox it may not.
STRIPPED = ("commit", "switch -c", "branch NAME", "stash push", "tag", "fetch", "push", "reflog", "install a hook",
            "write a hook", "write info/attributes", "write a submodule's hook")
