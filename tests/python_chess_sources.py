#!/usr/bin/env python3
"""Compares how pgn2epd and Python read tables: python-chess, csv, json and pyarrow.

Puzzles and evaluations of Lichess, tables made by Python, and tables of pgn2epd that it reads again.

    tests/python_chess_sources.py [--pgn2epd PROGRAM]

The puzzles are those of ../shared/corpus/sources, if it exists; evaluations are those of random positions.

Exit status: 0 all equal, 1 differences, 77 python-chess or pyarrow is not installed.
"""

import argparse
import csv
import json
import random
import subprocess
import sys
import tempfile

import chess
import chess.engine
from python_chess import ROOT

try:
    import pyarrow
    import pyarrow.ipc
    import pyarrow.parquet
except ImportError as error:
    print(f"{error}: nothing was compared", file=sys.stderr)
    sys.exit(77)


def converted(program, path, *arguments):
    run = subprocess.run([program, *arguments, path], capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


def check_puzzles(program, path):
    records = converted(program, path, "--ep", "legal", "--ops", "id,bm,pv,Rating,fmvn,hmvc")
    with open(path, newline="", encoding="utf-8") as file:
        puzzles = list(csv.DictReader(file))
    assert len(records) == len(puzzles), (len(records), len(puzzles))
    for record, puzzle in zip(records, puzzles):
        board = chess.Board(puzzle["FEN"])
        first, *solution = puzzle["Moves"].split()
        board.push_uci(first)
        read, operations = chess.Board.from_epd(record)
        assert read.fen() == board.fen(), (record, board.fen())
        expected = board.copy()
        line = [expected.push_uci(move) for move in solution]
        assert operations["pv"] == line and operations["bm"] == line[:1], record
        assert operations["id"] == puzzle["PuzzleId"], record
        assert operations["Rating"] == int(puzzle["Rating"]), record
    return len(records)


def check_evaluations(program):
    """Random games with random evaluations, in the form of the database."""
    random.seed(1)
    lines, expected = [], []
    for _ in range(500):
        board = chess.Board()
        for _ in range(random.randrange(60)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(random.choice(moves))
        line, ahead = [], board.copy()
        for _ in range(random.randrange(1, 8)):
            moves = list(ahead.legal_moves)
            if not moves:
                break
            line.append(random.choice(moves))
            ahead.push(line[-1])
        if not line:
            continue
        score = {"mate": random.choice([-7, -1, 1, 12])} if random.random() < 0.2 else {"cp": random.randrange(-900, 900)}
        best = {"pvs": [score | {"line": " ".join(move.uci() for move in line)}], "knodes": 7, "depth": 40}
        other = {"pvs": [{"cp": 0, "line": line[0].uci()}], "knodes": 900, "depth": 30}
        evaluations = random.sample([best, other], 2)
        fen = " ".join(board.fen(en_passant="legal").split()[:4])
        lines.append(json.dumps({"fen": fen, "evals": evaluations}, separators=(",", ":")))
        white = chess.engine.Mate(score["mate"]) if "mate" in score else chess.engine.Cp(score["cp"])
        expected.append((board, line, white if board.turn else -white))
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        records = converted(program, file.name)
    assert len(records) == len(expected), (len(records), len(expected))
    for record, (board, line, score) in zip(records, expected):
        read, operations = chess.Board.from_epd(record)
        assert read.board_fen() == board.board_fen() and read.turn == board.turn, record
        assert operations["pv"] == line, (record, line)
        if score.is_mate():
            moves = score.mate()
            # EPD 5.6: 32767 less the number of plies.
            value = 32768 - 2 * moves if moves > 0 else -32767 - 2 * moves
            assert operations["ce"] == value and operations.get("dm", 0) == max(moves, 0), record
        else:
            assert operations["ce"] == score.score(), record
        assert (operations["acd"], operations["acn"]) == (40, 7000), record
    return len(records)


def as_csv(rows, path):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def as_json(rows, path):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def as_parquet(rows, path):
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path, row_group_size=100)


def as_arrow(rows, path):
    table = pyarrow.Table.from_pylist(rows)
    with pyarrow.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table)


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [{name: value or None for name, value in row.items()} for row in csv.DictReader(file)]


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def read_parquet(path):
    return pyarrow.parquet.read_table(path).to_pylist()


def read_arrow(path):
    return pyarrow.ipc.open_stream(path).read_all().to_pylist()


# The columns of evaluations; each row has one of them.
SCORES = ["eval", "eval_cp", "white_cp", "mate", "white_mate"]


