"""Positions evaluated and test suites solved by engines: a small one, whose answers are counted by hand."""

import csv
import gzip
import io
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import threading
import time
import warnings

import pytest

import pgn2epd

# Moves a king, or with the word rook gives a check with it; first it preferred another move. Its other words make it fail or wait.
ENGINE = """
import sys, time
words, asked = sys.argv[1:], 0
for line in sys.stdin:
    line = line.strip()
    if line == "uci":
        print("id name", words[0], "\\noption name Hash type spin default 1 min 1 max 64\\nuciok")
    elif line == "isready":
        print("readyok")
    elif line.startswith("position"):
        fen = line.removeprefix("position fen ")
    elif line.startswith("go"):
        if "slow" in words: time.sleep(60)
        if "pause" in words: time.sleep(1)
        if "log" in words: open(words[-1], "a").write(fen + "\\n")
        if "4P3/8/8/4K3" in fen and "dies" in words: sys.exit("dead")
        rook = "4K2R w" in fen
        move, score = ("h1h8", "mate 3") if rook and "rook" in words else ("e1e2", "cp 17")
        if " b " in fen: move, score = "e8e7", "cp -17"
        print("info depth 1 nodes 10 score cp 5 pv e1d1" if " w " in fen else "info string nothing")
        print(f"info depth 4 nodes 90 score {score} pv {move}")
        print("bestmove", move)
    elif line == "quit":
        break
    sys.stdout.flush()
"""

ROOK = "4k3/8/8/8/8/8/8/4K2R w K -"
PAWN = "4k3/8/8/8/4P3/8/8/4K3 w - -"
BLACK = "4k3/8/8/8/8/8/4P3/4K3 b - -"
MATED = "R3k3/7R/8/8/8/8/8/4K3 b - -"


@pytest.fixture
def engine(tmp_path):
    """Returns the command of the engine with words."""
    path = tmp_path / "an engine.py"
    path.write_text(ENGINE)
    return lambda *words: shlex.join([sys.executable, str(path), *words])


def without_digits(records):
    """Removes the digits that stand for all settings, with the path of the engine."""
    return re.sub(rb'; #[0-9a-f]{16}"', b'"', records)


def lines(*lines):
    return "".join(f"{line}\n" for line in lines).encode()


SUITE = lines(f'{ROOK} bm Rh8+; id "rook";', f'{PAWN} bm Kd1; id "pawn";', f"{BLACK} am Kd7;", f'{ROOK} id "again";', MATED)


def test_results_are_written_in_other_formats(engine, tmp_path):
    games, annotated, table = tmp_path / "games.pgn", tmp_path / "annotated.pgn", tmp_path / "table.csv"
    games.write_text(f'[SetUp "1"]\n[FEN "{PAWN} 0 1"]\n\n1. e5 {{[%eval 3.0]}} Kd8 *\n')
    settings = {"engine": engine("one"), "nodes": 50}
    summary = pgn2epd.analyse(games, annotated, annotate=10, **settings).summary
    assert (summary.games, summary.positions) == (1, 3)
    # The engine knows 17 for White and for Black; so each move that it would not play loses nothing.
    assert annotated.read_text().endswith('0 1"]\n\n1. e5 {[%eval 0.17,4]} 1... Kd8 {[%eval 0.17,4]} *\n\n')
    pgn2epd.analyse(SUITE, table, columns=["fen", "ce"], **settings)
    assert table.read_text().splitlines()[1:3] == [f"{ROOK} 0 1,17", f"{PAWN} 0 1,17"]
    assert list(tmp_path.glob("*.partial")) == []
    for source, target, named in [(games.read_bytes(), annotated, {}), (games, io.BytesIO(), {"format": "csv"}),
                                  (games, annotated, {"limit": 3}), (games, table, {"format": "pgn"}), (games, table, {"annotate": 9})]:
        with pytest.raises(ValueError):
            pgn2epd.analyse(source, target, **settings, **named)


