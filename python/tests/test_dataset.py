"""Data sets: files that are read in ranges."""

import functools
import gzip
import io
import pickle
import random
import struct
import zlib

import chess.pgn
import pyarrow
import pytest

import pgn2epd
from pgn2epd import _dataset

from conftest import FIXTURES

COLUMNS = ["file", "offset", "ply", "fen", "uci", "White"]


@functools.cache
def games(count, comment=""):
    """Games that differ, of random legal moves."""
    random.seed(count)
    text = []
    for number in range(count):
        board, moves = chess.Board(), []
        for _ in range(random.randrange(2, 30)):
            if not (legal := list(board.legal_moves)):
                break
            moves.append(board.san_and_push(random.choice(legal)))
        text.append(f'[White "W{number}"]\n[Black "Müller"]\n\n{" ".join(moves)} {comment} *\n\n')
    return "".join(text).encode()


def bgzip(text, size=5_000):
    """Gzip in blocks that say how long they are."""
    blocks = []
    for at in [*range(0, len(text), size), len(text)]:
        packer = zlib.compressobj(wbits=-15)
        part = text[at : at + size]
        data = packer.compress(part) + packer.flush()
        head = struct.pack("<4BI2BH2BHH", 31, 139, 8, 4, 0, 0, 255, 6, 66, 67, 2, len(data) + 25)
        blocks.append(head + data + struct.pack("<II", zlib.crc32(part), len(part)))
    return b"".join(blocks)


def frames(text, size=5_000):
    """Zstandard in frames, with a table of their sizes at the end."""
    parts = [text[at : at + size] for at in range(0, len(text), size)]
    stored = [pyarrow.Codec("zstd").compress(part, asbytes=True) for part in parts]
    table = b"".join(struct.pack("<2I", len(frame), len(part)) for frame, part in zip(stored, parts))
    head, end = struct.pack("<2I", 0x184D2A5E, len(table) + 9), struct.pack("<IBI", len(parts), 0, 0x8F92EAB1)
    return b"".join([*stored, head, table, end])


def rows(data):
    return data.to_reader().read_all().to_pylist()


@pytest.mark.parametrize(("suffix", "pack"), [("", bytes), (".gz", bgzip), (".zst", frames), (".gz", gzip.compress)])
def test_a_game_is_where_its_offset_says(tmp_path, suffix, pack):
    text = games(200)
    path = tmp_path / f"games.pgn{suffix}"
    path.write_bytes(pack(text))
    for size in (3_000, 17_001, None):
        data = pgn2epd.dataset(path, COLUMNS, size=size)
        assert (len(data.parts()) > 1) == (size is not None and pack is not gzip.compress)
        found = rows(data)
        offsets = {row["offset"]: [] for row in found}
        assert len(offsets) == 200
        for row in found:
            assert row["file"] == str(path)
            offsets[row["offset"]].append(row["uci"])
        for offset, moves in offsets.items():
            game = chess.pgn.read_game(io.StringIO(text[offset:].decode()))
            assert [move.uci() for move in game.mainline_moves()] == moves[:-1]


@pytest.mark.parametrize("form", ["epd", "fen", "csv", "jsonl", "parquet"])
def test_every_source_can_be_read_in_ranges(tmp_path, form):
    path = tmp_path / f"positions.{form}"
    columns = {"columns": ["fen", "result"]} if form in ("csv", "jsonl", "parquet") else {}
    pgn2epd.convert(games(200).replace(b" *", b" 1-0"), path, format=form, **columns)
    data = pgn2epd.dataset(path, ["fen", "result"], size=5_000)
    assert (len(data.parts()) > 5) == (form != "parquet")
    assert rows(data) == pyarrow.table(pgn2epd.to_arrow(path, ["fen", "result"])).to_pylist() != []