def evaluated(name, value, turn):
    """All of these columns, of which one is known."""
    if name is None:
        return dict.fromkeys(SCORES)
    score = chess.engine.Mate(value) if "mate" in name else chess.engine.Cp(value)
    mover = score if turn or "white" not in name else -score
    white = mover if turn else -mover
    moves = mover.mate()
    # EPD 5.6: 32767 less the number of plies.
    whole = mover.score() if moves is None else 32768 - 2 * moves if moves > 0 else -32767 - 2 * moves
    return {"eval": whole, "eval_cp": mover.score(), "white_cp": white.score(), "mate": moves, "white_mate": white.mate()}


KINDS = [("csv", as_csv, read_csv), ("jsonl", as_json, read_json), ("parquet", as_parquet, read_parquet), ("arrow", as_arrow, read_arrow)]


def random_rows():
    """Positions of random games, with values of all types; some are missing."""
    random.seed(2)
    rows, expected = [], []
    for number in range(500):
        board = chess.Board(chess960=False)
        for _ in range(random.randrange(80)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(random.choice(moves))
        moves = list(board.legal_moves)
        # Such positions have an evaluation of 0.
        if not moves or board.is_insufficient_material():
            continue
        best, played = random.choice(moves), random.choice(moves)
        known = lambda value: value if random.random() < 0.7 else None
        score = known(random.choice(SCORES))
        value = random.choice([-9, -3, -1, 1, 2, 40]) if "mate" in (score or "") else random.randrange(-3000, 3000)
        result = known(random.choice(["1-0", "0-1", "1/2-1/2"]))
        points = {None: None, "1-0": float(board.turn), "0-1": float(not board.turn), "1/2-1/2": 0.5}[result]
        column = random.choice(["result", "points"])
        row = {
            "Theme": random.choice(["fork", "a, b", 'quoted "word"', "Größe \u2013 \u00a0x", "1"]),
            "FEN": board.fen(en_passant="legal"),
            "id": f"n {number}, x",
            "bm": known(random.choice([board.san(best), best.uci()])),
            "acd": known(random.randrange(60)),
            "uci": known(played.uci()),
            "result": result if column == "result" else None,
            "points": points if column == "points" else None,
            "clock": known(random.randrange(20000) / 2),
            "nags": known(random.choice(["$1", "$2 $14", "$6 $146"])),
            "share": random.random(),
            **{name: value if name == score else None for name in SCORES},
        }
        rows.append(row)
        values = {name: row[name] for name in ("id", "acd")}
        scores = evaluated(score, value, board.turn)
        values |= {"ce": scores["eval"], "c9": result, "hmvc": board.halfmove_clock, "fmvn": board.fullmove_number}
        values |= {"bm": row["bm"] and [best], "sm": row["uci"] and played}
        # Without a value, a register is set to null.
        values = {name: value for name, value in values.items() if value is not None or name == "c9"}
        variables = {name: row[name] for name in ("Theme", "clock", "nags")} | {"result": result, "points": points} | scores
        expected.append((board, values, variables, row["share"]))
    return rows, expected


def check_rows(program, kind, write):
    rows, expected = random_rows()
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/rows.{kind}"
        write(rows, path)
        records = converted(program, path, "--ep", "legal")
        columns = ["Theme", "clock", "nags", "result", "points", *SCORES, "share", "fen"]
        variables = converted(program, path, "--format", "jsonl", "--columns", ",".join(columns), "--ep", "legal")
        above = converted(program, path, "--where", "share > 0.5", "--format", "fen")
    assert len(records) == len(expected), (len(records), len(expected))
    for record, text, (board, values, known, share) in zip(records, variables, expected):
        read, operations = chess.Board.from_epd(record)
        assert read.fen() == board.fen(), (record, board.fen())
        assert operations == values, (record, operations, values)
        row = json.loads(text)
        assert float(row.pop("share")) == share and row.pop("fen") == board.fen(en_passant="legal"), row
        assert row == known, (row, known)
    assert len(above) == sum(share > 0.5 for *_, share in expected)
    return len(records)


def check_many(program, kind, write):
    """Rows have their numbers, also where there are more than are read at a time: as variables and in conditions, and in messages."""
    number, wrong = 10_000, 9_200
    board, fens = chess.Board(), []
    for uci in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]:
        fens.append(board.fen(en_passant="legal"))
        board.push_uci(uci)
    rows = [{"fen": "none" if row == wrong else fens[row % 5], "id": str(row)} for row in range(number)]
    # The first line of CSV is the header.
    first = 2 if kind == "csv" else 1
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/many.{kind}"
        write(rows, path)
        run = subprocess.run([program, "--format", "csv", "--columns", "line,id,fen", path], capture_output=True, text=True)
        late = subprocess.run([program, "-q", "--where", f"line > {number - 10}", "--ops", "id", path], capture_output=True, text=True).stdout.splitlines()
    found = list(csv.reader(run.stdout.splitlines()))[1:]
    assert found == [[str(row + first), str(row), rows[row]["fen"]] for row in range(number) if row != wrong], found[:3]
    assert f"many.{kind}:{wrong + first}:" in run.stderr, run.stderr
    assert [line.split('id "')[1] for line in late] == [f'{row}";' for row in range(number) if row + first > number - 10], late
    return number


