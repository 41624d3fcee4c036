#!/usr/bin/env python3
"""Replaces the program in Spark tasks: it runs the program, records finished tasks, and blocks the third task of an executor.

    gate.py PROGRAM FOLDER ARGUMENTS...

FOLDER gets a file `done-EXECUTOR-N` with the arguments for each finished task of an executor, identified by its process, and a file `held`
with the executor whose task is blocked until a file `released` exists.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

PROGRAM, FOLDER, ARGUMENTS = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]


def executor():
    """The Spark process that runs this task."""
    process = os.getpid()
    while process > 1:
        process = int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])
        if "CoarseGrainedExecutorBackend" in Path(f"/proc/{process}/cmdline").read_text():
            return process
    raise RuntimeError("not run by a Spark executor")


if ARGUMENTS[:2] != ["book", "--partial"]:
    sys.exit(subprocess.call([PROGRAM, *ARGUMENTS]))

me = executor()
if len(list(FOLDER.glob(f"done-{me}-*"))) >= 2:
    try:
        with open(FOLDER / "writing", "x") as file:
            file.write(str(me))
        os.link(FOLDER / "writing", FOLDER / "held")
        while not (FOLDER / "released").exists():
            time.sleep(0.1)
    except FileExistsError:
        pass
status = subprocess.call([PROGRAM, *ARGUMENTS])
if status in (0, 1):
    (FOLDER / f"done-{me}-{os.getpid()}").write_text("\n".join(ARGUMENTS))
sys.exit(status)
