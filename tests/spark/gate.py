#!/usr/bin/env python3
"""Stands in for the program in the tasks of Spark: it runs it, takes notes, and holds the third task of an executor.

    gate.py PROGRAM FOLDER ARGUMENTS...

In FOLDER a file `done-EXECUTOR-N` for each task that an executor, named by its process, has finished, and `held` with the executor
that is at work on a task and will not come to its end before there is a file `released`.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

PROGRAM, FOLDER, ARGUMENTS = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]


def executor():
    """The process of Spark that this one works for."""
    process = os.getpid()
    while process > 1:
        process = int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])
        if "CoarseGrainedExecutorBackend" in Path(f"/proc/{process}/cmdline").read_text():
            return process
    raise RuntimeError("no executor of Spark runs this")


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
    (FOLDER / f"done-{me}-{os.getpid()}").touch()
sys.exit(status)
