#!/usr/bin/env python3
"""Compares the games that pgn2epd writes with those of python-chess.

In normal form: python-chess reads the same tags, moves, variations, NAGs and comments as from the source, and no line of moves has
80 characters. Unchanged: those games are written that have a position with few pieces, and the first ones of those with the same moves.

    tests/python_chess_games.py [--pgn2epd PROGRAM] [--games N] [FILE.pgn]...

Without arguments it reads the files of fixtures/, and of ../shared/corpus if it exists: the first N games (200) of each file in which
pgn2epd finds no error, because python-chess reads damaged games in another way.

Exit status: 0 all equal, 1 differences, 77 python-chess is not installed.
"""

import argparse
import io
import itertools
import logging
import pathlib
import re
import subprocess
import sys

import chess
from python_chess import ROOT

import chess.pgn

PIECES = 12
ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
# Signs without a number, which python-chess does not read, and long ones, which it reads as two.
SIGN = re.compile(r"(?<![^\s)}])(?:[=∞□±∓⩲⩱ND]|[+=-][-/=+∞]+)(?![^\s()])|[!?]{3}")
# Text in another form, which python-chess does not read: comments to the end of a line, comments in a variation without a move.
UNREAD = re.compile(r";|\(\s*(?:\{[^}]*\}\s*)*\)")



def run(program, text, *options):
    command = [program, "--quiet", *options, "-"]
    output = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, check=False)
    if output.returncode not in (0, 1):
        sys.exit(f"{' '.join(map(str, command))}: status {output.returncode}")
    return output.returncode, output.stdout.decode()


def words(comment):
    return " ".join(re.split(r"[ \t\r\n\f]+", comment.strip(" \t\r\n\f")))


def nodes(node, signs):
    """The moves after a node, in the order of the text, each with its depth and what is written about it."""
    todo = [(0, variation) for variation in reversed(node.variations)]
    while todo:
        depth, move = todo.pop()
        nags = set() if signs else move.nags
        yield depth, move.move.uci(), sorted(nags), words(move.starting_comment), words(move.comment)
        todo += [(depth + 1, variation) for variation in reversed(move.variations)]


def content(game, signs):
    headers = dict(game.headers)
    # In the normal form if there is a FEN.
    headers.pop("SetUp", None)
    # Impossible castling rights are left out of the normal form.
    headers["FEN"] = " ".join(part for index, part in enumerate(game.board().fen().split()) if index != 2)
    # python-chess keeps backslashes.
    headers = {name: value.replace('\\"', '"') for name, value in headers.items()}
    return [headers, words(game.comment), *nodes(game, signs)]


def games(text):
    """Each game with its text."""
    file = io.StringIO(text)
    while True:
        start = file.tell()
        game = chess.pgn.read_game(file)
        if game is None:
            return
        yield game, text[start : file.tell()]


def difference(program, game, text, notes):
    """The difference between a game and its normal form; `None` if it cannot be compared."""
    if text.count("\n[Event ") > 1:
        # Games without moves are one for python-chess.
        return None
    status, normal = run(program, text, "--format", "pgn", "--games", "normal", "--null-moves")
    if status:
        game.errors.append("found by pgn2epd")
    if game.errors:
        return None
    notes["games"] += 1
    _, again = run(program, normal, "--format", "pgn", "--games", "normal", "--null-moves")
    if again != normal:
        return f"not a fixed point:\n{normal}\n{again}"
    moves = [line for line in normal.splitlines() if not line.startswith("[")]
    long = [line for line in moves if len(line) >= 80 and " " in line]
    if long:
        return f"long lines: {long}"
    names = re.findall(r"(?m)^\[(\w+) ", normal)
    if names[:7] != ROSTER:
        return f"tags: {names}"
    ours = list(games(normal))
    if len(ours) != 1:
        return f"{len(ours)} games"
    bare = re.sub(r"\{[^}]*\}", "{}", text)
    signs = SIGN.search(bare)
    theirs, ours = content(game, signs), content(ours[0][0], signs)
    if theirs[0]["Result"] not in ["1-0", "0-1", "1/2-1/2", "*"]:
        # python-chess keeps such a value, even if the moves end with a result.
        theirs[0]["Result"] = ours[0]["Result"]
    if theirs == ours:
        return None
    if UNREAD.search(bare):
        notes["unread"] += 1
        return None
    pairs = itertools.zip_longest(theirs, ours)
    return next(f"{one}, not {other}" for one, other in pairs if one != other)


def has_few_pieces(game):
    boards = itertools.chain([game.board()], (node.board() for node in game.mainline()))
    return any(len(board.piece_map()) < PIECES for board in boards)


def read(path):
    if path.suffix == ".zst":
        data = subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE, check=True).stdout
    else:
        data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pgn2epd", default=ROOT / "target/release/pgn2epd", type=pathlib.Path)
    parser.add_argument("--games", default=200, type=int)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    corpus = sorted((ROOT.parent / "shared/corpus").rglob("*.pgn"))
    # Variations of variants are not played.
    files = arguments.files or sorted((ROOT / "fixtures").glob("*.pgn")) + [
        path for path in corpus if "variants" not in path.parts
    ]
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    notes, wrong, selected = {"games": 0, "unread": 0}, 0, 0
    for file in files:
        first = list(itertools.islice(games(read(file)), arguments.games))
        for game, text in first:
            found = difference(arguments.pgn2epd, game, text, notes)
            if found:
                wrong += 1
                print(f"{file.name}: {game.headers['Event']}: {found}", file=sys.stderr)
        # Damaged games are read differently.
        right = [(game, text) for game, text in first if not game.errors]
        expected = [text.strip() for game, text in right if has_few_pieces(game)]
        source = "\n\n".join(text.strip() for _, text in right) + "\n"
        _, output = run(arguments.pgn2epd, source, "--format", "pgn", "--null-moves", "--where", f"pieces < {PIECES}")
        selected += len(expected)
        if "\n\n".join(expected) != output.strip():
            wrong += 1
            print(f"{file.name}: other games have fewer than {PIECES} pieces", file=sys.stderr)
        # With their normal form after them; what is left are the first ones of those with the same moves.
        source = "\n\n".join(text.strip() for game, text in right if game.variations) + "\n"
        _, normal = run(arguments.pgn2epd, source, "--format", "pgn", "--games", "normal", "--null-moves")
        _, output = run(arguments.pgn2epd, source + "\n" + normal, "--format", "pgn", "--unique-games", "--null-moves")
        unique = {}
        for game, text in right:
            if game.variations:
                unique.setdefault((game.board().epd(), *map(str, game.mainline_moves())), text.strip())
        # The ends of lines may differ.
        if "\n\n".join(unique.values()).split() != output.split():
            wrong += 1
            print(f"{file.name}: other games have the same moves", file=sys.stderr)
    print(
        f"{notes['games']} games of {len(files)} files in normal form, of which python-chess does not read a part of "
        f"{notes['unread']}; {selected} selected; {wrong} differences with python-chess {chess.__version__}"
    )
    return 1 if wrong or not notes["games"] else 0


if __name__ == "__main__":
    sys.exit(main())
