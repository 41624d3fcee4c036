"""Python threads run during conversions, memory is bounded, and Ctrl-C ends a conversion."""

import os
import subprocess
import sys
import threading
import time

import pyarrow
import pytest

import pgn2epd

from conftest import FIXTURES

GAME = (FIXTURES / "immortal.pgn").read_bytes() + b"\n"


def large(megabytes):
    return GAME * (megabytes * 1_000_000 // len(GAME))


@pytest.mark.parametrize(
    "work",
    [
        lambda pgn: pgn2epd.convert(pgn, os.devnull, jobs=1),
        lambda pgn: pyarrow.table(pgn2epd.to_arrow(pgn, ["ply"], jobs=1)),
    ],
    ids=["convert", "to_arrow"],
)
def test_other_threads_run_during_a_conversion(work):
    # A thread counts in Python, which it could not if the interpreter lock were held.
    pgn, stop, counted = large(5), threading.Event(), [0]

    def count():
        while not stop.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    try:
        time.sleep(0.05)
        before, began = counted[0], time.perf_counter()
        work(pgn)
        meanwhile, seconds = counted[0] - before, time.perf_counter() - began
    finally:
        stop.set()
        thread.join()
    began, alone = time.perf_counter(), 0
    while time.perf_counter() - began < 0.1:
        for _ in range(1000):
            stop.is_set()
            alone += 1
    rate = alone / 0.1
    assert seconds > 0.02
    assert meanwhile > rate * seconds * 0.05, f"{meanwhile} of some {rate * seconds:.0f} in {seconds:.2f} s"


MEASURE = """
import resource, sys, os
import pgn2epd
GAME = open(sys.argv[1], "rb").read() + b"\\n"

class Games:
    def __init__(self, games):
        self.left, self.buffer = games, b""

    def read(self, size):
        while len(self.buffer) < size and self.left:
            number = min(self.left, 2000)
            self.left -= number
            self.buffer += GAME * number
        piece, self.buffer = self.buffer[:size], self.buffer[size:]
        return piece

def run(megabytes):
    source, count = Games(megabytes * 1_000_000 // len(GAME)), 0
    if sys.argv[2] == "records":
        for record in pgn2epd.records(source): count += 1
    elif sys.argv[2] == "convert":
        count = pgn2epd.convert(source, os.devnull).positions
    else:
        import pyarrow
        for batch in pyarrow.RecordBatchReader.from_stream(pgn2epd.to_arrow(source)): count += len(batch)
    return count

small = run(int(sys.argv[3]))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
large = run(6 * int(sys.argv[3]))
print(small, large, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak)
"""


@pytest.mark.parametrize("what, megabytes", [("records", 1), ("convert", 2), ("to_arrow", 8)])
def test_memory_does_not_grow_with_the_input(what, megabytes):
    command = [sys.executable, "-c", MEASURE, str(FIXTURES / "immortal.pgn"), what, str(megabytes)]
    outcome = subprocess.run(command, capture_output=True, text=True, check=True)
    small, large, grown = map(int, outcome.stdout.split())
    assert large > 5 * small > 0
    unit = 1024 if sys.platform == "darwin" else 1
    assert grown // unit < 30_000, f"{grown} KiB more for six times the input"


def test_records_need_little_memory(tmp_path):
    program = """
import resource, sys, pgn2epd
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak()
for record in pgn2epd.records(sys.argv[1], jobs=2): pass
print(peak() - before)
"""
    games = tmp_path / "many-games.pgn"
    games.write_bytes(large(4))
    outcome = subprocess.run([sys.executable, "-c", program, games], capture_output=True, text=True, check=True)
    unit = 1024 if sys.platform == "darwin" else 1
    # 11 MiB; with chunks of the usual size it was more than 200.
    assert int(outcome.stdout) // unit < 24_000


def test_leaving_a_loop_early_ends_the_reading():
    before = threading.active_count()
    for _ in range(20):
        for record in pgn2epd.records(large(2)):
            if record.ply == 3:
                break
        reader = pyarrow.RecordBatchReader.from_stream(pgn2epd.to_arrow(large(2), chunk_bytes=10_000))
        next(reader)
        reader.close()
    assert threading.active_count() == before
    deadline = time.monotonic() + 10
    while len(os.listdir("/proc/self/task")) > before + 30 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(os.listdir("/proc/self/task")) <= before + 30, "threads of the library are left"


INTERRUPTED = """
import sys, os, threading, time, signal
import pgn2epd
game = open(sys.argv[1], "rb").read() + b"\\n"
class Endless:
    def read(self, size): return game
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    if sys.argv[2] == "convert": pgn2epd.convert(Endless(), os.devnull)
    elif sys.argv[2] == "nothing": pgn2epd.convert(Endless(), os.devnull, where="ply > 100000")
    elif sys.argv[2] == "book": pgn2epd.book(Endless(), os.devnull, ply=3)
    else:
        for record in pgn2epd.records(Endless(), where="ply > 100000"): pass
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("what", ["convert", "nothing", "book", "records"])
def test_ctrl_c_ends_it(what):
    command = [sys.executable, "-c", INTERRUPTED, str(FIXTURES / "immortal.pgn"), what]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert outcome.stdout == "interrupted\n", outcome.stderr


def test_progress_is_shown_or_told(tmp_path, capsys):
    told = []
    summary = pgn2epd.convert(b"1. e4 e5 *\n" * 2, tmp_path / "x.epd", progress=told.append)
    assert (told[-1].games, told[-1].positions) == (summary.games, summary.positions) == (2, 6)
    pgn2epd.convert(b"1. e4 e5 *", tmp_path / "x.epd", progress=True)
    assert capsys.readouterr().err == "\r1 games, 3 positions\n"
    with pytest.raises(ValueError):
        pgn2epd.convert(b"1. e4 e5 *", tmp_path / "x.epd", progress=True, ep="never")
    pgn2epd.convert(b"1. e4 e5 *", tmp_path / "x.epd", progress=False)
    assert capsys.readouterr().err == ""
    with pytest.raises(TypeError, match="progress is a bool"):
        pgn2epd.convert(b"1. e4 e5 *", tmp_path / "x.epd", progress="yes")
    with pytest.raises(ZeroDivisionError):
        pgn2epd.convert(b"1. e4 e5 *", tmp_path / "x.epd", progress=lambda summary: 1 / 0)