def random_line(least):
    """A position of a random game, and a line of legal moves from it."""
    while True:
        board = chess.Board()
        for _ in range(random.randrange(60)):
            moves = list(board.legal_moves)
            if moves:
                board.push(random.choice(moves))
        line, ahead = [], board.copy()
        while len(line) < least and not ahead.is_game_over():
            line.append(random.choice(list(ahead.legal_moves)))
            ahead.push(line[-1])
        if len(line) == least:
            return board, line


def arranged(row, random_case):
    """The same row with its columns in another order, with others between, and in another case."""
    names = random.sample(list(row), len(row))
    row = {name: row[name] for name in names}
    row = {"x": 7} | row if random.random() < 0.5 else row | {"note": "a b"}
    change = random.choice([str, str.lower, str.upper]) if random_case else str
    return {change(name): value for name, value in row.items()}


def check_arranged_puzzles(program, kind, write):
    """Puzzles with their columns in any order and case."""
    random.seed(3)
    count = 0
    for _ in range(20):
        board, line = random_line(random.choice([2, 4, 6]))
        row = {"FEN": board.fen(en_passant="legal"), "Moves": " ".join(move.uci() for move in line), "Rating": 1500}
        if random.random() < 0.5:
            row |= {"PuzzleId": "abc"}
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/puzzles.{kind}"
            write([arranged(row, True)], path)
            [record] = converted(program, path, "--ep", "legal", "--ops", "bm,pv,Rating,fmvn,hmvc")
        board.push(line[0])
        read, operations = chess.Board.from_epd(record)
        assert read.fen() == board.fen(), (row, record)
        assert operations["pv"] == line[1:] and operations["bm"] == line[1:2] and operations["Rating"] == 1500, record
        count += 1
    return count


def check_white_evaluations(program, kind, write):
    """Evaluations for White, with the columns of data sets that Lichess publishes."""
    random.seed(4)
    count = 0
    for _ in range(60):
        board, line = random_line(3)
        score = chess.engine.Mate(random.choice([-5, -1, 1, 9])) if random.random() < 0.5 else chess.engine.Cp(random.randrange(-900, 900))
        row = {"fen": board.fen(en_passant="legal"), "cp": score.score(), "mate": score.mate()}
        row |= random.choice([{"move": line[0].uci()}, {"line": " ".join(move.uci() for move in line), "knodes": 12, "depth": 30}])
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/evaluations.{kind}"
            write([arranged(row, False)], path)
            [record] = converted(program, path, "--ops", "ce,pv,sm,acn")
        _, operations = chess.Board.from_epd(record)
        own = score if board.turn else -score
        moves = own.mate()
        value = own.score() if moves is None else 32768 - 2 * moves if moves > 0 else -32767 - 2 * moves
        assert operations["ce"] == value, (row, record)
        assert operations.get("sm", line[0]) == line[0] and operations.get("pv", line) == line, record
        assert ("sm" in operations) == ("move" in row) and operations.get("acn", 12000) == 12000, record
        count += 1
    return count


def check_again(program, kind, read):
    """What is written is read again, by Python with the same values before and after."""
    columns = "ply,fen,san,uci,eval,mate,depth,time,clock,result,points,White,white_elo,date,eco,opening,comment,nags"
    with tempfile.TemporaryDirectory() as folder:
        first, second = f"{folder}/first.{kind}", f"{folder}/second.{kind}"
        games = [str(ROOT / f"fixtures/{name}.pgn") for name in ("engines", "classics")]
        run = [program, "-q", "--format", kind, "--columns", columns]
        subprocess.run([*run, *games, "-o", first], check=True)
        subprocess.run([*run, first, "-o", second], check=True)
        rows, again = read(first), read(second)
    assert len(rows) > 150 and rows == again
    for row in rows:
        board = chess.Board(row["fen"])
        if row["uci"]:
            assert board.san(chess.Move.from_uci(row["uci"])) == row["san"], row
    return len(rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pgn2epd", default=ROOT / "target/release/pgn2epd")
    program = parser.parse_args().pgn2epd
    puzzles = ROOT.parent / "shared/corpus/sources/lichess_puzzles_first300.csv"
    if puzzles.exists():
        print(check_puzzles(program, puzzles), "puzzles")
    print(check_evaluations(program), "evaluations")
    for kind, write, read in KINDS:
        check_many(program, kind, write)
        print(check_rows(program, kind, write), "rows of Python and", check_again(program, kind, read), "of pgn2epd as", kind)
        print(check_arranged_puzzles(program, kind, write), "puzzles and", check_white_evaluations(program, kind, write), "evaluations as", kind)


if __name__ == "__main__":
    main()
