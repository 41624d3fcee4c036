"""Tables for pyarrow, Polars and DuckDB."""

import datetime
import io

import pyarrow
import pyarrow.compute
import pyarrow.parquet
import pytest

import pgn2epd

from conftest import CORPUS, FIXTURES, corpus_file

IMMORTAL = FIXTURES / "immortal.pgn"

TYPES = {
    "check": pyarrow.bool_(),
    "clock": pyarrow.float64(),
    "elo": pyarrow.float64(),
    "eval": pyarrow.int32(),
    "game": pyarrow.int64(),
    "key": pyarrow.uint64(),
    "line": pyarrow.int64(),
    "move": pyarrow.int32(),
    "pieces": pyarrow.int32(),
    "plies": pyarrow.int32(),
    "ply": pyarrow.int32(),
}


DEFAULT = ["game", "ply", "fen", "san", "uci", "turn", "eval_cp", "mate", "depth", "time", "clock", "result", "white_elo", "black_elo",
           "eco", "opening"]


def test_the_default_columns_are_those_of_the_documentation():
    table = pyarrow.table(pgn2epd.to_arrow(IMMORTAL))
    assert table.column_names == DEFAULT
    assert table.num_rows == 46
    row = table.slice(1, 1).to_pylist()[0]
    assert {name: value for name, value in row.items() if value is not None} == {
        "game": 1, "ply": 1, "fen": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "san": "e5", "uci": "e7e5",
        "turn": "b", "result": "1-0", "eco": "B00", "opening": "King's Pawn Game",
    }
    assert table["san"][-1].as_py() is None


def test_a_parquet_file_has_the_same_table(tmp_path):
    path = tmp_path / "positions.parquet"
    names = ["fen", "White", "move=uci", "packed", "eval_cp"]
    for columns in (None, names, ",".join(names)):
        summary = pgn2epd.to_parquet(FIXTURES / "engines.pgn", path, columns)
        table = pyarrow.table(pgn2epd.to_arrow(FIXTURES / "engines.pgn", columns))
        assert pyarrow.parquet.read_table(path) == table
        assert table.num_rows == summary.positions > 0
    assert table.schema.field("packed").type == pyarrow.binary(32)
    with pytest.raises(ValueError, match="did you mean fen or FEN"):
        pgn2epd.to_parquet(IMMORTAL, path, ["fne"])
    with pytest.raises(TypeError, match="format"):
        pgn2epd.to_parquet(IMMORTAL, path, format="csv")


def test_every_column_has_its_type():
    names = ["check", "clock", "eco", "elo", "epd", "eval", "fen", "file", "game", "key", "line", "move", "nags", "opening",
             "pieces", "plies", "ply", "record", "san", "turn", "uci", "White", "Nothing"]
    source = pgn2epd.to_arrow(b'[White "W"] 1. e4 $1 !? { [%eval 0.3] [%clk 0:01:02.5] } e5 *', names)
    table = pyarrow.table(source)
    table.validate(full=True)
    for name in names:
        assert table.schema.field(name).type == TYPES.get(name, pyarrow.large_string()), name
    row = table.to_pylist()[1]
    assert (row["clock"], row["eval"], row["White"], row["Nothing"]) == (62.5, -30, "W", None)
    assert (row["key"], row["turn"], row["file"]) == (0x823C9B50FD114196, "b", "<bytes>")
    assert (row["check"], row["elo"], row["pieces"], row["plies"]) == (False, None, 32, 2)
    assert row["nags"] == "$1 $5"
    assert (row["eco"], row["opening"]) == ("B00", "King's Pawn Game")
    assert pyarrow.schema(source) == table.schema
    assert source.columns == names
    assert source.summary.positions == 3


