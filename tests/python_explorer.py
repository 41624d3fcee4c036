#!/usr/bin/env python3
"""Asks `pgn2epd book serve` with berserk, the client of Lichess, and compares the answers with counts by python-chess.

    tests/python_explorer.py [--pgn2epd PROGRAM] [FILE.pgn]

Without a file it reads twic1599_first555.pgn of ../shared/corpus if it exists, and fixtures/classics.pgn otherwise.

Exit status: 0 all equal, 1 differences, 77 berserk or python-chess is not installed.
"""

import argparse
import collections
import io
import json
import pathlib
import random
import re
import subprocess
import sys
import urllib.request

try:
    import berserk
    import chess.pgn
except ImportError as error:
    print(f"{error}: nothing was compared", file=sys.stderr)
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = {"1-0": "white", "0-1": "black", "1/2-1/2": "draws"}
LIST = 1000


def counted(path):
    """The results of the games that reached a position, in all and for each move; the first visit of a game counts."""
    positions = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
    with open(path, encoding="utf-8", errors="replace") as file:
        while game := chess.pgn.read_game(file):
            board, seen = game.board(), set()
            result = RESULTS.get(game.headers.get("Result"), "other")
            moves = list(game.mainline_moves())
            for move in moves + [None]:
                fen = board.fen(en_passant="legal")
                key = fen.rsplit(" ", 2)[0]
                if key not in seen:
                    seen.add(key)
                    uci = move and board.uci(move, chess960=True)
                    positions[key][uci][result] += 1
                if move:
                    board.push(move)
    return positions


def differences(key, moves, answer):
    found = {move["uci"]: move for move in answer["moves"]}
    expected = {uci: results for uci, results in moves.items() if uci}
    problems = []
    if set(found) != set(expected):
        problems.append(f"{key}: moves {sorted(found)}, expected {sorted(expected)}")
    total = sum(moves.values(), collections.Counter())
    for name, value, results in [("all", answer, total)] + [(uci, found[uci], expected[uci]) for uci in found if uci in expected]:
        for column in ["white", "draws", "black"]:
            if value[column] != results[column]:
                problems.append(f"{key} {name}: {column} {value[column]}, expected {results[column]}")
        if value["games"] != sum(results.values()):
            problems.append(f"{key} {name}: {value['games']} games, expected {sum(results.values())}")
    return problems


def started(program, path):
    server = subprocess.Popen([program, "book", "serve", path, f"morphy-white={path}", "--listen", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
    for line in server.stderr:
        if found := re.search(r"http://\S+", line):
            return server, found[0].rstrip("/")
    sys.exit(f"the server ended with status {server.wait()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pgn2epd", default=ROOT / "target/release/pgn2epd", type=pathlib.Path)
    parser.add_argument("file", nargs="?", type=pathlib.Path)
    args = parser.parse_args()
    corpus = ROOT.parent / "shared/corpus/twic1599_first555.pgn"
    path = args.file or (corpus if corpus.exists() else ROOT / "fixtures/classics.pgn")
    positions = counted(path)
    server, address = started(args.pgn2epd, path)
    problems = []
    try:
        explorer = berserk.Client(explorer_url=address).opening_explorer
        some = random.Random(1).sample(sorted(positions), min(300, len(positions)))
        for key in some:
            for ask in [explorer.get_masters_games, explorer.get_lichess_games]:
                problems += differences(key, positions[key], ask(position=f"{key} 0 1"))
        answer = explorer.get_lichess_games(play=["e2e4", "c7c5"], moves=2, top_games=1, recent_games=1, history=False)
        sizes = [len(answer[name]) for name in ["moves", "topGames", "recentGames"]]
        if any(size > most for size, most in zip(sizes, [2, 1, 1])):
            problems.append(f"limits: {sizes}")
        start = next(key for key in positions if key.startswith(chess.STARTING_BOARD_FEN))
        player = list(explorer.stream_player_games("Morphy", "white"))
        if len(player) != 1:
            problems.append(f"{len(player)} answers for a player")
        problems += differences(start, positions[start], explorer.get_player_games("Morphy", "white"))
        game = explorer.get_masters_games()["topGames"][0]
        pgn = chess.pgn.read_game(io.StringIO(explorer.get_otb_master_game(game["id"])))
        if (pgn.headers["White"], pgn.headers["Black"]) != (game["white"]["name"], game["black"]["name"]):
            problems.append(f"{game['id']} is {pgn.headers}")
        try:
            explorer.get_masters_games(since=1990)
            problems.append("since is ignored")
        except berserk.exceptions.ResponseError as error:
            if error.status_code != 400:
                problems.append(f"since: status {error.status_code}")
        # All positions, a list at a time.
        keys = list(positions)
        for at in range(0, len(keys), LIST):
            body = json.dumps([{"fen": f"{key} 0 1"} for key in keys[at : at + LIST]]).encode()
            with urllib.request.urlopen(urllib.request.Request(f"{address}/masters", data=body)) as reply:
                for key, answer in zip(keys[at : at + LIST], json.load(reply), strict=True):
                    problems += differences(key, positions[key], answer)
    finally:
        server.terminate()
    if server.wait() != 0:
        problems.append(f"the server ended with status {server.returncode}")
    for problem in problems[:20]:
        print(problem, file=sys.stderr)
    print(f"{len(positions)} positions of {path.name}, {len(some)} of them with berserk: {len(problems)} differences")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
