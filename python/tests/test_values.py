"""Records and games are values: compared, hashed, copied and pickled. EPD is read, checked and drawn."""

import copy
import io
import pickle

import pytest

import pgn2epd
from pgn2epd import epd

from conftest import FIXTURES

CLASSICS = FIXTURES / "classics.pgn"
FAULTS = FIXTURES / "epd" / "faults.epd"
RECORD = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; ce 25; id \"a;b\";"


def test_records_and_games_are_compared_by_value():
    first, again = list(pgn2epd.records(CLASSICS)), list(pgn2epd.records(CLASSICS))
    assert first == again and first[0] is not again[0]
    assert first[0].game == again[0].game and first[0] != first[1]
    assert len({*first, *again}) == len(set(first)) and len({record.game for record in first + again}) == 3
    assert first[0] != "a record"


@pytest.mark.parametrize("format", ["epd", "fen", "crafty"])
def test_records_are_copied_and_pickled(format):
    records = list(pgn2epd.records(CLASSICS, format=format, ops="sm"))
    for copied in [copy.copy(records), copy.deepcopy(records), pickle.loads(pickle.dumps(records))]:
        assert copied == records
        assert [record.operations for record in copied] == [record.operations for record in records]
    pickled = pickle.loads(pickle.dumps(records[:2]))
    assert pickled[0].game is pickled[1].game and pickled[0].game.tags == records[0].game.tags


def test_a_line_of_epd_is_read_with_typed_operations():
    record = epd.parse(RECORD + "\n")
    assert record.operations == {"bm": ["e4"], "ce": 25, "id": "a;b"}
    assert record.fields == ("4k3/8/8/8/8/8/4P3/4K3", "w", "-", "-")
    assert record.epd == "4k3/8/8/8/8/8/4P3/4K3 w - -" and record.fen.endswith(" 0 1")
    assert str(record) == RECORD and record.problems == [] and record.dialect == "epd"
    assert pickle.loads(pickle.dumps(record)) == record and hash(copy.copy(record)) == hash(record)
    repaired = epd.parse("4k3/8/8/8/8/8/4P3/4K3 w - - bm e2e4;", dialect="epd")
    assert [problem.severity for problem in repaired.problems] == ["warning"]
    assert epd.parse("4k3/8/8/8/8/8/4P3/4K3 w - - 3 9").fen.endswith(" 3 9")


@pytest.mark.parametrize(
    "line, kind, text",
    [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;", pgn2epd.PgnError, "column 32: e5: illegal"),
        ("nothing", pgn2epd.PgnError, "column 8: the side to move is missing"),
        ("", ValueError, "no record"),
        ("# comment", ValueError, "no record"),
        (RECORD + "\n" + RECORD, ValueError, "one line"),
    ],
)
def test_a_line_without_a_record_is_an_error(line, kind, text):
    with pytest.raises(kind, match=text):
        epd.parse(line)


def test_files_of_positions_are_checked_and_repaired(tmp_path, program):
    report = pgn2epd.check(FAULTS, stats=True)
    expected, _ = program("check", FAULTS)
    told = [str(problem) for problem in report.problems]
    assert [line.removesuffix(" (reported once per file)") for line in expected.decode().splitlines()] == told
    assert report.errors == sum(problem.severity == "error" for problem in report.problems) > 0
    assert report.statistics["positions"] == report.records
    target = tmp_path / "clean.epd"
    report = pgn2epd.check(FAULTS, target)
    expected, _ = program("check", "--fix", FAULTS)
    assert target.read_bytes() == expected and report.rejected > 0
    pgn2epd.check(FAULTS, target, rejects=tmp_path / "rejects")
    assert len((tmp_path / "rejects").read_bytes().splitlines()) == report.rejected
    with pytest.raises(TypeError, match="format"):
        pgn2epd.check(FAULTS, format="fen")
    with pytest.raises(ValueError, match="unreadable"):
        pgn2epd.check(FAULTS, unreadable="drop")
    with pytest.raises(ValueError):
        pgn2epd.check(target, target)


@pytest.mark.parametrize(
    "options",
    [{"unreadable": "drop"}, {"unreadable": "comment"}, {"variant": "chess"}, {"variant": "chess960"}, {"variant": "atomic"}, {"strict": True}],
)
def test_options_of_check_are_those_of_the_program(options, tmp_path, program):
    lines = [
        "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; 00:00;",
        "4k3/8/8/8/8/8/8/1R2K3 w Q -",
        "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPPPPPP/RNBQKBNR b KQkq - bm Qxd2;",
        "k7/8/8/8/8/NNN5/PPPPPPPP/4K3 w - -",
    ]
    source, target = tmp_path / "in.epd", tmp_path / "out.epd"
    source.write_text("".join(line + "\n" for line in lines))
    report = pgn2epd.check(source, target, **options)
    name, value = next(iter(options.items()))
    given = [f"--{name}"] + ([] if value is True else [value])
    expected, _ = program("check", "--fix", *given, source)
    assert target.read_bytes() == expected
    assert report.problems
    # Each value other than the default makes a difference.
    default = pgn2epd.check(source, tmp_path / "default.epd")
    same = (tmp_path / "default.epd").read_bytes() == expected and list(map(str, default.problems)) == list(map(str, report.problems))
    assert same == (value == "comment")