def test_positions_are_written_with_what_an_engine_says(engine, tmp_path):
    said = 'c9 "one; nodes 50; Hash=16"'
    expected = lines(
        f'{ROOK} acd 4; acn 90; bm Rh8+; {said}; ce 32762; dm 3; id "rook"; pm Rh8+; pv Rh8+;',
        f'{PAWN} acd 4; acn 90; bm Kd1; {said}; ce 17; id "pawn"; pm Ke2; pv Ke2;',
        f"{BLACK} acd 4; acn 90; am Kd7; {said}; ce -17; pm Ke7; pv Ke7;",
        f'{ROOK} acd 4; acn 90; {said}; ce 32762; dm 3; id "again"; pm Rh8+; pv Rh8+;',
        f"{MATED} {said};",
    )
    options = {"engine": engine("one", "rook"), "nodes": 50, "option": ["Hash=16"], "engines": 2, "registers": "full"}
    for target in (tmp_path / "out.epd", io.BytesIO()):
        told = []
        done = pgn2epd.analyse(SUITE, target, progress=told.append, **options)
        assert without_digits(target.getvalue() if isinstance(target, io.BytesIO) else target.read_bytes()) == expected
        assert (done.asked, done.repeated, done.earlier, done.over, done.failed) == (3, 1, 0, 1, 0)
        assert done.summary.positions == told[-1].positions == 5
        assert repr(done) == "<Result asked=3 over=1 repeated=1>"
    out = io.BytesIO()
    done = pgn2epd.analyse(SUITE, out, where="has(id)", unique=True, bm="best", **{**options, "registers": "off"})
    assert done.asked == 2 and b"c9" not in out.getvalue() and b"bm Ke2" in out.getvalue()


def test_the_result_is_that_of_the_program(engine, tmp_path, program):
    suite = tmp_path / "suite.epd"
    suite.write_bytes(SUITE)
    options = ["--engine", engine("one"), "--depth", "5", "--where", "has(id)", "--registers", "full", "--bm", "best"]
    expected, _ = program("analyse", "-q", suite, *options)
    pgn2epd.analyse(suite, tmp_path / "out.epd", engine=engine("one"), depth=5, where="has(id)", bm="best", registers="full")
    assert (tmp_path / "out.epd").read_bytes() == expected != b""


def test_what_fails_is_a_problem_with_its_record(engine, tmp_path):
    target, problems = tmp_path / "out.epd", []
    done = pgn2epd.analyse(SUITE, target, engine=engine("one", "dies"), nodes=50, registers="full", problems=problems)
    assert (done.asked, done.failed) == (3, 1)
    assert without_digits(target.read_bytes()).splitlines()[1] == f'{PAWN} bm Kd1; c9 "one; nodes 50"; id "pawn";'.encode()
    [problem] = problems
    reason = "the engine ended (exit status: 1): dead"
    assert (problem.kind, problem.severity, problem.line, problem.reason) == ("engine", "error", 2, reason)
    assert str(problem) == f"{target}:2: {PAWN} 0 1: {reason}"
    with pytest.warns(pgn2epd.PgnWarning, match="dead"):
        pgn2epd.analyse(SUITE, target, engine=engine("one", "dies"), nodes=50)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(pgn2epd.PgnWarning):
            pgn2epd.analyse(SUITE, io.BytesIO(), engine=engine("one", "dies"), nodes=50)


