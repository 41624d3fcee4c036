#!/usr/bin/env python3
"""Prints the positions of all games of a PGN file with python-chess (pip install chess).

    python_chess_epd.py FILE > positions.epd

writes the start and the position after each move of the main line, with the counters: what `pgn2epd --ops hmvc,fmvn`
writes. A visitor is the fastest way that the library has: no tree of the game is built, variations are skipped.
"""

import logging
import sys

import chess
import chess.pgn


class RecordWriter(chess.pgn.BaseVisitor):
    def begin_game(self):
        self.is_faulty = False

    def visit_board(self, board):
        # Called for the start and after each move, and once more after a move that could not be played.
        if not self.is_faulty:
            record = board.epd(en_passant="fen", hmvc=board.halfmove_clock, fmvn=board.fullmove_number)
            sys.stdout.write(record + "\n")

    def begin_variation(self):
        return chess.pgn.SKIP

    def handle_error(self, error):
        self.is_faulty = True

    def result(self):
        return True


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    with open(sys.argv[1], encoding="utf-8", errors="replace") as games:
        while chess.pgn.read_game(games, Visitor=RecordWriter):
            pass


if __name__ == "__main__":
    main()
