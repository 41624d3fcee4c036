"""Errors are never silent, and are reported as Python exceptions and values."""

import copy
import errno
import gzip
import inspect
import io
import pickle
import re
import warnings

import pyarrow
import pytest

import pgn2epd

from conftest import FIXTURES

BAD = FIXTURES / "bad.pgn"
CLASSICS = FIXTURES / "classics.pgn"


def test_problems_become_warnings_without_a_receiver():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        list(pgn2epd.records(BAD))
    assert {warning.category for warning in caught} == {pgn2epd.PgnWarning}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        problems, reported = [], []
        list(pgn2epd.records(BAD, problems=problems))
        pgn2epd.convert(BAD, io.BytesIO(), problems=reported.append)
    assert reported == problems
    assert [str(warning.message) for warning in caught] == [str(problem) for problem in problems]
    first = problems[0]
    assert (first.file, first.line, first.column, first.game) == (str(BAD), 6, 37, 1)
    assert (first.white, first.black, first.move, first.token) == ("Pinner", "Pinned", "4...", "Nd4")
    assert (first.severity, first.kind) == ("error", "illegal-move")
    assert first.reason == "illegal: the knight on c6 is pinned to the king on e8 by the bishop on b5"


def test_warnings_that_are_errors_end_the_run(tmp_path):
    target = tmp_path / "out.epd"
    target.write_text("old")
    with warnings.catch_warnings():
        warnings.simplefilter("error", pgn2epd.PgnWarning)
        with pytest.raises(pgn2epd.PgnWarning):
            list(pgn2epd.records(BAD))
        with pytest.raises(pgn2epd.PgnWarning):
            pgn2epd.convert(BAD, target)
        table = pgn2epd.to_arrow(BAD)
        with pytest.raises(Exception, match="Nd4"):
            pyarrow.table(table)
        assert isinstance(table.error, pgn2epd.PgnWarning)
    assert target.read_text() == "old"


def test_repeated_warnings_are_folded():
    pgn = b'[White "A"]\n\n1. e5 *\n\n' * 250 + b"1. e4 $ *\n\n" * 2
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        list(pgn2epd.records(pgn))
    told = [str(warning.message) for warning in caught]
    assert sum("e5: illegal" in text for text in told) == 10
    assert told[-1] == "240 more problems (illegal-move 240): problems=[] collects them all"


def test_stop_raises_the_first_error_after_the_records_before_it(tmp_path, program):
    expected, _ = program("--on-error", "stop", "--registers", "full", BAD)
    target = tmp_path / "out.epd"
    with pytest.raises(pgn2epd.PgnError) as caught:
        pgn2epd.convert(BAD, target, on_error="stop", registers="full")
    assert target.read_bytes() == expected
    error = caught.value
    assert (error.file, error.line, error.column, error.game) == (str(BAD), 6, 37, 1)
    assert error.reason.startswith("illegal: the knight on c6 is pinned")
    assert str(error) == error.problem.message
    again = pickle.loads(pickle.dumps(error))
    assert again.problem == error.problem and copy.copy(error).line == 6

    seen = []
    with pytest.raises(pgn2epd.PgnError):
        for record in pgn2epd.records(BAD, on_error="stop"):
            seen.append(str(record))
    assert "".join(f"{line}\n" for line in seen).encode() == expected

    table = pgn2epd.to_arrow(BAD, on_error="stop")
    with pytest.raises(Exception, match="game 1"):
        pyarrow.table(table)
    assert isinstance(table.error, pgn2epd.PgnError) and table.error.line == 6


