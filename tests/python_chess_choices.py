#!/usr/bin/env python3
"""Compares choices and counts with lists and dictionaries in Python, on random games and files of positions.

    tests/python_chess_choices.py [--pgn2epd PROGRAM] [--games N] [--seed N]

The weights of Polyglot books; partial results and their merge; --unique, --sort, --sample, --skip and --limit; the positions and operations
of records before and after `check --fix`; what `check --stats` and the summary count.

Exit status: 0 all equal, 1 differences, 77 python-chess is not installed.
"""

import argparse
import collections
import functools
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile

try:
    import chess
    import chess.pgn
    import chess.polyglot
    import python_chess_positions as positions
    import samples
except ImportError as error:
    print(f"{error}: nothing was compared", file=sys.stderr)
    sys.exit(77)

ROOT = samples.ROOT


def output(*command, status=(0,)):
    run = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode not in status:
        sys.exit(f"{' '.join(map(str, command))}: {run.stderr}")
    return run.stdout.splitlines(), run.stderr


def replays(games):
    """The main lines: the boards of each game, the moves between them, and the result."""
    for game, result in games:
        boards, moves = [game.board()], list(game.mainline_moves())
        for move in moves:
            boards.append(samples.after(boards[-1], move))
        yield boards, moves, result


def weights(games, how, unknown, least_games, least_score):
    """The weights of a Polyglot book: two points for each win and one for each draw of the side that moves."""
    counts = collections.defaultdict(lambda: [0, 0, 0])
    for boards, moves, result in replays(games):
        seen = set()
        for board, move in zip(boards, moves):
            key = chess.polyglot.zobrist_hash(board)
            if key in seen:
                continue
            seen.add(key)
            count = counts[key, move]
            count[0] += 1
            if result != "*" or unknown == "draw":
                count[1] += 1
                count[2] += 2 * (result == ("1-0" if board.turn else "0-1")) + (result in ("1/2-1/2", "*"))
    found = {}
    for (key, move), (all_games, counted, points) in counts.items():
        if all_games < least_games or least_score is not None and (not counted or points < 2 * counted * least_score):
            continue
        if how == "uniform" or points:
            found[key, move] = points if how == "points" else None
    return found


def check_weights(program, path, games, folder):
    wrong = []
    for number, choice in enumerate(itertools.product(["points", "uniform"], ["draw", "skip"], [0, 2], [None, 0.6])):
        how, unknown, least_games, least_score = choice
        options = ["--weights", how, "--unknown-result", unknown]
        options += ["--min-move-games", least_games] * bool(least_games) + ["--min-move-score", least_score] * (least_score is not None)
        expected, book = weights(games, how, unknown, least_games, least_score), folder / f"{number}.bin"
        output(program, "book", "-q", *options, path, "-o", book, status=(0, 1))
        found = collections.defaultdict(dict)
        with chess.polyglot.open_reader(book) as reader:
            boards = {chess.polyglot.zobrist_hash(board): board for boards, *_ in replays(games) for board in boards}
            for key, board in boards.items():
                for entry in reader.find_all(board):
                    found[key][entry.move] = entry.weight
            size = len(reader)
        values = {(key, move): weight for key, moves in found.items() for move, weight in moves.items()}
        same = {len(set(moves.values())) for moves in found.values()} <= {1} if how == "uniform" else values == expected
        if values.keys() != expected.keys() or not same or size != len(expected):
            different = [item for item in {**expected, **values} if values.get(item) != expected.get(item)]
            wrong.append(f"book {' '.join(map(str, options))}: {size} moves, not {len(expected)}, {different[:1]}")
    return wrong


def check_merge(program, games, rng, folder):
    """Parts are together what python-chess counts in all of their files."""
    paths = [folder / f"{name}.pgn" for name in "abc"]
    for game, result in games:
        game.headers["Result"] = result
    for path, part in zip(paths, [games[0::3], games[1::3], games[2::3]]):
        path.write_text("\n\n".join(samples.written(rng, *game) for game in part) + "\n", encoding="utf-8")
    parts = [folder / f"{name}.part" for name in "abc"]
    for path, part in zip(paths, parts):
        output(program, "book", "-q", "--partial", path, "-o", part)
    found, _ = output(program, "book", "merge", "--format", "jsonl", "--order", "key", *rng.sample(parts, 3))
    expected, _ = output(sys.executable, ROOT / "tests/book_naive.py", *paths)
    columns = ["epd", "games", "white", "draws", "black", "rated", "rating_sum", "first_year", "last_year", "first_file", "first_game", "first_ply", "strongest_file", "strongest_game"]
    cut = lambda row: [[row[name] for name in columns], sorted([move["uci"] or "", *(move[name] for name in columns[1:])] for move in row["moves"])]
    theirs, ours = [sorted(cut(json.loads(line)) for line in lines) for lines in (expected, found)]
    return [] if theirs == ours else [f"merge: {len(ours)} positions, not {len(theirs)}, {next((pair for pair in zip(ours, theirs) if pair[0] != pair[1]), '')}"]


