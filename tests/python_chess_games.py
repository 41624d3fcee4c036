#!/usr/bin/env python3
"""Compares the games that pgn2epd writes with those of python-chess.

In normal form: python-chess reads the same tags, moves, variations, NAGs and comments as from the source, with the signs of the standard
as NAGs; moves have the numbers that the standard asks for, and no line of moves has 80 characters. Unchanged: those games are written that
have a position with few pieces, and the first ones of those with the same moves. From the first selected position to the last one: these
moves from this position. With the tags of openings: those of the record, unless the code in the game is a more specific one.

    tests/python_chess_games.py [--pgn2epd PROGRAM] [--games N] [FILE.pgn]...

Without files it reads random games, and those of fixtures/ and ../shared/corpus: the first N games (200) of each file, and those that
contain what few games do, if pgn2epd finds no error, because python-chess reads damaged games in another way.

Exit status: 0 all equal, 1 differences, 77 python-chess is not installed.
"""

import argparse
import io
import itertools
import json
import pathlib
import random
import re
import subprocess
import sys

import chess
import chess.pgn
import samples

ROOT = samples.ROOT

PIECES = 12
ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
# The signs of NAGs in the PGN standard, section 10, and its additions in the Informant, which python-chess does not read.
SIGNS = {
    7: "□", 10: "=", 13: "∞", 14: "⩲ += +/=", 15: "⩱ =+ =/+", 16: "± +/-", 17: "∓ -/+", 18: "+-", 19: "-+", 22: "⨀", 26: "○",
    36: "↑", 40: "→", 44: "=/∞", 132: "⇆", 138: "⊕", 140: "∆", 142: "⌓", 145: "RR", 146: "N", 220: "D",
}
NAGS = {sign: number for number, signs in SIGNS.items() for sign in signs.split()}
SIGN = re.compile(r"(\{[^}]*\})|(?<=\s)(" + "|".join(map(re.escape, sorted(NAGS, key=len, reverse=True))) + r")(?=[\s()]|$)")
# It reads these as two signs.
LONG = re.compile(r"[!?]{3}")
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


def nodes(node, long):
    """The moves after a node, in the order of the text, each with its depth and what is written about it."""
    todo = [(0, variation) for variation in reversed(node.variations)]
    while todo:
        depth, move = todo.pop()
        nags = set() if long else move.nags
        yield depth, move.move.uci(), sorted(nags), words(move.starting_comment), words(move.comment)
        todo += [(depth + 1, variation) for variation in reversed(move.variations)]


def content(game, long):
    headers = dict(game.headers)
    # In the normal form if there is a FEN.
    headers.pop("SetUp", None)
    # Impossible castling rights are left out of the normal form.
    headers["FEN"] = " ".join(part for index, part in enumerate(game.board().fen().split()) if index != 2)
    # python-chess keeps backslashes.
    headers = {name: value.replace('\\"', '"') for name, value in headers.items()}
    return [headers, words(game.comment), *nodes(game, long)]


def read(text):
    """A game as python-chess reads it with NAGs for signs, and the usual spelling of the result."""
    text = SIGN.sub(lambda found: found[1] or f"${NAGS[found[2]]}", text)
    return chess.pgn.read_game(io.StringIO(re.sub(r"\s-\s(?=\S+\s*$)", "-", text)))


def games(text):
    """Each game with its text."""
    file = io.StringIO(text)
    while True:
        start = file.tell()
        if chess.pgn.read_game(file) is None:
            return
        # python-chess goes on to the tags after a game without moves.
        part = re.split(r"\n\n(?=\[)", text[start : file.tell()])[0] + "\n\n"
        yield read(part), part


def wrong_number(game, normal):
    """The first move of a game in normal form that has no number where it needs one, or another one."""
    text = normal.split("\n\n", 1)[1]
    turn, apart, number, outer = game.board().ply(), True, None, []
    for word in re.findall(r"\{[^}]*\}|[()]|\$\d+|\d+\.+|[^\s()]+", text):
        if re.fullmatch(r"\d+\.+", word):
            number = word
        elif word == "(":
            outer.append(turn)
            turn, apart = turn - 1, True
        elif word == ")":
            turn, apart = outer.pop(), True
        elif word[0] == "{":
            apart = True
        elif word[0] != "$" and word not in ("1-0", "0-1", "1/2-1/2", "*"):
            # A move of Black that follows White's has none.
            wanted = f"{turn // 2 + 1}." if turn % 2 == 0 else f"{turn // 2 + 1}..." if apart else None
            if number != wanted:
                return f"{number} {word}, not {wanted}"
            turn, apart, number = turn + 1, False, None
    return None


def cut(program, game, text, rng):
    """The difference between a part of a game and the moves between its positions."""
    boards = [node.board() for node in itertools.chain([game], game.mainline())]
    first = rng.randrange(len(boards))
    last = rng.randrange(first, len(boards))
    _, part = run(program, text, "--format", "pgn", "--games", "selected", "--null-moves", "--ply", f"{first}..{last}")
    found = chess.pgn.read_game(io.StringIO(part))
    moves = [node.move for node in itertools.islice(game.mainline(), first, last)]
    if found is None or found.board().fen() != boards[first].fen() or list(found.mainline_moves()) != moves:
        return f"plies {first} to {last}: {part}"
    return None


