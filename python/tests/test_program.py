"""Commands of the program as functions: each does what the program does, and tells only its caller."""

import concurrent.futures
import io
import subprocess
import sys

import pytest

import pgn2epd
from pgn2epd import _program

from conftest import FIXTURES

BAD = FIXTURES / "bad.pgn"
CLASSICS = FIXTURES / "classics.pgn"
IMMORTAL = FIXTURES / "immortal.pgn"


@pytest.fixture
def suites(tmp_path):
    first, second = tmp_path / "first.epd", tmp_path / "second.epd"
    first.write_text('4k3/8/8/8/8/8/4P3/4K3 w - - id "a";\n4k3/8/8/8/8/8/R7/4K3 w - - id "b";\n')
    second.write_text("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n4k3/8/8/8/8/8/Q7/4K3 w - - bm Qe6+;\n")
    return first, second


def test_records_are_joined_and_compared_as_by_the_program(suites, tmp_path, program):
    first, second = suites
    expected, _ = program("join", first, "--with", second, "--only-matched")
    target = tmp_path / "out.epd"
    joined = pgn2epd.join(first, second, target, only_matched=True)
    assert target.read_bytes() == expected and (joined.matched, joined.unmatched) == (1, 1)
    # The first `-` is the source, whatever the order of the arguments.
    assert pgn2epd.join(first.read_bytes(), [second.read_bytes()], only_matched=True).text.encode() == expected
    expected, _ = program("diff", first, second)
    out = io.BytesIO()
    found = pgn2epd.diff(first, second)
    pgn2epd.diff(first.read_bytes(), second, out)
    assert found.text.encode() == out.getvalue() == expected != b""
    assert (found.only_first, found.only_second, found.different, found.same) == (1, 1, 1, 0)
    assert found.messages == [f"1 position only in {first}, 1 position only in {second}, 1 position with different operations, 0 equal"]


def test_partial_results_are_merged_as_by_the_program(tmp_path, program):
    for path, part in [(CLASSICS, "a.part"), (IMMORTAL, "b.part")]:
        pgn2epd.book(path, tmp_path / part, partial=True)
        expected, _ = program("book", "--partial", path)
        assert (tmp_path / part).read_bytes() == expected
    parts = [tmp_path / "a.part", tmp_path / "b.part"]
    merged = pgn2epd.merge(parts, tmp_path / "book.csv", min_games=2)
    program("book", "merge", *parts, "--min-games", "2", "-o", tmp_path / "expected.csv")
    assert (tmp_path / "book.csv").read_bytes() == (tmp_path / "expected.csv").read_bytes()
    rows = (tmp_path / "book.csv").read_text().splitlines()[1:]
    assert merged.positions == len({row.split(",")[0] for row in rows}) > 0
    with pytest.raises(OSError, match="as a partial result"):
        pgn2epd.merge(CLASSICS, tmp_path / "book.csv")


def test_diagrams_are_written_as_by_the_program(tmp_path, program):
    record = "4k3/8/8/8/8/8/4P3/4K3 w - - sm e4;"
    for position, name, options, given in [
        (CLASSICS, "x.html", {}, []),
        (CLASSICS, "x.svg", {"game": 2, "ply": 5, "theme": "dark"}, ["--game", "2", "--ply", "5", "--theme", "dark"]),
        (record, "y.svg", {}, []),
    ]:
        program("show", position, "-o", tmp_path / f"expected-{name}", *given)
        pgn2epd.show(position, tmp_path / name, **options)
        assert (tmp_path / name).read_bytes() == (tmp_path / f"expected-{name}").read_bytes()


def test_every_command_is_a_function(program):
    names = {command.replace(" ", "_") for command in _program.definition()} - {""}
    assert names >= {"book_gaps", "book_show", "splits"}
    assert all(callable(getattr(pgn2epd, name)) for name in names)
    expected, _ = program("book", "show", CLASSICS, "--moves", "e4 e5")
    assert pgn2epd.book_show(CLASSICS, moves="e4 e5").text.encode() == expected
    expected, _ = program("book", "gaps", IMMORTAL, "--side", "white", "--games", CLASSICS)
    assert pgn2epd.book_gaps(IMMORTAL, side="white", games=[CLASSICS]).text.encode() == expected
    with pytest.raises(TypeError, match=r"book_gaps\(\) got an unexpected keyword argument 'sid'. Did you mean 'side'"):
        pgn2epd.book_gaps(IMMORTAL, sid="white")
    with pytest.raises(AttributeError, match="no attribute 'book_gap'"):
        pgn2epd.book_gap


def test_options_of_the_program_that_write_other_files(tmp_path, program):
    told, report = [], tmp_path / "report.jsonl"
    summary = pgn2epd.convert(BAD, tmp_path / "x.epd", report=report, manifest=tmp_path / "manifest.json", problems=told)
    program(BAD, "--report", tmp_path / "expected.jsonl")
    assert report.read_bytes() == (tmp_path / "expected.jsonl").read_bytes()
    assert len(told) == len(report.read_text().splitlines()) == summary.errors + summary.warnings
    assert (tmp_path / "manifest.json").exists()
    with pytest.raises(ValueError, match="report .* is the same file as the input"):
        pgn2epd.convert(BAD, tmp_path / "x.epd", report=BAD)


def test_messages_go_to_the_result_and_nothing_to_the_streams_of_the_process(tmp_path):
    code = """
import sys, warnings, pgn2epd
warnings.simplefilter("ignore")
bad, faults, target = sys.argv[1:]
summary = pgn2epd.convert(bad, target, ops="none")
assert summary.messages[0].startswith(bad + ": note: 1 variation not written"), summary.messages
pgn2epd.book(bad, target)
pgn2epd.check(faults)
try: pgn2epd.convert(bad, target, ep="never")
except ValueError: pass
try: pgn2epd.convert(bad, "/nowhere/x")
except OSError: pass
"""
    outcome = subprocess.run([sys.executable, "-c", code, BAD, FIXTURES / "epd" / "faults.epd", tmp_path / "x.epd"], capture_output=True, text=True)
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, "", "")


def test_runs_in_several_threads_do_not_meet():
    def run(number):
        out, problems = io.BytesIO(), []
        games = '[White "A"]\n\n1. e4 *\n\n' * number + f'[White "B"]\n\n1. Ke{number} *'
        summary = pgn2epd.convert(games.encode(), out, problems=problems, format="fen")
        return summary.games, [problem.token for problem in problems], out.getvalue().count(b"\n")

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = list(pool.map(run, [3, 4, 5, 6, 7] * 4))
    assert found == [(number + 1, [f"Ke{number}"], 2 * number + 1) for number in [3, 4, 5, 6, 7] * 4]
