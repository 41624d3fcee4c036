#!/usr/bin/env python3
"""Runs the examples of docs/questions.md, and compares their answers with python-chess.

    tests/questions.py [--pgn2epd PROGRAM] [FILE.pgn]

Without a file it reads twic1599_first555.pgn of ../shared/corpus if it exists, and fixtures/classics.pgn otherwise.

Exit status: 0 all equal, 1 differences, 77 a program is not installed.
"""

import argparse
import collections
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

try:
    import chess.pgn
    import chess.polyglot
    import duckdb  # noqa: F401
    import polars  # noqa: F401
    import pyarrow  # noqa: F401
except ImportError as error:
    print(f"{error}: nothing was compared", file=sys.stderr)
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent
POINTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}


def expected_scores(games, openings):
    points = collections.defaultdict(list)
    for game, opening in zip(games, openings):
        elo, result = game.headers.get("WhiteElo", ""), game.headers.get("Result")
        if opening and elo.isdigit() and int(elo) and result in POINTS:
            points[opening, int(elo) // 200 * 200].append(POINTS[result])
    rows = [(opening, band, len(found), sum(found) / len(found)) for (opening, band), found in points.items()]
    return sorted(rows, key=lambda row: (-row[2], row[0], row[1]))


def expected_common(games, players):
    reached = collections.defaultdict(lambda: ([], set()))
    for game in games:
        both = {game.headers.get("White"), game.headers.get("Black")}
        board, moves = game.board(), list(game.mainline_moves())
        for ply in range(len(moves) + 1):
            plies, seen = reached[chess.polyglot.zobrist_hash(board)]
            plies.append(ply)
            seen |= both
            if ply < len(moves):
                board.push(moves[ply])
    return sorted((-min(plies), len(plies)) for plies, seen in reached.values() if seen.issuperset(players))


def rounded(rows):
    return [(opening, band, games, round(score, 9)) for opening, band, games, score in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pgn2epd", default=ROOT / "target/release/pgn2epd", type=pathlib.Path)
    parser.add_argument("file", nargs="?", type=pathlib.Path)
    arguments = parser.parse_args()
    corpus = ROOT.parent / "shared/corpus/twic1599_first555.pgn"
    file = arguments.file or (corpus if corpus.exists() else ROOT / "fixtures/classics.pgn")
    with open(file, encoding="latin-1") as stream:
        games = list(iter(lambda: chess.pgn.read_game(stream), None))
    program = arguments.pgn2epd.resolve()
    page = (ROOT / "docs/questions.md").read_text()
    wrong = 0

    def check(name, found, expected):
        nonlocal wrong
        if list(found) != list(expected) or not found and name != "common":
            wrong += 1
            print(f"{name}: {list(found)[:3]}..., not {list(expected)[:3]}...", file=sys.stderr)

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        pathlib.Path("twic.pgn").write_bytes(file.read_bytes())
        # Names of openings are those of the records, which are compared with other programs elsewhere.
        last = [str(program), "-q", "--last", "--format", "jsonl", "--columns", "opening", "twic.pgn"]
        run = subprocess.run(last, stdout=subprocess.PIPE, check=True)
        openings = polars.read_ndjson(run.stdout, schema={"opening": polars.String})["opening"].to_list()
        names = {}
        for language, code in re.findall(r"```(sh|python)\n(.*?)```", page, flags=re.DOTALL):
            if language == "sh":
                command = shlex.split(code)
                subprocess.run([program, "-q", *command[1:]], check=True)
                continue
            exec(code, names)
            if "score = " in code:
                score = names["score"]
                rows = score.rows() if isinstance(score, polars.DataFrame) else score.fetchall()
                check("score", rounded(rows), rounded(expected_scores(games, openings)))
            elif "common = " in code:
                rows = names["common"].fetchall()
                check("common", sorted((-ply, count) for _, count, ply in rows), expected_common(games, names["players"]))
            else:
                moves = collections.Counter(move.uci() for game in games for move in game.mainline_moves())
                check("counts", sorted(names["counts"].items()), sorted(moves.items()))
        os.chdir(ROOT)
    print(f"{len(games)} games: {wrong} wrong answers of docs/questions.md")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