def test_evaluations_of_earlier_runs_are_used(engine, tmp_path):
    log, cache, target = (tmp_path / name for name in ("log", "cache", "out.epd"))
    options = {"engine": engine("one", "log", str(log)), "nodes": 50, "registers": "full"}
    target.write_text("old")
    asked = lambda: len(log.read_text().splitlines()) if log.exists() else 0

    with pytest.raises(OSError):
        pgn2epd.analyse([SUITE, gzip.compress(b"")[:15]], target, **options)
    assert target.read_text() == "old" and asked() == 3
    partial = tmp_path / "out.epd.partial"
    first = partial.read_text().splitlines(keepends=True)[0]
    partial.write_text(first)
    with pytest.raises(OSError, match="out.epd.partial has the results of a run that was interrupted: .* with resume,"):
        pgn2epd.analyse(SUITE, target, **options)
    done = pgn2epd.analyse(SUITE, target, resume=True, cache=cache, **options)
    assert (done.earlier, done.asked) == (1, 2) and asked() == 5 and not partial.exists()
    written = target.read_bytes()
    assert written.startswith(first.split(" settings ")[0].encode()) and len(written.splitlines()) == 5
    done = pgn2epd.analyse(SUITE, target, cache=cache, **options)
    assert (done.asked, done.repeated) == (1, 3) and target.read_bytes() == written and asked() == 6
    with pytest.raises(OSError, match="an engine.py is not a cache of evaluations"):
        pgn2epd.analyse(SUITE, target, cache=tmp_path / "an engine.py", **options)
    with pytest.raises(ValueError, match="required arguments were not provided: output"):
        pgn2epd.analyse(SUITE, io.BytesIO(), resume=True, **options)
    suite = tmp_path / "suite.epd"
    suite.write_bytes(SUITE)
    for wrong in ({"target": suite}, {"target": target, "cache": suite}):
        with pytest.raises(ValueError, match="is the same file as the input"):
            pgn2epd.analyse(suite, **wrong, **options)
    assert suite.read_bytes() == SUITE


def test_suites_are_solved(engine, tmp_path):
    problems = []
    engines = [engine("one", "rook"), engine("two", "dies")]
    one, two = pgn2epd.solve(SUITE, engine=engines, nodes=50, problems=problems)
    assert [problem.message for problem in problems] == [
        "2 records without bm, am, dm or points",
        "record 2: pawn: the engine ended (exit status: 1): dead",
    ]
    assert [problem.kind for problem in problems] == ["no-task", "engine"]
    assert (one["engine"], one["settings"], one["solved"], one["exercises"], one["failed"]) == ("one", "one; nodes 50", 2, 3, 0)
    assert (two["engine"], two["solved"], two["exercises"], two["failed"]) == ("two", 1, 3, 1)
    assert one["positions"][0] == {
        "record": 1, "position": "rook", "asked": "bm Rh8+", "move": "Rh8+", "score": 32762, "solved": True,
        "points": None, "most_points": None, "mate": 3, "nodes": 90, "depth": 4,
    }
    assert [each["move"] for each in two["positions"]] == ["Ke2", None, "Ke7"]
    assert [each["solved"] for each in two["positions"]] == [False, False, True]


def test_results_of_suites_are_written_as_by_the_program(engine, tmp_path, program):
    suite, target = tmp_path / "suite.epd", tmp_path / "result"
    suite.write_bytes(SUITE)
    for form in ("text", "markdown", "json", "csv"):
        expected, _ = program("solve", "-q", suite, "--engine", engine("one"), "--nodes", "50", "--format", form)
        with pytest.warns(pgn2epd.PgnWarning, match="2 records without"):
            result = pgn2epd.solve(suite, target, format=form, engine=engine("one"), nodes=50)
        assert target.read_bytes() == expected
        if form == "json":
            assert json.loads(expected) == result
        if form == "csv":
            rows = list(csv.DictReader(expected.decode().splitlines()))
            assert [row["move"] for row in rows] == [each["move"] for each in result[0]["positions"]]
    with pytest.raises(ValueError, match='format="html": choose from text, markdown, json, csv'):
        pgn2epd.solve(suite, target, format="html", engine=engine("one"), nodes=50)
    with pytest.raises(ValueError, match="is the same file as the input"):
        pgn2epd.solve(suite, suite, engine=engine("one"), nodes=50)