def test_rows_are_those_of_the_whole_file_in_their_order(tmp_path):
    paths = [tmp_path / "a.pgn", tmp_path / "b.pgn", FIXTURES / "bad.pgn", FIXTURES / "annotated.pgn"]
    for path, text in zip(paths, [games(300), games(200, "{ a comment [Event \"no\"] }")]):
        path.write_bytes(text)
    for options in ({}, {"ply": (3, 9)}, {"last": True, "ep": "legal"}, {"where": 'White != "W7"'}, {"on_error": "skip"}):
        expected = pyarrow.table(pgn2epd.to_arrow(paths, COLUMNS, problems=[], **options)).to_pylist()
        for size in (1_000, 50_000):
            with pytest.warns(pgn2epd.PgnWarning):
                assert rows(pgn2epd.dataset(paths, COLUMNS, size=size, **options)) == expected


def test_numbers_that_need_everything_before_are_refused_in_ranges():
    paths = [FIXTURES / "classics.pgn", FIXTURES / "chess960.pgn"]
    for columns in ("game", "fen,line"):
        with pytest.raises(ValueError, match="file and offset"):
            pgn2epd.dataset(paths, columns)
    numbers = {(row["file"], row["game"]) for row in rows(pgn2epd.dataset(paths, ["file", "game"], size=None))}
    assert sorted(numbers) == [(str(path), game) for path in sorted(paths) for game in (1, 2, 3)]
    assert pgn2epd.dataset(paths).schema.names[:4] == ["file", "offset", "ply", "fen"]


def test_names_are_literal_unless_they_are_patterns_that_no_file_has(tmp_path):
    for name in ("games 1.pgn", "games [1].pgn", "deep/er/x.pgn", "deep/er/.hidden.pgn"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"1. e4 *\n")
    for pattern, names in [("games [1].pgn", ["games [1].pgn"]), ("games ?.pgn", ["games 1.pgn"]), ("d*/*/*.pgn", ["deep/er/x.pgn"])]:
        for prefix in ("", "file://"):
            files = pgn2epd.dataset(f"{prefix}{tmp_path}/{pattern}").files
            assert [name for name, _ in files] == [f"{prefix}{tmp_path}/{name}" for name in names]
    for name, kind in [("nothing.pgn", FileNotFoundError), ("no*.pgn", FileNotFoundError), ("deep", IsADirectoryError)]:
        with pytest.raises(kind):
            pgn2epd.dataset(tmp_path / name)


def test_only_what_is_needed_of_an_object_is_read(tmp_path, monkeypatch):
    path = tmp_path / "games.pgn"
    path.write_bytes(games(200, "{comment}") * 60)
    read = []

    class Counting(_dataset._Object):
        def read(self, size=-1):
            data = super().read(size)
            read.append(len(data))
            return data

    monkeypatch.setattr(_dataset, "_Object", Counting)
    monkeypatch.setattr(_dataset, "REQUEST", 4096)
    data = pgn2epd.dataset(f"file://{path}", COLUMNS, size=50_000)
    parts = data.parts()
    assert len(parts) > 5
    read.clear()
    table = pyarrow.Table.from_batches(data.read(parts[4]), data.schema)
    assert sum(read) * 2 < path.stat().st_size
    alone = pgn2epd.dataset(path, COLUMNS, size=50_000)
    expected = [{**row, "file": f"file://{path}"} for row in pyarrow.Table.from_batches(alone.read(alone.parts()[4])).to_pylist()]
    assert table.to_pylist() == expected != []
    assert rows(data) == [{**row, "file": f"file://{path}"} for row in rows(alone)]


def test_ranges_are_sources_of_all_functions():
    text = games(100)
    parts = pgn2epd.splits(text, 1_000)
    assert (parts[0].start, parts[-1].end) == (0, len(text)) and len(parts) > 5
    assert sum(len(list(pgn2epd.games(part))) for part in parts) == 100
    records = [record.epd for part in parts for record in pgn2epd.records(part)]
    assert records == [record.epd for record in pgn2epd.records(text)]
    file = io.BytesIO(text)
    assert [record.epd for part in pgn2epd.splits(file, 1_000) for record in pgn2epd.records(part)] == records
    problems = []
    bad = b"1. e4 *\n\n" * 50 + b'[White "W"]\n\n1. e5 *\n'
    pgn2epd.convert(pgn2epd.ByteRange(bad, 100, len(bad)), io.BytesIO(), problems=problems)
    [problem] = problems
    assert (problem.byte, problem.line, problem.game) == (bad.index(b"e5 *"), None, None)
    assert problem.message.startswith("<bytes>@108:")


