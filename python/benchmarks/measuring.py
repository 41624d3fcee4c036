"""What the benchmarks share: the games of a run, and the time of a function."""

import pathlib
import time
import typing

import chess.pgn


def first_games(path, number):
    """The unchanged text of the first games."""
    with open(path, encoding="utf-8", newline="") as file:
        while number and chess.pgn.skip_game(file):
            number -= 1
        end = file.tell()
        file.seek(0)
        return file.read()[:end] if number else pathlib.Path(path).read_bytes()[:end].decode()


class Time(typing.NamedTuple):
    """Seconds of a run: elapsed, and of the processor, in all threads."""

    elapsed: float
    processor: float


def best(times, work):
    """The least times of several runs, and the result."""
    runs = []
    for _ in range(times):
        began = time.perf_counter(), time.process_time()
        result = work()
        runs.append((time.perf_counter() - began[0], time.process_time() - began[1]))
    return Time(*map(min, zip(*runs))), result
