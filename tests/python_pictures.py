#!/usr/bin/env python3
"""Compares diagrams of random positions with other programs: the pieces with python-chess, and the PNG with the SVG as MuPDF draws it.

    tests/python_pictures.py [--pgn2epd PROGRAM] [--positions N] [--seed N]

A piece looks the same on all squares of a colour, and not like any other one. Arrows and coloured squares are compared by MuPDF alone.

Exit status: 0 all equal, 1 differences, 77 a package is not installed.
"""

import argparse
import itertools
import pathlib
import random
import subprocess
import sys
import tempfile

try:
    import chess
    import numpy
    import pymupdf
    import samples
except ImportError as error:
    print(f"{error}: nothing was compared", file=sys.stderr)
    sys.exit(77)

# One pixel is one unit of the SVG: squares of 100 units behind a margin.
WIDTH, SQUARE, LEFT, TOP = 904, 100, 50, 12
OPTIONS = [["--no-marks"], ["--theme", "dark", "--no-marks"], ["--arrows", "e2e4,Rd1d8,Gb1c3", "--squares", "Bd5,Yf7"]]


def pixels(picture):
    colors = numpy.frombuffer(picture.samples, dtype="uint8").reshape(picture.height, picture.width, picture.n)
    return colors[:, :, :3].astype(int)


def drawn(svg):
    page = pymupdf.open(svg)[0]
    scale = WIDTH / page.rect.width
    return pixels(page.get_pixmap(matrix=pymupdf.Matrix(scale, scale)))


def is_like(one, other):
    """Whether two parts of a picture are equal, but for some pixels of edges."""
    return (numpy.abs(one - other) > 32).mean() < 0.001


def random_board(rng):
    board = chess.Board()
    for _ in range(rng.randrange(120)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(rng.choice(moves))
    return board


def differences(program, boards, options, folder):
    """The differences of the pictures of some boards."""
    records = folder / "positions.fen"
    records.write_text("".join(f"{board.fen()}\n" for board in boards))
    for suffix in ("png", "svg"):
        size = ["--width", str(WIDTH)] if suffix == "png" else []
        subprocess.run([program, "show", records, *options, *size, "-o", folder / f"%n.{suffix}"], check=True)
    looks = {}
    for number, board in enumerate(boards, 1):
        png = pixels(pymupdf.Pixmap(folder / f"{number}.png"))
        difference = numpy.abs(png - drawn(folder / f"{number}.svg")).max(axis=2)
        # Programs blend the pixels of edges in their own ways.
        if difference.mean() > 3 or (difference > 64).mean() > 0.01:
            yield f"{board.fen()} {options}: MuPDF's picture is another one: {difference.mean():.1f}, {(difference > 64).mean():.4f}"
        if "--no-marks" not in options:
            continue
        for square in chess.SQUARES:
            file, rank = chess.square_file(square), chess.square_rank(square)
            x, y = LEFT + SQUARE * file, TOP + SQUARE * (7 - rank)
            # Without the lines around the board.
            part = png[y + 3:y + SQUARE - 3, x + 3:x + SQUARE - 3]
            piece = str(board.piece_at(square)), (file + rank) % 2
            if not is_like(looks.setdefault(piece, part), part):
                yield f"{board.fen()} {options}: {chess.square_name(square)} is not {piece[0]}"
    for one, other in itertools.combinations(looks, 2):
        if is_like(looks[one], looks[other]):
            yield f"{options}: {one} looks like {other}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pgn2epd", default=samples.ROOT / "target/release/pgn2epd", type=pathlib.Path)
    parser.add_argument("--positions", default=8, type=int)
    parser.add_argument("--seed", default=1, type=int)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    boards = [chess.Board(), *(random_board(rng) for _ in range(arguments.positions))]
    wrong = []
    for options in OPTIONS:
        with tempfile.TemporaryDirectory() as folder:
            wrong += differences(arguments.pgn2epd.resolve(), boards, options, pathlib.Path(folder))
    print("\n".join(wrong[:50]))
    print(f"{len(boards)} positions, {len(OPTIONS)} forms of pictures compared with python-chess and MuPDF: {len(wrong)} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
