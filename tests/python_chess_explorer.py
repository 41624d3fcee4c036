#!/usr/bin/env python3
"""Checks explorer files with a reader written from docs/explorer.md alone, and with the counts of python-chess.

    tests/python_chess_explorer.py [--pgn2epd PROGRAM] [--games N] [--last PLY] [FILE.pgn]...

Without arguments it reads random games, files of fixtures/, and of ../shared/corpus if it exists. Each file is written as an explorer file and as CSV: each
position must be found, with the rows that CSV has, and the file must have no others. A second explorer file, of the first N games (40), is
compared with what `tests/book_naive.py` counts with python-chess, without classes of games and with them. It prints the bytes of each position, and of each look-up.

Exit status: 0 all equal, 1 differences, 77 python-chess or pyarrow, which decompresses, is not installed.
"""

import argparse
import bisect
import csv
import itertools
import json
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import zlib

try:
    import chess
    import chess.pgn
    import pyarrow
    import samples
except ImportError as error:
    print(f"{error}: nothing was compared", file=sys.stderr)
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAGIC = b"pgn2epd counts\n\0"
RESULTS = ["1-0", "0-1", "1/2-1/2", "*"]
SPEEDS = ["ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"]
# The bits of a piece in the first three numbers of a key.
BITS = {chess.PAWN: (0, 1, 0), chess.KNIGHT: (0, 0, 1), chess.BISHOP: (0, 1, 1), chess.ROOK: (1, 0, 0), chess.QUEEN: (1, 1, 0), chess.KING: (1, 0, 1)}


def key_of(board):
    numbers = [0, 0, 0, 0]
    rights = board.clean_castling_rights()
    for square in chess.SQUARES:
        piece = board.piece_at(square)
        if piece is None:
            bits = (0, 0, 0, int(board.turn == chess.BLACK))
            if square == board.ep_square and board.has_legal_en_passant():
                bits = (0, 0, 0, 1 - bits[3])
        else:
            bits = (1, 1, 1) if rights >> square & 1 else BITS[piece.piece_type]
            bits = (*bits, int(piece.color == chess.BLACK))
        numbers = [number | bit << square for number, bit in zip(numbers, bits)]
    return struct.pack(">4Q", *numbers)