def test_every_file_that_cannot_be_read_is_a_problem(tmp_path):
    torn = []
    for number in range(2):
        torn.append(tmp_path / f"{number}.pgn.gz")
        torn[-1].write_bytes(gzip.compress(games(200))[:-100])
    paths = [torn[0], FIXTURES / "bad.pgn", torn[1]]
    found = rows(pgn2epd.dataset(paths, rows="problems"))
    assert [row["file"] for row in found if row["kind"] == "unreadable"] == list(map(str, torn))
    listed = []
    pgn2epd.convert(paths[1], io.BytesIO(), problems=listed)
    assert [row["message"] for row in found if row["kind"] != "unreadable"] == list(map(str, listed))
    totals = rows(pgn2epd.dataset(paths, rows="totals"))
    assert [row["games"] for row in totals] == [None, 11, None]
    assert totals[1]["errors"] == sum(problem.severity == "error" for problem in listed) and totals[0]["failure"]
    with pytest.raises(OSError, match="cannot read .*0.pgn.gz"):
        pgn2epd.dataset(paths).to_reader().read_all()


def test_what_can_be_read_of_damaged_files_is_used_on_request(tmp_path):
    whole = games(200) * 20
    packed = bytearray(gzip.compress(whole))
    packed[-6] ^= 1
    (tmp_path / "a.pgn.gz").write_bytes(packed)
    (tmp_path / "b.pgn").write_bytes(b"1. e4 *\n")
    paths = [tmp_path / "a.pgn.gz", tmp_path / "b.pgn"]
    with pytest.raises(OSError, match="a.pgn.gz: the gzip data is damaged"):
        rows(pgn2epd.dataset(paths, "fen"))
    with pytest.warns(pgn2epd.PgnWarning, match="a.pgn.gz: the gzip data is damaged"):
        found = rows(pgn2epd.dataset(paths, "fen", on_damage="keep"))
    (tmp_path / "whole.pgn").write_bytes(whole)
    sound = rows(pgn2epd.dataset([tmp_path / "whole.pgn", paths[1]], "fen"))
    assert len(found) == len(sound) > 10


@pytest.mark.parametrize(("options", "kind", "message"), [
    ({"wher": "x"}, TypeError, "Did you mean 'where'"),
    ({"where": "ply >"}, ValueError, "expected"),
    ({"rows": "lines"}, ValueError, "positions, games, problems"),
    ({"unique": True}, ValueError, "depends on all rows"),
    ({"size": 0}, ValueError, "above 0"),
    ({"rows": "problems", "ply": "x"}, ValueError, "ply"),
    ({"rows": "totals", "columns": "fen"}, ValueError, "cannot be chosen"),
])
def test_mistakes_are_found_before_any_work(options, kind, message):
    with pytest.raises(kind, match=message):
        pgn2epd.dataset(FIXTURES / "classics.pgn", **options)