def check_lists(program, path, games, rng):
    """Choices of records, which are FENs here."""
    run = lambda *options: output(program, "-q", "--format", "fen", "--ep", "legal", path, *options)[0]
    rows = [
        {"fen": board.fen(en_passant="legal"), "ply": ply, "legal": board.legal_moves.count(), "pieces": len(board.piece_map()), "Round": game.headers.get("Round", "?")}
        for game, (boards, *_) in zip((game for game, _ in games), replays(games)) for ply, board in enumerate(boards)
    ]
    all_fens, wrong = [row["fen"] for row in rows], []

    def expect(name, found, expected):
        if found != expected:
            wrong.append(f"{name}: {len(found)} records, not {len(expected)}: {next((pair for pair in zip(found, expected) if pair[0] != pair[1]), '')}")

    expect("all", run(), all_fens)
    first = {}
    for fen in all_fens:
        first.setdefault(fen.rsplit(" ", 2)[0], fen)
    expect("--unique", run("--unique"), list(first.values()))
    skip, limit = rng.randrange(20), rng.randrange(1, 50)
    expect("--skip --limit", run("--skip", str(skip), "--limit", str(limit)), all_fens[skip:skip + limit])
    for _ in range(6):
        names = rng.sample(["ply", "legal", "pieces", "Round"], 2)
        signs = [rng.choice([1, -1]) for _ in names]

        def compare(one, other):
            for name, sign in zip(names, signs):
                a, b = one[name], other[name]
                if name == "Round":
                    # Those that are not known come last in both directions.
                    unknown = [not value.strip("?-") for value in (a, b)]
                    if any(unknown):
                        if unknown[0] != unknown[1]:
                            return unknown[0] - unknown[1]
                        continue
                    a, b = float(a), float(b)
                if a != b:
                    return sign if a > b else -sign
            return 0

        keys = ",".join(f"{'-' * (sign < 0)}{name}" for name, sign in zip(names, signs))
        in_order = [row["fen"] for row in sorted(rows, key=functools.cmp_to_key(compare))]
        expect(f"--sort {keys}", run(f"--sort={keys}"), in_order)
        expect(f"--sort {keys} --limit", run(f"--sort={keys}", "--limit", "17"), in_order[:17])
    sample = run("--sample", "40", "--seed", "5")
    rest = iter(all_fens)
    if len(sample) != 40 or not all(fen in rest for fen in sample) or sample != run("--sample", "40", "--seed", "5") or sample == run("--sample", "40", "--seed", "6"):
        wrong.append(f"--sample: {len(sample)} records, which are not 40 of all in their order")
    return wrong


def check_fix(program):
    """Repaired records have the positions, counters and operations that python-chess reads before."""
    wrong, compared = [], 0
    folders = [ROOT / "fixtures/epd", samples.CORPUS / "epd"]
    for path in sorted(path for folder in folders for path in folder.rglob("*.epd")):
        for number, line in list(positions.read_file(path).items())[:60]:
            read = positions.read_line(line)
            if read is None or read[1] is None:
                continue
            fixed = subprocess.run([program, "check", "-q", "--fix", "-"], input=line + "\n", capture_output=True, text=True).stdout.splitlines()
            if not fixed:
                continue
            again = positions.read_line(fixed[0])
            compared += 1
            if len(fixed) != 1 or again is None or again[1] is None:
                wrong.append(f"{path.name}:{number}: {line}\n    {fixed}")
                continue
            expected, comments = positions.expected(read[1])
            # Another predicted move than the first of the variation (EPD 5.18) becomes a comment.
            if "pm" in read[1] and read[1].get("pv", [read[1]["pm"]])[0] != read[1]["pm"]:
                comments.add("pm")
                del expected["pm"]
            found = {opcode: value for opcode, value in positions.comparable(again[1]).items() if str(value).split(" ")[0] not in comments}
            if positions.fields(read[0]) != positions.fields(again[0]) or found != expected:
                wrong.append(f"{path.name}:{number}: {line}\n    {fixed[0]}")
    return wrong if compared else ["check --fix: nothing was compared"]


def check_counts(program, path, games, folder):
    boards = [board for boards, *_ in replays(games) for board in boards]
    fens = folder / "all.fen"
    fens.write_text("".join(board.fen(en_passant="fen") + "\n" for board in boards))
    found = json.loads(output(program, "check", "-q", "--stats", "--json", fens)[0][-1])
    different = lambda key: len(set(map(key, boards)))
    expected = {
        "positions": len(boards), "white_to_move": sum(board.turn for board in boards), "unique_with_clocks": different(lambda board: board.fen(en_passant="fen")),
        "unique_without_clocks": different(lambda board: board.epd(en_passant="fen")), "unique_without_superfluous_ep": different(lambda board: board.epd(en_passant="legal")),
        "unique_board_side": different(lambda board: (board.board_fen(), board.turn)), "unique_board": different(chess.Board.board_fen),
        "superfluous_ep": sum(board.ep_square is not None and not board.has_legal_en_passant() for board in boards),
    }
    summary = json.loads(output(program, "--summary=json", "--format", "fen", path)[1].splitlines()[-1])
    wrong = [f"check --stats: {name} {found[name]}, not {count}" for name, count in expected.items() if found[name] != count]
    if (summary["games"], summary["positions"]) != (len(games), len(boards)):
        wrong.append(f"summary: {summary}, not {len(games)} games and {len(boards)} positions")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pgn2epd", default=ROOT / "target/release/pgn2epd", type=pathlib.Path)
    parser.add_argument("--games", default=60, type=int)
    parser.add_argument("--seed", default=1, type=int)
    arguments = parser.parse_args()
    program, rng = arguments.pgn2epd.resolve(), random.Random(arguments.seed)
    games = [samples.random_game(rng, 30) for _ in range(arguments.games)] + samples.rare_games()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path = folder / "games.pgn"
        path.write_text("\n\n".join(samples.written(rng, *game) for game in games) + "\n", encoding="utf-8")
        wrong = check_weights(program, path, games, folder) + check_lists(program, path, games, rng)
        wrong += check_merge(program, games, rng, folder) + check_fix(program) + check_counts(program, path, games, folder)
    for fault in wrong[:20]:
        print(fault, file=sys.stderr)
    print(f"{len(games)} games: {len(wrong)} differences in choices and counts")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