class Reader:
    """Reads numbers and texts."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def bytes(self, count):
        part = self.data[self.at : self.at + count]
        assert len(part) == count, "the data ends early"
        self.at += count
        return part

    def number(self):
        number = shift = 0
        while True:
            [byte] = self.bytes(1)
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    def text(self):
        return self.bytes(self.number()).decode()

    def optional(self, read):
        return read() if self.bytes(1)[0] else None

    def place(self, games):
        game, ply, halfmoves, fullmoves, evaluation = (self.number() for _ in range(5))
        return {**games[game], "ply": ply, "clocks": (halfmoves, fullmoves), "eval": evaluation - 32768 if evaluation else None}

    def game(self):
        game = {name: self.number() for name in ["file", "game", "elo_sum", "year", "result"]}
        game["result"] = RESULTS[game["result"]]
        game |= {name: self.text() for name in ["white", "black", "start"]}
        moves = [self.number() for _ in range(self.number())]
        assert len(game["start"]) < 256 and len(moves) < 65536
        members = {"rating": self.number, "speed": lambda: SPEEDS[self.number()], "year": self.number, "month": self.text, "white": self.text, "black": self.text}
        group = self.optional(lambda: {name: self.optional(read) for name, read in members.items()})
        known = {name: value for name, value in (group or {}).items() if value is not None}
        return {**game, "class": "" if group is None else json.dumps(known, separators=(",", ":"))}


class Explorer:
    def __init__(self, path):
        self.file = open(path, "rb")
        self.file.seek(-28, 2)
        trailer_at = self.file.tell()
        length, crc, magic = struct.unpack("<QI16s", self.file.read())
        assert magic == MAGIC
        self.file.seek(trailer_at - length)
        root = self.file.read(length)
        assert zlib.crc32(root + struct.pack("<Q", length)) == crc
        header, pages = root.split(b"\n", 1)
        self.header = json.loads(header)
        self.pages = self.records(pages)
        self.file.seek(0)
        assert self.file.read(20) == MAGIC + struct.pack("<I", 1)
        self.reads, self.parts = [], {}

    def records(self, data):
        return list(struct.iter_unpack("<32sQII", data))

    def part(self, record):
        _, offset, length, crc = record
        self.file.seek(offset)
        data = self.file.read(length)
        assert zlib.crc32(data) == crc
        self.reads.append(length)
        assert data[0] < 2
        return pyarrow.CompressedInputStream(pyarrow.BufferReader(data[1:]), "zstd").read() if data[0] else data[1:]

    def positions(self, record):
        """The positions of a block, not decoded, by key."""
        # As if it had been read each time, which takes Python long.
        self.reads.append(record[2])
        if record not in self.parts:
            self.parts[record] = dict(self.block(self.part(record)))
            self.reads.pop()
        return self.parts[record]

    def last_not_after(self, records, key):
        """The last record whose key is not greater, or all with its key if it is that of the position."""
        index = bisect.bisect_right(records, key, key=lambda record: record[0])
        return [record for record in records[:index] if record[0] == key] or records[max(index - 1, 0) : index]

    def find(self, board):
        key, self.reads = key_of(board), []
        pages = self.last_not_after(self.pages, key)
        blocks = self.last_not_after(self.records(self.part(pages[0])), key) if pages else []
        found = [part for block in blocks if (part := self.positions(block).get(key))]
        return self.joined(found) if found else None

    def joined(self, parts):
        """The counts of a position, which several blocks may have."""
        moves, names = {}, None
        for part in parts:
            names, counts = self.position(*part)
            for (code, group), row in counts:
                moves.setdefault(code & 0x7FFF, {}).setdefault(group, []).append(row)
        return {"names": names, "moves": {code: {group: summed(rows) for group, rows in groups.items()} for code, groups in moves.items()}}

    def __iter__(self):
        for page in self.pages:
            blocks = self.records(self.part(page))
            for _, group in itertools.groupby(blocks, key=lambda record: record[0]):
                positions = {}
                for block in group:
                    for key, position in self.block(self.part(block)):
                        positions.setdefault(key, []).append(position)
                yield from positions.items()

    def block(self, data):
        reader = Reader(data)
        games = [reader.game() for _ in range(reader.number())]
        key = b""
        while reader.at < len(data):
            [shared] = reader.bytes(1)
            key = key[:shared] + reader.bytes(32 - shared)
            yield key, (reader.bytes(reader.number()), games)

    def position(self, data, games):
        reader = Reader(data)
        names = reader.text(), reader.text()
        counts = [self.counts(reader, games) for _ in range(reader.number())]
        assert reader.at == len(reader.data)
        return names, counts

    def counts(self, reader, games):
        """The code of the move and the class, and the counts."""
        is_several, code = reader.number(), reader.number()
        if is_several:
            names = "games", "white", "draws", "black", "rated", "rating_sum", "first_year", "last_year"
            row = {name: reader.number() for name in names}
            row |= {"first": reader.place(games), "strongest": reader.place(games)}
            row["latest"] = reader.optional(lambda: reader.place(games)) or row["strongest"]
        else:
            game = reader.place(games)
            won = lambda result: int(game["result"] == result)
            row = {
                "games": 1, "white": won("1-0"), "draws": won("1/2-1/2"), "black": won("0-1"), "rated": int(game["elo_sum"] > 0),
                "rating_sum": game["elo_sum"], "first_year": game["year"], "last_year": game["year"], "first": game, "strongest": game, "latest": game,
            }
        return (code, row["strongest"]["class"]), row

    def row(self, counts):
        """The columns that the tables of pgn2epd have."""
        first, best = counts["first"], counts["strongest"]
        same = {name: counts[name] for name in ["games", "white", "draws", "black", "rated", "rating_sum"]}
        files = self.header["files"]
        return {
            **same, "first_year": counts["first_year"] or None, "last_year": counts["last_year"] or None,
            "first_file": files[first["file"]], "first_game": first["game"], "first_ply": first["ply"],
            "strongest_file": files[best["file"]], "strongest_game": best["game"], "strongest_ply": best["ply"],
            "strongest_white": best["white"], "strongest_black": best["black"],
            "strongest_elo": best["elo_sum"] / 2 if best["elo_sum"] else None, "strongest_result": best["result"], "eval": first["eval"],
        }


def summed(rows):
    """The sum of counts, of which one has moves with a pinned en passant square."""
    first = min(rows, key=lambda row: [row["first"][name] for name in ("file", "game", "ply")])
    at = lambda game: [game[name] for name in ("file", "game", "ply")]
    names = "games", "white", "draws", "black", "rated", "rating_sum"
    return {
        **{name: sum(row[name] for row in rows) for name in names},
        "first_year": min((row["first_year"] for row in rows if row["first_year"]), default=0), "last_year": max(row["last_year"] for row in rows), "first": first["first"],
        "strongest": min((row["strongest"] for row in rows), key=lambda game: [-game["elo_sum"], *at(game)]),
        "latest": max((row["latest"] for row in rows), key=lambda game: [game["year"], *at(game)]),
    }


def code_of(board, uci):
    """The code of a move in UCI as standard chess has it; 0 for none."""
    if not uci:
        return 0
    move = chess.Move.from_uci(uci)
    target = move.to_square
    if board.is_castling(move):
        # The square of the rook.
        rank = chess.square_rank(move.from_square)
        target = chess.square(7 if board.is_kingside_castling(move) else 0, rank)
    return move.from_square | target << 6 | (move.promotion or 0) << 12


def cell(value, column):
    """A value as text, so that CSV and JSON are equal."""
    if value in (None, ""):
        return ""
    return str(float(value) if column == "strongest_elo" else value)


def compare(name, explorer, epd, rows):
    """Compares the moves of a position: pairs of UCI and columns."""
    board = chess.Board(epd + " 0 1")
    found = explorer.find(board)
    if found is None:
        return [f"{name}: {epd} is not in the file"]
    expected = {code_of(board, uci): columns for uci, columns in rows}
    if set(expected) != set(found["moves"]):
        return [f"{name}: {epd} has other moves"]
    faults = []
    for code, columns in expected.items():
        row = explorer.row(found["moves"][code][""])
        for column, value in row.items():
            if cell(value, column) != cell(columns[column], column):
                faults.append(f"{name}: {epd} {code:#x} {column}: {value}, not {columns[column]}")
        at = found["moves"][code][""]["latest"]
        latest = [explorer.header["files"][at["file"]], at["game"], at["ply"]]
        if columns.get("latest", latest) != latest:
            faults.append(f"{name}: {epd} {code:#x} the most recent game is {latest}, not {columns['latest']}")
    return faults


def grouped(rows):
    groups = {}
    for row in rows:
        groups.setdefault(row["epd"], []).append((row["uci"], row))
    return groups


def class_of(headers):
    """The class of a game by rating, speed and month, as docs/explorer.md defines it."""
    found = {}
    elos = [headers.get(name, "") for name in ("WhiteElo", "BlackElo")]
    if all(elo.isdigit() and 0 < int(elo) < 10000 for elo in elos):
        found["rating"] = max(band for band in (0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500) if band <= sum(map(int, elos)) / 2)
    control = re.fullmatch(r"(?:\d+/)?(\d+)(?:\+(\d+))?", headers.get("TimeControl", "").split(":")[0])
    if control:
        seconds = int(control[1]) + 40 * int(control[2] or 0)
        limits = {"ultraBullet": 30, "bullet": 180, "blitz": 480, "rapid": 1500, "classical": 21600, "correspondence": float("inf")}
        found["speed"] = next(speed for speed, limit in limits.items() if seconds < limit)
    elif headers.get("TimeControl") == "-":
        found["speed"] = "correspondence"
    # The other date counts if nothing of the first one is known.
    date = re.match(r"(\d{4})\.(\d{2})", headers.get("Date" if headers.get("Date", "")[:4].isdigit() else "UTCDate", ""))
    if date:
        found["month"] = f"{date[1]}-{date[2]}"
    return json.dumps(found, separators=(",", ":"))


def check_classes(run, path, last, folder):
    """Compares the counts of each class with what python-chess counts in its games alone."""
    run(folder / "z.explorer", path, "--group-by", "rating,speed,month")
    explorer, faults, games = Explorer(folder / "z.explorer"), [], {}
    with open(path, encoding="utf-8") as file:
        while game := chess.pgn.read_game(file):
            games.setdefault(class_of(game.headers), []).append(str(game))
    names = "games", "white", "draws", "black", "rated", "rating_sum"
    expected = {}
    for number, texts in games.items():
        (folder / "class.pgn").write_text("\n\n".join(texts) + "\n", encoding="utf-8")
        naive = subprocess.run([sys.executable, ROOT / "tests/book_naive.py", "--last", str(last), folder / "class.pgn"], capture_output=True, check=True)
        for line in naive.stdout.decode(errors="surrogateescape").splitlines():
            row = json.loads(line)
            board = chess.Board(row["epd"] + " 0 1")
            for move in row["moves"]:
                expected[key_of(board), code_of(board, move["uci"]), number] = [move[name] for name in names]
    found = {}
    for key, entry in explorer:
        for code, classes in explorer.joined(entry)["moves"].items():
            for number, counts in classes.items():
                found[key, code, number] = [counts[name] for name in names]
    if found != expected:
        different = [item for item in {**found, **expected} if found.get(item) != expected.get(item)]
        faults.append(f"{path.name}: {len(different)} counts of classes differ, such as {different[0]}: {found.get(different[0])}, not {expected.get(different[0])}")
    return faults


def check(program, path, games, last, folder):
    name, faults = path.name, []
    run = lambda target, *source: subprocess.run([program, "book", "-q", "--ply", f"..{last}", *source, "-o", target], check=True)
    run(folder / "x.explorer", path)
    run(folder / "x.csv", path)
    explorer = Explorer(folder / "x.explorer")
    with open(folder / "x.csv", newline="", encoding="utf-8", errors="surrogateescape") as file:
        positions = grouped(csv.DictReader(file))
    reads, most = [], 0
    for epd, rows in positions.items():
        faults += compare(name, explorer, epd, rows)
        reads.append(sum(explorer.reads))
        most = max(most, len(explorer.reads))
    keys = [key for key, _ in explorer]
    if not len(set(keys)) == len(keys) == len(positions) == explorer.header["positions"] or keys != sorted(keys):
        faults.append(f"{name}: {len(keys)} positions, {len(positions)} in the table")
    if most > 2 or max(reads) > 65536:
        faults.append(f"{name}: {most} reads of {max(reads)} bytes")

    first = folder / "first.pgn"
    with open(path, encoding="utf-8", errors="replace") as file, open(first, "w", encoding="utf-8") as out:
        for _ in range(games):
            game = chess.pgn.read_game(file)
            if game is None:
                break
            print(game, end="\n\n", file=out)
    run(folder / "y.explorer", first)
    naive = subprocess.run([sys.executable, ROOT / "tests/book_naive.py", "--latest", "--last", str(last), first], capture_output=True, check=True)
    explorer, count = Explorer(folder / "y.explorer"), 0
    for line in naive.stdout.decode(errors="surrogateescape").splitlines():
        row = json.loads(line)
        faults += compare(name, explorer, row["epd"], [(move["uci"], move) for move in row["moves"]])
        count += 1
    if count != explorer.header["positions"]:
        faults.append(f"{name}: {explorer.header['positions']} positions, python-chess has {count}")
    faults += check_classes(run, first, last, folder)
    size = (folder / "x.explorer").stat().st_size
    print(f"{name}: {len(positions)} positions, {size / len(positions):.1f} bytes each; look-ups of {sum(reads) / len(reads):.0f} bytes, at most {max(reads)}")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pgn2epd", default=ROOT / "target/release/pgn2epd")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--last", type=int, default=40)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    corpus = ROOT.parent / "shared/corpus"
    names = ["twic1599_first555.pgn", "lichess_2025-05_first219.pgn", "worldcup2005.pgn", "2moves_v2_first2000.pgn"]
    # In Chess960 castling has another notation.
    fixtures = [ROOT / f"fixtures/{name}.pgn" for name in ["classics", "immortal", "duplicates", "engines"]]
    files = args.files or [*fixtures, *(corpus / name for name in names if (corpus / name).exists())]
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        if not args.files:
            # With repetitions, of which each counts once, and all to the end.
            rng, path = random.Random(1), pathlib.Path(folder) / "random.pgn"
            games = [samples.random_game(rng) for _ in range(20)] + samples.rare_games()
            path.write_text("\n\n".join(samples.written(rng, *game) for game in games) + "\n", encoding="utf-8")
            faults += check(args.pgn2epd, path, 1000, 1000, pathlib.Path(folder))
        for path in files:
            faults += check(args.pgn2epd, path, args.games, args.last, pathlib.Path(folder))
    print("\n".join(faults[:20]))
    return int(bool(faults))


sys.exit(main())