def openings(program, texts, rng):
    """The differences of the tags that games with other codes and names of openings get."""
    source = []
    for text in texts:
        bare = re.sub(r"(?mi)^\[(?:ECO|NIC|Opening) .*\n", "", text)
        source.append(bare.replace("[Event ", rng.choice(["", '[ECO "C3"]\n', '[ECO "B"]\n', '[ECO "?"]\n', '[Opening "?"]\n']) + "[Event ", 1))
    _, output = run(program, "\n\n".join(source), "--last", "--format", "jsonl", "--columns", "eco,opening", "--null-moves")
    known = [json.loads(row) for row in output.splitlines()]
    # A more specific code of the same opening stays.
    specific = [index for index, row in enumerate(known) if row["eco"] and rng.random() < 0.5]
    for index in specific:
        bare = re.sub(r"(?m)^\[ECO .*\n", "", source[index])
        source[index] = bare.replace("[Event ", f'[ECO "{known[index]["eco"]}/07"]\n[Event ', 1)
    _, output = run(program, "\n\n".join(source), "--format", "pgn", "--games", "openings", "--null-moves")
    wrong, found = [], [game for game, _ in games(output)]
    if not len(found) == len(known) == len(source):
        return [f"{len(found)} games with openings, {len(known)} known, of {len(source)}"]
    for index, (game, row, text) in enumerate(zip(found, known, source)):
        tags = dict(read(text).headers)
        tags |= {name: value for name, value in [("ECO", row["eco"]), ("Opening", row["opening"])] if value and not (name == "ECO" and index in specific)}
        ours = {name: value for name, value in game.headers.items() if name != "NIC"}
        if ours != tags:
            wrong.append(f"{ours}, not {tags}")
    return wrong


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
    number = wrong_number(game, normal)
    if number:
        return f"{number} in {normal}"
    ours = list(games(normal))
    if len(ours) != 1:
        return f"{len(ours)} games"
    bare = re.sub(r"\{[^}]*\}", "{}", text)
    long = LONG.search(bare)
    theirs, ours = content(game, long), content(ours[0][0], long)
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


def signs():
    """A game with each sign, after moves of both sides and comments."""
    for sign in [*NAGS, "!", "?", "!!", "??", "!?", "?!"]:
        yield f'[Event "{sign}"]\n[Result "*"]\n\n1. e4 {sign} e5 {sign} 2. Nf3 {{good}} {sign} Nc6 ({sign}) (2... d6 {sign}) 3. Bb5 $1 {sign} *\n'.replace(f" ({sign})", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pgn2epd", default=ROOT / "target/release/pgn2epd", type=pathlib.Path)
    parser.add_argument("--games", default=200, type=int)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    rng, shown = random.Random(1), {}
    sources = [] if arguments.files else [("signs", list(signs())), ("random games", [samples.written(rng, *samples.random_game(rng)) for _ in range(20)])]
    # Variations of variants are not played.
    sources += [(file.name, samples.chosen(samples.decoded(file), arguments.games, shown)) for file in arguments.files or samples.files()]
    notes, wrong, selected = {"games": 0, "unread": 0}, 0, 0
    for name, texts in sources:
        first = list(games("\n\n".join(texts) + "\n"))
        for game, text in first:
            found = difference(arguments.pgn2epd, game, text, notes)
            if not found and not game.errors and not game.board().chess960:
                found = cut(arguments.pgn2epd, game, text, rng)
            if found:
                wrong += 1
                print(f"{name}: {game.headers['Event']}: {found}", file=sys.stderr)
        standard = [text.strip() for game, text in first if not game.errors and game.next() and not game.board().chess960 and "[Event " in text]
        for found in openings(arguments.pgn2epd, standard, rng) if standard else []:
            wrong += 1
            print(f"{name}: {found}", file=sys.stderr)
        # Damaged games are read differently.
        right = [(game, text) for game, text in first if not game.errors]
        expected = [text.strip() for game, text in right if has_few_pieces(game)]
        source = "\n\n".join(text.strip() for _, text in right) + "\n"
        _, output = run(arguments.pgn2epd, source, "--format", "pgn", "--null-moves", "--where", f"pieces < {PIECES}")
        selected += len(expected)
        if "\n\n".join(expected) != output.strip():
            wrong += 1
            print(f"{name}: other games have fewer than {PIECES} pieces", file=sys.stderr)
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
            print(f"{name}: other games have the same moves", file=sys.stderr)
    print(
        f"{notes['games']} games of {len(sources)} sources in normal form, of which python-chess does not read a part of "
        f"{notes['unread']}; {selected} selected; {wrong} differences with python-chess {chess.__version__}"
    )
    return 1 if wrong or not notes["games"] else 0


if __name__ == "__main__":
    sys.exit(main())