def test_wrong_arguments_are_reported(engine):
    out, one = io.BytesIO(), engine("one")
    cases = [
        (ValueError, "an engine", {"nodes": 1}),
        (ValueError, "a limit", {"engine": one}),
        (ValueError, "engine=", {"engine": "'", "nodes": 1}),
        (TypeError, r"argument 'node'\. Did you mean 'nodes'\?", {"engine": one, "node": 1}),
        (TypeError, "unexpected keyword argument 'split'", {"engine": one, "nodes": 1, "split": "a=0.5,b=0.5"}),
        (pgn2epd.PgnError, "no option Hsah; it has Hash", {"engine": one, "nodes": 1, "option": "Hsah=1"}),
        (pgn2epd.PgnError, r"\./missing cannot be started: .*\(os error", {"engine": "./missing", "nodes": 1}),
    ]
    for kind, text, options in cases:
        for work in (lambda: pgn2epd.analyse(SUITE, out, **options), lambda: pgn2epd.solve(SUITE, problems=[], **options)):
            with pytest.raises(kind, match=text):
                work()
    with pytest.raises(ValueError, match="one engine; solve takes several"):
        pgn2epd.analyse(SUITE, out, engine=[one, one], nodes=1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'multipv'"):
        pgn2epd.solve(SUITE, engine=one, nodes=1, multipv=3)
    assert pgn2epd.solve(lines(MATED), engine=one, nodes=1, problems=[]) == []
    assert out.getvalue() == b""


def test_other_threads_run_while_an_engine_searches(engine):
    ran = []
    threading.Timer(0.2, lambda: ran.append(time.monotonic())).start()
    pgn2epd.analyse(lines(ROOK), io.BytesIO(), engine=engine("one", "pause"), nodes=1)
    end = time.monotonic()
    assert ran and ran[0] < end


INTERRUPTED = """
import sys, os, threading, signal
import pgn2epd
threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
work = {"analyse": lambda **of: pgn2epd.analyse(sys.argv[3], os.devnull, **of), "solve": lambda **of: pgn2epd.solve(sys.argv[3], **of)}
try:
    work[sys.argv[1]](engine=sys.argv[2], nodes=1, engines=2)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("what", ["analyse", "solve"])
def test_ctrl_c_ends_the_run_and_the_engines(what, engine, tmp_path):
    suite, word = tmp_path / "suite.epd", f"of-{os.getpid()}-{what}"
    suite.write_bytes(lines(f"{ROOK} bm Rh8+;", f"{PAWN} bm Ke2;"))
    command = [sys.executable, "-c", INTERRUPTED, what, engine("one", "slow", word), str(suite)]
    began = time.monotonic()
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert outcome.stdout == "interrupted\n", outcome.stderr
    assert time.monotonic() - began < 20
    processes = pathlib.Path("/proc").glob("[0-9]*/cmdline")
    assert not [process for process in processes if word in process.read_text(errors="replace")]


def test_an_engine_selects_the_positions_of_a_book(engine, tmp_path):
    positions, target, cache = lines(ROOK, PAWN, BLACK, MATED), tmp_path / "book.epd", tmp_path / "cache.epd"
    limits = dict(nodes=50, ops="clocks", cache=cache)

    def fields():
        return [" ".join(line.split()[:4]) for line in target.read_text().splitlines()]

    # 17 for White, whoever is to move, and a mate.
    book = pgn2epd.book(positions, target, engine=engine("one", "rook"), eval=(10, 20), **limits)
    assert (book.positions, fields()) == (1, [PAWN])
    assert len(cache.read_text().splitlines()) == 4
    book = pgn2epd.book(positions, target, engine=engine("one", "rook"), eval="white:10..20", **limits)
    assert (book.positions, fields()) == (2, [PAWN, BLACK])

    problems = []
    dying = dict(engine=engine("two", "dies"), nodes=50, eval="..", problems=problems.append)
    book = pgn2epd.book(positions, target, **dying)
    assert (book.positions, fields()) == (2, [ROOK, BLACK])
    assert [(problem.kind, problem.message.split(":")[0]) for problem in problems] == [("engine", f"{PAWN} 0 1")]
    assert target.read_text().startswith(f'{ROOK} acd 4; acn 90; c0 "games 1')

    for options, error, text in [
        (dict(draws="0.4..0.6"), ValueError, "an engine is missing"),
        (dict(engine=engine("one"), nodes=1), ValueError, "a range of evaluations is missing: eval"),
        (dict(engine=engine("one"), nodes=1, draws="0.4..0.6"), pgn2epd.PgnError, "UCI_ShowWDL"),
        (dict(cache="x.epd"), ValueError, "engine"),
        (dict(engine=engine("one"), nodes=1, eval="..", multipv=2), TypeError, "multipv"),
    ]:
        with pytest.raises(error, match=text):
            pgn2epd.book(positions, tmp_path / "other.epd", **options)
    assert not (tmp_path / "other.epd").exists()