def test_other_engines_read_it():
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    data = pgn2epd.dataset(f"{FIXTURES}/c*.pgn", ["file", "offset", "ply", "epd", "key", "bitboards", "board", "packed"], size=500)
    data = pickle.loads(pickle.dumps(data))
    reader = data.to_reader()  # noqa: F841
    unique = duckdb.sql("select count(distinct epd), count(*) from reader").fetchall()[0]
    frame = polars.from_arrow(data.to_reader())
    assert unique == (frame["epd"].n_unique(), len(frame)) and len(frame) == 154
    whole = pyarrow.table(pgn2epd.to_arrow(FIXTURES / "classics.pgn", ["key", "board"]))
    signed = [key - (1 << 64) if key >= 1 << 63 else key for key in whole["key"].to_pylist()]
    assert frame.filter(polars.col("file").str.ends_with("classics.pgn"))["key"].to_list() == signed


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("s3://AKID:SECRET@games/{}?scheme=http&endpoint_override=SECRET", "s3://games/{}"),
        ("s3a://AKID:SECRET@games/{}", "s3a://games/{}"),
        ("gs://SECRET@games/{}?retry_limit_seconds=1&x-SECRET=2", "gs://games/{}"),
        ("https://user:SECRET@host:80/{}?X-Amz-Signature=SECRET", "https://host:80/{}"),
        ("https://host/{}?sig=SECRET", "https://host/{}"),
        ("abfss://games:SECRET@account.dfs.core.windows.net/{}?token=SECRET", "abfss://games@account.dfs.core.windows.net/{}"),
        ("hdfs://SECRET@host:8020/{}", "hdfs://host:8020/{}"),
    ],
)
def test_keys_of_an_address_are_in_no_row_and_no_message(tmp_path, monkeypatch, capfd, address, public):
    store = pyarrow.fs.SubTreeFileSystem(str(tmp_path), pyarrow.fs.LocalFileSystem())
    asked = []
    monkeypatch.setattr(_dataset, "_system", lambda uri: asked.append(uri) or (store, ""))
    (tmp_path / "good.pgn").write_bytes(games(20))
    (tmp_path / "bad.pgn").write_bytes(b"1. e4 e4 *")
    (tmp_path / "packed.pgn.gz").write_bytes(gzip.compress(games(50)))
    names = [public.format(name) for name in ("bad.pgn", "packed.pgn.gz", "good.pgn")]
    said = []
    with pytest.warns(pgn2epd.PgnWarning) as warned:
        for pattern in ("good.pgn", "*"):
            data = pgn2epd.dataset(address.format(pattern), ["file", "fen"], size=500, on_damage="keep")
            found = {row["file"] for row in rows(data)}
            assert found == set(names if pattern == "*" else names[2:])
            said += [found, data.parts(), data.files, repr(data)]
        for kind in ("problems", "totals"):
            data = pgn2epd.dataset(address.format("*"), rows=kind, on_damage="keep")
            said.append(rows(data))
            assert {row["file"] for row in said[-1]} >= set(names[:1])
    for wrong in ("none.pgn", "none*.pgn", ""):
        with pytest.raises(OSError) as error:
            pgn2epd.dataset(address.format(wrong))
        said += [str(error.value), repr(error.value.__cause__)]
    (tmp_path / "cut.pgn.gz").write_bytes(gzip.compress(games(50))[:500])
    with pytest.raises(OSError) as error:
        rows(pgn2epd.dataset(address.format("cut.pgn.gz")))
    said += [str(error.value), *(str(warning.message) for warning in warned), *capfd.readouterr()]
    assert "SECRET" not in str(said) and "AKID" not in str(said)
    # The store gets all of it, and so does a process that reads a part.
    assert all(address.partition("/{}")[0].replace("s3a", "s3") in uri for uri in asked) and "SECRET" in str(asked)
    data = pickle.loads(pickle.dumps(data))
    assert len([list(data.read(part)) for part in data.parts()]) == len(data.parts())


@pytest.mark.parametrize("address", ["s3://AKID:SE/SECRET@games/x.pgn", "foo://u:SECRET@host/x.pgn?k=SECRET", "http://u:SECRET@h/x?SECRET=1", "s3://u:SECRET@games/x?SECRET=1"])
def test_keys_of_a_wrong_address_are_not_in_its_message(address):
    for read in (pgn2epd.dataset, pgn2epd.to_arrow, pgn2epd.Explorer, lambda path: list(pgn2epd.records(path))):
        with pytest.raises((ValueError, OSError)) as error:
            read(address)
        assert "SECRET" not in str(error.value) and "AKID" not in str(error.value)


def test_a_name_with_two_users_is_refused(tmp_path, monkeypatch):
    store = pyarrow.fs.SubTreeFileSystem(str(tmp_path), pyarrow.fs.LocalFileSystem())
    monkeypatch.setattr(_dataset, "_system", lambda uri: (store, ""))
    (tmp_path / "a.pgn").write_bytes(games(2))
    with pytest.raises(ValueError, match="s3://games/a.pgn is named twice"):
        pgn2epd.dataset(["s3://a:b@games/a.pgn", "s3://c:d@games/a.pgn"])
