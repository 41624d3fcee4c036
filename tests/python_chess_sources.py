#!/usr/bin/env python3
"""Compares how pgn2epd and python-chess read puzzles and evaluations of Lichess.

    tests/python_chess_sources.py [--pgn2epd PROGRAM]

The puzzles are those of ../shared/corpus/sources, if it exists; evaluations are those of random positions.

Exit status: 0 all equal, 1 differences, 77 python-chess is not installed.
"""

import argparse
import csv
import json
import random
import subprocess
import tempfile

import chess
import chess.engine
from python_chess import ROOT


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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pgn2epd", default=ROOT / "target/release/pgn2epd")
    program = parser.parse_args().pgn2epd
    puzzles = ROOT.parent / "shared/corpus/sources/lichess_puzzles_first300.csv"
    if puzzles.exists():
        print(check_puzzles(program, puzzles), "puzzles")
    print(check_evaluations(program), "evaluations")


if __name__ == "__main__":
    main()