def test_a_table_of_games_has_lists(tmp_path):
    names = ["White", "date", "termination", "plies", "san", "clock"]
    pgn = b'[White "W"]\n[Date "2024.02.29"]\n\n1. f3 { [%clk 0:01:02.5] } e5 2. g4 Qh4# 0-1\n\n1. e4 *\n'
    source = pgn2epd.to_arrow(pgn, names, rows="games")
    table = pyarrow.table(source)
    table.validate(full=True)
    assert source.columns == table.column_names == names
    assert table.schema.field("date").type == pyarrow.date32()
    assert table.schema.field("san").type == pyarrow.large_list(pyarrow.field("item", pyarrow.large_string()))
    assert table.to_pylist() == [
        {"White": "W", "date": datetime.date(2024, 2, 29), "termination": "checkmate", "plies": 4, "san": ["f3", "e5", "g4", "Qh4#"],
         "clock": [None, 62.5, None, None, None]},
        {"White": None, "date": None, "termination": None, "plies": 1, "san": ["e4"], "clock": [None, None]},
    ]
    assert (source.summary.games, source.summary.positions) == (2, 7)
    path = tmp_path / "games.parquet"
    pgn2epd.to_parquet(pgn, path, names, rows="games")
    assert pyarrow.parquet.read_table(path) == table
    assert "uci" in pyarrow.table(pgn2epd.to_arrow(pgn, rows="games")).column_names
    with pytest.raises(ValueError, match="problem is not for positions"):
        pgn2epd.to_parquet(pgn, path, ["problem"])
    with pytest.raises(ValueError, match="are for positions"):
        pgn2epd.to_arrow(pgn, rows="games", unique=True)


def test_pyarrow_reads_batch_by_batch():
    pgn = IMMORTAL.read_bytes() * 500
    reader = pyarrow.RecordBatchReader.from_stream(pgn2epd.to_arrow(pgn, chunk_bytes=20_000))
    sizes = [batch.num_rows for batch in reader]
    assert len(sizes) > 5 and sum(sizes) == 500 * 46


def test_a_table_is_computed_each_time_it_is_read():
    source = pgn2epd.to_arrow(IMMORTAL)
    assert pyarrow.table(source) == pyarrow.table(source)
    once = pgn2epd.to_arrow(io.BytesIO(IMMORTAL.read_bytes()))
    assert pyarrow.table(once).num_rows == 46
    with pytest.raises(Exception, match="once"):
        pyarrow.table(once)


def test_an_empty_input_is_an_empty_table():
    for source in (b"", []):
        table = pyarrow.table(pgn2epd.to_arrow(source))
        assert table.num_rows == 0 and table.column_names == DEFAULT


def test_polars_reads_it():
    polars = pytest.importorskip("polars", reason="Polars is not installed")
    source = pgn2epd.to_arrow(IMMORTAL, ["ply", "uci", "White"])
    frame = polars.DataFrame(source)
    assert frame.shape == (46, 3)
    assert frame["uci"].to_list() == pyarrow.table(source)["uci"].to_pylist()
    assert frame["White"].unique().to_list() == ["Anderssen, Adolf"]


def test_duckdb_reads_it():
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    source = pgn2epd.to_arrow(FIXTURES / "classics.pgn", ["game", "ply", "epd", "White"])  # noqa: F841
    rows = duckdb.sql("select game, max(ply) from source group by game order by game").fetchall()
    table = pyarrow.table(source)
    expected = table.group_by("game").aggregate([("ply", "max")]).sort_by("game").to_pylist()
    assert rows == [(row["game"], row["ply_max"]) for row in expected]


def test_the_readers_agree_on_real_games():
    polars = pytest.importorskip("polars", reason="Polars is not installed")
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    path = corpus_file("lichess_2025-05_first219.pgn")
    columns = ["game", "ply", "fen", "uci", "eval", "clock", "eco", "Result"]
    source = pgn2epd.to_arrow(path, columns, problems=[])
    table = pyarrow.table(source)
    table.validate(full=True)
    assert table.num_rows == 14363 + 219
    assert polars.DataFrame(source).to_arrow().cast(table.schema) == table.combine_chunks()
    sums = duckdb.sql("select count(*), sum(ply), count(eval), sum(eval), count(distinct fen) from source").fetchall()[0]
    expected = (table.num_rows, pyarrow.compute.sum(table["ply"]).as_py(), len(table) - table["eval"].null_count,
                pyarrow.compute.sum(table["eval"]).as_py(), len(table["fen"].unique()))
    assert sums == expected


def test_a_reader_of_python_objects_gets_advice():
    table = pgn2epd.to_arrow(b"1. e4 *", ["ply", "a=White"])
    with pytest.raises(TypeError, match=r"pandas\.DataFrame\.from_arrow"):
        iter(table)
    assert "<td>ply</td><td>Int32</td>" in table._repr_html_()
    shown = pgn2epd.convert(b"1. e4 e5 *", io.BytesIO())._repr_html_()
    assert "<td>positions</td><td>3</td>" in shown and "warnings" not in shown
