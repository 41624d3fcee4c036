#!/usr/bin/env python3
"""Asks `pgn2epd book serve` with berserk, the client of Lichess, and compares the answers with counts by python-chess.

All positions of a file; the names of openings in lines that leave them, with a table of names; dates, ratings and speeds of random games.

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
import tempfile
import urllib.parse
import urllib.request

try:
    import berserk
    import chess.pgn
    import samples
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


def started(program, *served):
    server = subprocess.Popen([program, "book", "serve", *served, "--listen", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
    for line in server.stderr:
        if found := re.search(r"http://\S+", line):
            return server, found[0].rstrip("/")
    sys.exit(f"the server ended with status {server.wait()}")


def asked(address, **query):
    with urllib.request.urlopen(f"{address}?{urllib.parse.urlencode(query)}") as reply:
        return json.load(reply)


def named_positions():
    """The names of positions, by the moves of a table."""
    with open(ROOT / "crates/openings/data/openings.tsv", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if line[0] != "#"]
    return {chess.pgn.read_game(io.StringIO(moves)).end().board().epd(): {"eco": eco, "name": name} for eco, name, moves in rows[1:]}


def check_names(address, rng):
    """In a line the name is that of its last position that has one."""
    names, problems = named_positions(), []
    known = sorted(names)
    for _ in range(60):
        # Moves of openings, then others.
        board, moves, expected = chess.Board(), [], None
        for _ in range(rng.randrange(1, 14)):
            good = [move for move in board.legal_moves if samples.after(board, move).epd() in names]
            move = rng.choice(good if good and rng.random() < 0.8 else list(board.legal_moves))
            moves.append(move.uci())
            board.push(move)
            expected = names.get(board.epd(), expected)
        found = asked(address, play=",".join(moves))["opening"]
        if found != expected:
            problems.append(f"{','.join(moves)}: opening {found}, expected {expected}")
        position = rng.choice(known)
        if (found := asked(address, fen=f"{position} 0 1")["opening"]) != names[position]:
            problems.append(f"{position}: opening {found}, expected {names[position]}")
    return problems


BANDS = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500]
# By the seconds of 40 moves.
SPEEDS = {"bullet": range(30, 180), "blitz": range(180, 480), "rapid": range(480, 1500), "classical": range(1500, 21600)}


def check_classes(program, rng, folder):
    """Games by date, rating and speed are those of which all of these are known and asked for."""
    games, path = [], f"{folder}/classes.pgn"
    with open(path, "w", encoding="utf-8") as file:
        for _ in range(150):
            year, month, rating, seconds, result = rng.randrange(2018, 2022), rng.randrange(1, 13), rng.randrange(900, 2700), rng.choice([60, 179, 180, 479, 600, 1800]), rng.choice(list(RESULTS))
            tags = {"Date": rng.choice([f"{year}.{month:02}.03", f"{year}.{month:02}.??"]), "WhiteElo": rating - 7, "BlackElo": rating + 7, "TimeControl": f"{seconds - 40}+1", "Result": result}
            for name in ["Date", "WhiteElo", "TimeControl"]:
                if rng.random() < 0.1:
                    tags[name] = "?"
            move = rng.choice(["e4", "d4", "c4"])
            file.write("".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + f"\n1. {move} {result}\n\n")
            games.append((tags, f"{year}-{month:02}", rating, seconds, move, result))
    explorer = f"{folder}/classes.explorer"
    subprocess.run([program, "book", "-q", "--group-by", "rating,speed,month", path, "-o", explorer], check=True)
    server, address = started(program, explorer)
    problems = []
    try:
        for _ in range(60):
            query = {}
            if rng.random() < 0.6:
                query["since"] = rng.choice([f"{rng.randrange(2018, 2022)}", f"{rng.randrange(2018, 2022)}-{rng.randrange(1, 13):02}"])
            if rng.random() < 0.6:
                query["until"] = rng.choice([f"{rng.randrange(2018, 2022)}", f"{rng.randrange(2018, 2022)}-{rng.randrange(1, 13):02}"])
            if rng.random() < 0.6:
                query["ratings"] = ",".join(map(str, sorted(rng.sample(BANDS, 4))))
            if rng.random() < 0.6:
                query["speeds"] = ",".join(rng.sample(list(SPEEDS), 2))

            def is_asked(game):
                tags, month, rating, seconds, *_ = game
                band = max(band for band in BANDS if band <= rating)
                speed = next(name for name, range in SPEEDS.items() if seconds in range)
                return (
                    (not query.keys() & {"since", "until"} or tags["Date"] != "?" and query.get("since", "") <= month and month[:len(query.get("until", month))] <= query.get("until", month))
                    and ("ratings" not in query or tags["WhiteElo"] != "?" and str(band) in query["ratings"].split(","))
                    and ("speeds" not in query or tags["TimeControl"] != "?" and speed in query["speeds"].split(","))
                )

            moves = collections.defaultdict(collections.Counter)
            for *_, move, result in filter(is_asked, games):
                moves[chess.Board().parse_san(move).uci()][RESULTS[result]] += 1
            if query.get("since", "") <= query.get("until", "9"):
                problems += differences(f"{query}", moves, asked(f"{address}/classes", **query))
    finally:
        server.terminate()
        server.wait()
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pgn2epd", default=ROOT / "target/release/pgn2epd", type=pathlib.Path)
    parser.add_argument("file", nargs="?", type=pathlib.Path)
    args = parser.parse_args()
    corpus = ROOT.parent / "shared/corpus/twic1599_first555.pgn"
    path = args.file or (corpus if corpus.exists() else ROOT / "fixtures/classics.pgn")
    positions = counted(path)
    server, address = started(args.pgn2epd, path, f"morphy-white={path}")
    rng, problems = random.Random(1), []
    with tempfile.TemporaryDirectory() as folder:
        problems += check_classes(args.pgn2epd, rng, folder)
    try:
        problems += check_names(f"{address}/masters", rng)
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
        problems += differences(start, positions[start], asked(f"{address}/morphy-white"))
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