def test_wrong_arguments_are_reported_before_reading():
    cases = [
        (TypeError, r"records\(\) got an unexpected keyword argument 'colour'", {"colour": 1}),
        (TypeError, r"argument 'wher'\. Did you mean 'where'\?", {"wher": "ply > 3"}),
        (ValueError, 'ep="never": choose from always, pseudo, legal', {"ep": "never"}),
        (ValueError, "where=", {"where": "elo >"}),
        (ValueError, "seed is for sample, shuffle", {"seed": 1}),
        (ValueError, "no ply is both 9 or later and 3 or earlier", {"ply": (9, 3)}),
        (ValueError, 'limit="1.5": write a whole number', {"limit": 1.5}),
        (TypeError, "limit takes a str, a number, a bool or a path, not set", {"limit": {1}}),
        (TypeError, "problems is a list", {"problems": 3}),
        (ValueError, "for labels take convert or to_arrow", {"format": "bullet"}),
        (ValueError, 'openings is for names="table"', {"names": "off", "openings": "x"}),
        (FileNotFoundError, "nowhere.tsv", {"openings": "nowhere.tsv"}),
    ]
    for kind, text, options in cases:
        with pytest.raises(kind, match=text):
            pgn2epd.records(b"1. e4 *", **options)
    with pytest.raises(ValueError, match="unknown variable eval-cp; did you mean eval_cp"):
        pgn2epd.to_arrow(b"", ["eval-cp"])
    # The name of an operation, which games do not have.
    with pytest.raises(ValueError, match="where: bm is not known of games"):
        list(pgn2epd.records(b"1. e4 *", where="bm"))
    with pytest.raises(ValueError, match="no tag is called WhitElo; did you mean WhiteElo"):
        pgn2epd.to_arrow(b"", ["WhitElo"])
    assert pgn2epd.to_arrow(b"", ["MyOwnTag"]).columns == ["MyOwnTag"]
    with pytest.raises(ValueError, match="mean"):
        pgn2epd.to_arrow(b"", format="bracket", conflicts="mean")


def test_files_that_cannot_be_read_or_written(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        pgn2epd.records("nowhere.pgn")
    assert caught.value.filename == "nowhere.pgn"
    with pytest.raises(IsADirectoryError):
        pgn2epd.convert(tmp_path, io.BytesIO())
    with pytest.raises(FileNotFoundError):
        pgn2epd.convert(b"1. e4 *", tmp_path / "no" / "folder.epd")
    with pytest.raises(TypeError, match="binary"):
        list(pgn2epd.records(io.StringIO("1. e4 *")))
    with pytest.raises(TypeError, match="not from int"):
        pgn2epd.records(7)
    same = tmp_path / "same.txt"
    same.write_bytes(b"1. e4 *")
    other = tmp_path / "other.txt"
    other.hardlink_to(same)
    with open(same, "rb") as games, open(other, "ab") as records:
        for source in (same, games):
            for target in (same, other, records):
                with pytest.raises(ValueError, match="is the same file as the input"):
                    pgn2epd.convert(source, target)
    assert same.read_bytes() == b"1. e4 *"
    with pytest.raises(ValueError, match="would not be compressed"):
        pgn2epd.convert(same, tmp_path / "out.epd.xz")
    for options in [{}, {"compress": "gzip"}]:
        pgn2epd.convert(same, tmp_path / "out.epd.gz", format="fen", last=True, **options)
        assert gzip.decompress((tmp_path / "out.epd.gz").read_bytes()).startswith(b"rnbqkbnr/")
    with pytest.raises(OSError) as caught:
        pgn2epd.convert(same, "/dev/full")
    assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, "/dev/full")


