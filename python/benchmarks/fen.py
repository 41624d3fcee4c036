#!/usr/bin/env python3
"""From PGN to an Arrow table of positions: pgn2epd and python-chess in one run, on the same games.

    python/benchmarks/fen.py [--games N] [--times N] FILE.pgn

Both make a table with game, ply, FEN, SAN and UCI, and the tables must be equal. python-chess, which is slow, reads the first N games once;
pgn2epd reads the same games many times. The result is microseconds per position, the best of several runs.
"""

import argparse
import io

import chess
import chess.pgn
import pyarrow

import pgn2epd

from measuring import best, first_games

COLUMNS = ["game", "ply", "fen", "san", "uci"]
TYPES = [pyarrow.uint64(), pyarrow.uint32(), *3 * [pyarrow.large_string()]]


class Collect(chess.pgn.BaseVisitor):
    """Python-chess at its fastest, without a game tree."""

    def __init__(self, columns, game):
        self.columns, self.game = columns, game

    def begin_game(self):
        self.ply = 0

    def begin_variation(self):
        return chess.pgn.SKIP

    def row(self, board, move):
        game, ply, fen, san, uci = self.columns
        game.append(self.game)
        ply.append(self.ply)
        fen.append(board.fen(en_passant="fen"))
        san.append(board.san(move) if move else None)
        uci.append(board.uci(move) if move else None)
        self.ply += 1

    def visit_move(self, board, move):
        self.row(board, move)

    def visit_board(self, board):
        self.board = board

    def end_game(self):
        self.row(self.board, None)

    def result(self):
        return True


def with_python_chess(text):
    columns, stream, number = [[] for _ in COLUMNS], io.StringIO(text), 1
    while chess.pgn.read_game(stream, Visitor=lambda: Collect(columns, number)):
        number += 1
    arrays = [pyarrow.array(values, kind) for values, kind in zip(columns, TYPES)]
    return pyarrow.table(arrays, COLUMNS)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--games", type=int, default=200, help="games that python-chess reads")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--copies", type=int, default=100, help="how many times pgn2epd reads them")
    options = parser.parse_args()

    text = first_games(options.file, options.games)
    pgn = text.encode() + b"\n\n"
    slow, theirs = best(options.times, lambda: with_python_chess(text))
    ours = pyarrow.table(pgn2epd.to_arrow(pgn, COLUMNS))
    # All cells are compared, including nulls.
    assert theirs.to_pylist() == ours.to_pylist(), "the tables differ"

    print(f"{options.file}: {len(theirs):,} positions of {options.games} games")
    slow = slow.elapsed / len(theirs) * 1e6
    print(f"  {'python-chess':24} {slow:9.3f} us per position")
    for name, jobs in [("pgn2epd, 1 thread", 1), ("pgn2epd, all cores", None)]:
        copies = pgn * options.copies
        fast, table = best(options.times, lambda: pyarrow.table(pgn2epd.to_arrow(copies, COLUMNS, jobs=jobs)))
        fast = fast.elapsed / len(table) * 1e6
        print(f"  {name:24} {fast:9.3f} us per position, {slow / fast:6.0f} times as fast")


if __name__ == "__main__":
    main()
