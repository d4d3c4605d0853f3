"""The cases of cases.jsonl, translated by hand: one function each, named like the case.

A case is a generator of (what, holds): everything its `expected` says, with the
verbs' names of today (lint is check, plan is compile). What does not hold is a
difference; differences.jsonc says why.
"""

from . import command_line, configs, git, mounts, network

ALL = {name: case for module in (configs, network, git, mounts, command_line) for name, case in vars(module).items()
       if len(name) == 3 and name[1:].isdigit()}
