"""The output of the package equals that of the program, byte for byte."""

import io
import re

import pyarrow
import pytest

import pgn2epd

from conftest import FIXTURES, files

# Options of the command line, and the equivalent keyword arguments.
OPTIONS = [
    ([], {}),
    (["--registers", "delta"], {"registers": "delta"}),
    (["--format", "fen", "-j", "1"], {"format": "fen", "jobs": 1}),
    (["--ops", "ce,sm,pv", "--add", "c9={Result}"], {"ops": ["ce", "sm", "pv"], "add": ["c9={Result}"]}),
    (["--registers", "full", "--ply", "4..20"], {"registers": "full", "ply": (4, 20)}),
    (["--unique", "--ep", "legal", "--limit", "3000"], {"unique": True, "ep": "legal", "limit": 3000}),
    (["--where", "ply >= 10 and White ~ 'a'".replace("'", '"'), "--on-error", "skip"],
     {"where": 'ply >= 10 and White ~ "a"', "on_error": "skip"}),
    (["--variations", "--format", "crafty"], {"variations": True, "format": "crafty"}),
    (["--preset", "tuning", "--ep", "always"], {"preset": "tuning", "ep": "always"}),
    (["--sample", "100", "--seed", "5", "--names", "tags"], {"sample": 100, "seed": 5, "names": "tags"}),
    (["--format", "perl"], {"format": "perl"}),
]


def with_default(program, *arguments):
    """Runs the program with the default of iterators and tables for registers, which is not that of the program."""
    if "--registers" in arguments:
        return program(*arguments)
    try:
        return program("--registers", "full", *arguments)
    except AssertionError as refused:
        # Formats without registers refuse the option.
        assert "--registers is for" in str(refused)
        return program(*arguments)


@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_all_functions_return_the_records_of_the_program(path, program, tmp_path):
    for arguments, named in OPTIONS:
        expected, said = program(*arguments, path)
        target = tmp_path / "out"
        # A run without records leaves an old file as it is.
        target.unlink(missing_ok=True)
        problems = []
        summary = pgn2epd.convert(path, target, problems=problems, **named)
        assert (target.read_bytes() if target.exists() else b"") == expected, arguments
        # Problems have a line and a column; the note about long comments of a file has neither.
        reported = [line for line in said.splitlines() if re.match(rf"{re.escape(str(path))}:\d+:", line)]
        assert [str(problem) for problem in problems] == reported, arguments
        assert summary.errors == sum(problem.severity == "error" for problem in problems)

        full, _ = with_default(program, *arguments, path)
        lines = [line for line in full.decode().split("\n") if line]
        table = pyarrow.table(pgn2epd.to_arrow(path, ["record"], problems=[], **named))
        assert table["record"].to_pylist() == lines, arguments
        if named.get("preset") != "tuning":
            assert [str(record) for record in pgn2epd.records(path, problems=[], **named)] == lines, arguments


def test_bytes_and_file_objects_and_lists_are_inputs(program, tmp_path):
    paths = [FIXTURES / "immortal.pgn", FIXTURES / "classics.pgn"]
    expected, _ = program(*paths)
    inputs = [
        paths,
        [path.read_bytes() for path in paths],
        [open(path, "rb") for path in paths],
        [str(paths[0]), io.BytesIO(paths[1].read_bytes())],
        [io.BytesIO(paths[0].read_bytes()), paths[1]],
        [pgn2epd.ByteRange(paths[0].read_bytes(), 0, 1 << 40), pgn2epd.ByteRange(paths[1], 0, 1 << 40)],
    ]
    for source in inputs:
        out = io.BytesIO()
        pgn2epd.convert(source, out)
        assert out.getvalue() == expected
    expected, _ = with_default(program, *paths)
    records = pgn2epd.records([path.read_bytes() for path in paths])
    assert "".join(f"{record}\n" for record in records).encode() == expected
    assert records.summary.games == 4


@pytest.mark.parametrize("arguments, named", [
    (["--split", "train=0.9,test=0.1", "--shuffle", "--format", "fen", "--compress", "zstd"],
     {"split": "train=0.9,test=0.1", "shuffle": True, "format": "fen", "compress": "zstd"}),
    (["--split", "a=0.5,b=0.5", "--rows-per-file", "20", "--unique"],
     {"split": "a=0.5,b=0.5", "rows_per_file": 20, "unique": True}),
    (["--rows-per-file", "20"], {"rows_per_file": 20}),
    (["--split", "a=0.5,b=0.5", "--columns", "fen,san", "--format", "parquet"],
     {"split": "a=0.5,b=0.5", "columns": ["fen", "san"], "format": "parquet"}),
])
def test_several_files_are_those_of_the_program(arguments, named, program, tmp_path):
    source = FIXTURES / "classics.pgn"
    for folder in ("theirs", "ours"):
        (tmp_path / folder).mkdir()
    program(*arguments, source, "-o", tmp_path / "theirs" / "folder")
    pgn2epd.convert(source, tmp_path / "ours" / "folder", **named)

    def contents(folder):
        files = [path for path in folder.rglob("*") if path.is_file()]
        return {str(path.relative_to(folder)): path.read_bytes() for path in files}

    written = contents(tmp_path / "ours")
    assert len(written) > 1
    assert written == contents(tmp_path / "theirs")


@pytest.mark.parametrize("name", ["x.epd", "x.FEN", "x.fen.zst", "x.csv", "x.jsonl.gz", "x.arrow", "x.parquet"])
def test_the_name_of_a_file_selects_its_format(name, program, tmp_path):
    source = FIXTURES / "classics.pgn"
    program(source, "-o", tmp_path / name)
    expected = (tmp_path / name).read_bytes()
    pgn2epd.convert(source, tmp_path / name)
    assert (tmp_path / name).read_bytes() == expected
    assert (expected[:4] == b"PAR1") == name.endswith(".parquet")
    for other in ("y.csv", "y.binpack", "y.bin"):
        with pytest.raises(ValueError, match=f"{other} is .*, but the format is epd"):
            pgn2epd.convert(source, tmp_path / other, format="epd")
        assert not (tmp_path / other).exists()


def test_opening_tables_are_read(program, tmp_path):
    table = tmp_path / "mine.tsv"
    table.write_text("eco\tname\tpgn\nA00\tMine: My Own\t1. e4\n")
    pgn = FIXTURES / "immortal.pgn"
    for tables in ([table], ["default", table]):
        arguments = [part for one in tables for part in ("--openings", one)]
        expected, _ = program(*arguments, pgn)
        out = io.BytesIO()
        pgn2epd.convert(pgn, out, openings=tables if len(tables) > 1 else tables[0])
        assert out.getvalue() == expected
        assert b"My Own" in expected