def test_positions_are_drawn():
    record = next(iter(pgn2epd.records(CLASSICS)))
    for position in [record, str(record), record.fen, epd.parse(record.fen)]:
        diagram = pgn2epd.show(position)
        assert diagram._repr_svg_() == diagram.svg and diagram.svg.startswith("<svg ")
        assert "♜" in str(diagram) and diagram.png(width=96)[:4] == b"\x89PNG"
    assert record._repr_svg_() == pgn2epd.show(record).svg
    assert pgn2epd.show(record, view="black").svg != pgn2epd.show(record).svg
    with pytest.raises(ValueError, match="choose from white"):
        pgn2epd.show(record, view="side")
    with pytest.raises(ValueError):
        pgn2epd.show("no position")
    second = list(pgn2epd.games(CLASSICS, ["fen"]))[1].fen
    assert pgn2epd.show(CLASSICS, ply=5, game=2).fen == second[5]
    assert pgn2epd.show(str(CLASSICS), game=2).fen == second[-1]
    for wrong in [dict(ply=1000), dict(game=9)]:
        with pytest.raises(ValueError, match="game"):
            pgn2epd.show(CLASSICS, **wrong)
    with pytest.raises(FileNotFoundError):
        pgn2epd.show("missing.pgn", ply=1)


@pytest.mark.parametrize("suffix", ["epd", "pgn", "bin", "csv", "jsonl"])
def test_books_are_those_of_the_program(tmp_path, program, suffix):
    target = tmp_path / f"book.{suffix}"
    order = None if suffix == "bin" else "count"
    book = pgn2epd.book(CLASSICS, target, ply=(1, 6), order=order)
    path = tmp_path / f"expected.{suffix}"
    program("book", "--ply", "1..6", *([] if order is None else ["--order", order]), CLASSICS, "-o", path)
    assert target.read_bytes() == path.read_bytes() and book.positions > 0
    assert book.white + book.black == book.positions and book.empty is None


def test_options_of_books(tmp_path, program):
    cases = [
        (dict(last=True, where="WhiteElo or ply > 3"), ["--last", "--where", "WhiteElo or ply > 3"]),
        (dict(ply=4, variations=True, ops="none"), ["--ply", "4", "--variations", "--ops", "none"]),
        (dict(pieces=(30, None), omit=["check", "start"]), ["--pieces", "30..", "--omit", "check,start"]),
        (dict(sample=5, seed=3, min_score=0.25), ["--sample", "5", "--seed", "3", "--min-score", "0.25"]),
    ]
    for options, arguments in cases:
        target, path = tmp_path / "book.epd", tmp_path / "expected.epd"
        pgn2epd.book(CLASSICS, target, **options)
        program("book", *arguments, CLASSICS, "-o", path)
        assert target.read_bytes() == path.read_bytes(), options
    for kind, text, options in [
        (TypeError, "unexpected keyword argument 'plies'", dict(plies=3)),
        (ValueError, "min_score=.*a share from 0 to 1", dict(min_score=3)),
        (ValueError, "choose from input, count", dict(order="size")),
        (ValueError, "where", dict(where="elo >")),
        (ValueError, "no ply is both", dict(ply=(9, 3))),
    ]:
        with pytest.raises(kind, match=text):
            pgn2epd.book(CLASSICS, tmp_path / "book.epd", **options)
    with pytest.raises(ValueError, match="unknown suffix .doc"):
        pgn2epd.book(CLASSICS, tmp_path / "book.doc")


def test_sources(tmp_path, monkeypatch):
    data = CLASSICS.read_bytes()
    expected = [str(record) for record in pgn2epd.records(CLASSICS)]
    for source in [data, memoryview(data), bytearray(data), io.BytesIO(data), str(CLASSICS), [CLASSICS]]:
        assert [str(record) for record in pgn2epd.records(source)] == expected, type(source)
    for name in ["b.pgn", "a.pgn", "x[1].pgn"]:
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    files = [record.game.file for record in pgn2epd.records("?.pgn", last=True)]
    assert files == ["a.pgn"] * 3 + ["b.pgn"] * 3
    assert len(list(pgn2epd.records("**/*.pgn", last=True))) == 9
    assert len(list(pgn2epd.records("x[1].pgn", last=True))) == 3, "a file of that name"
    with pytest.raises(FileNotFoundError, match="no file matches"):
        pgn2epd.records("*.epd")


@pytest.mark.parametrize("text", ["1. e4 e5 *", '[White "A"]\n\n1. e4 *', '[White "A"] 1. e4 *', "e4 e5\n" * 2000])
def test_a_game_in_place_of_a_path_is_told_apart(text):
    with pytest.raises(ValueError, match=r"looks like a game: give text.encode\(\)"):
        pgn2epd.records(text)