def test_truncated_input_gives_the_complete_games_before_the_end(tmp_path):
    packed = gzip.compress(b"".join(b'[Round "%d"]\n\n1. e4 e5 *\n\n' % n for n in range(9000)), 1)
    torn = tmp_path / "torn.pgn.gz"
    torn.write_bytes(packed[: len(packed) // 2])
    count = 0
    with pytest.raises(OSError, match=re.escape(f"cannot read {torn}")):
        for _ in pgn2epd.records(torn):
            count += 1
    assert count > 3000 and count % 3 == 0


def test_a_damaged_file_is_an_error_after_what_can_be_read(tmp_path):
    games = [b'[Round "%d"]\n\n1. e4 e5 *\n\n' % n for n in range(2000)]
    games[1000] = b'[Round "1000"]\n\n1. e4 Ke6 *\n\n'
    packed = bytearray(gzip.compress(b"".join(games)))
    damaged = tmp_path / "damaged.pgn.gz"
    whole = tmp_path / "whole.pgn.gz"
    whole.write_bytes(packed)
    # The checksum, before the length.
    packed[-8] ^= 1
    damaged.write_bytes(packed)
    message = re.escape("the gzip data is damaged: corrupt gzip stream does not have a matching checksum")
    expected, output, problems = io.BytesIO(), io.BytesIO(), []
    pgn2epd.convert(whole, expected, problems=[])
    with pytest.raises(OSError, match=message):
        pgn2epd.convert(damaged, output, problems=problems)
    assert output.getvalue() == expected.getvalue() and [problem.game for problem in problems] == [1001]
    seen = 0
    with pytest.raises(OSError, match=message):
        for _ in pgn2epd.records(damaged):
            seen += 1
    assert seen == expected.getvalue().count(b"\n")
    (tmp_path / "x.epd").write_text("old")
    with pytest.raises(OSError, match=message):
        pgn2epd.convert(damaged, tmp_path / "x.epd")
    assert (tmp_path / "x.epd").read_text() == "old"
    with pytest.raises(ValueError, match="choose from stop, keep"):
        pgn2epd.records(damaged, on_damage="ignore")


def test_exceptions_of_a_file_object_are_raised_again(tmp_path):
    class Failing(io.RawIOBase):
        def read(self, size=-1):
            raise KeyError("mine")

        write = None

    with pytest.raises(KeyError, match="mine"):
        list(pgn2epd.records(Failing()))

    class Torn(io.BytesIO):
        def read(self, size=-1):
            return super().read(size) or 1 / 0

    (tmp_path / "x.epd").write_text("old")
    for source in (Torn(b"1. e4 *"), [Torn(b"1. e4 *"), b"1. e4 *"]):
        with pytest.raises(ZeroDivisionError):
            pgn2epd.convert(source, tmp_path / "x.epd")
        assert (tmp_path / "x.epd").read_text() == "old"

    class Full:
        def write(self, data):
            raise BlockingIOError("full")

    with pytest.raises(BlockingIOError, match="full"):
        pgn2epd.convert(FIXTURES / "immortal.pgn", Full())


def test_everything_public_has_a_docstring_and_a_type():
    stub = (FIXTURES.parent / "python" / "package" / "pgn2epd" / "__init__.pyi").read_text()
    for name in pgn2epd.__all__:
        thing = getattr(pgn2epd, name)
        assert inspect.getdoc(thing), name
        if name in ("ByteRange", "Game", "PgnError", "PgnWarning", "PlayedGame", "Problem"):
            continue
        assert re.search(rf"^(class|def) {name}\b|^{name}: |^(from .* import .*\b| +){name} as {name}\b", stub, re.MULTILINE), name
        if inspect.isclass(thing) and not name.endswith("Options"):
            for member in vars(thing):
                if not member.startswith("_"):
                    assert re.search(rf"def {member}\b", stub), f"{name}.{member}"


@pytest.mark.parametrize("run", [
    lambda **options: pgn2epd.convert(CLASSICS, io.BytesIO(), **options),
    lambda **options: list(pgn2epd.records(CLASSICS, **options)),
    lambda **options: pyarrow.table(pgn2epd.to_arrow(CLASSICS, **options)),
], ids=["convert", "records", "to_arrow"])
def test_a_condition_without_matches_gets_a_likely_correction(run):
    for where, expected in [
        ("White = Morphy", 'where: no game has a tag Morphy; to compare with text, quote it: White = "Morphy"'),
        ("WhiteELO > 2500", "where: no game has a tag WhiteELO; did you mean WhiteElo?"),
    ]:
        with pytest.warns(pgn2epd.PgnWarning) as warned:
            run(where=where, problems=[])
        assert [str(warning.message) for warning in warned] == [expected]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run(where='White ~ "Morphy"')
        run(where="ply > 1000")


@pytest.mark.parametrize("options", [{"split": "a=0.5,b=0.5"}, {"rows_per_file": 5}])
def test_options_for_several_files_are_for_paths(options):
    for function in (pgn2epd.to_arrow, pgn2epd.records):
        with pytest.raises(ValueError, match="write several files: use convert"):
            function(b"1. e4 *", **options)
    with pytest.raises(ValueError, match="split and rows_per_file need a folder"):
        pgn2epd.convert(b"1. e4 *", io.BytesIO(), **options)


def test_after_an_exception_a_folder_is_as_before(tmp_path):
    def fail(problem):
        raise KeyError("mine")

    with pytest.raises(KeyError):
        pgn2epd.convert(b"1. e4 Ke6 *", tmp_path / "folder", rows_per_file=1, problems=fail)
    assert not list(tmp_path.iterdir())


def test_no_file_of_a_folder_is_an_input(tmp_path):
    pgn2epd.convert(b"1. e4 *", tmp_path / "x", rows_per_file=5)
    games = tmp_path / "x" / "part-00000.epd"
    before = games.read_text()
    with pytest.raises(ValueError, match="part-00000.epd"):
        pgn2epd.convert(games, tmp_path / "x", rows_per_file=5, overwrite=True)
    assert games.read_text() == before
