#!/usr/bin/env python3
"""Compares what pgn2epd gets from an engine with what python-chess gets.

    tests/python_chess_engine.py [--pgn2epd PROGRAM] [--engine PROGRAM] [--positions N] [--nodes N] [FILE]...

By default Stockfish searches 100 positions of fixtures/classics.pgn and fixtures/chess960.pgn with 10,000 nodes: score, depth, moves, and
those moves that are at most 20 centipawns worse. Each of them equals that of python-chess. So do the moves, scores, points, and the nodes up to
the solution in test suites, if ../shared has some: Bratko-Kopec, Win at Chess, the Strategic Test Suite.

A scripted engine announces mates for both sides; the best moves are those with the score of the first one, in which the mover is mated as late.

The positions of a book that Stockfish selects are those in which python-chess gets an evaluation, or a share of draws, in the range.

Exit status: 0 all equal, 1 differences, 77 python-chess or the engine is not installed.
"""

import argparse
import csv
import pathlib
import random
import shutil
import subprocess
import sys

from python_chess import ROOT

import chess
import chess.engine

WITHIN = 20
SUITES = ["bratko-kopec.epd", "suites/wacnew.epd", "suites/sts_v6.epd"]


def value(score):
    """A score as in the EPD standard."""
    mate = score.mate()
    if mate is None:
        return score.score()
    return 32768 - 2 * mate if mate > 0 else -32767 - 2 * mate


def san(board, moves):
    """Moves from a position, in SAN."""
    board = board.copy(stack=False)
    words = []
    for move in moves:
        words.append(board.san(move))
        board.push(move)
    return words


def answer(engine, board, nodes, number):
    """The operations of a position, of which those of bm are sorted."""
    lines = {}
    with engine.analysis(board, chess.engine.Limit(nodes=nodes), multipv=3, game=number) as analysis:
        for info in analysis:
            # A bound is not a score.
            if "score" in info and not info.get("lowerbound") and not info.get("upperbound"):
                lines[info.get("multipv", 1)] = dict(info)
        best = analysis.wait().move
    if not lines or best is None:
        return {}
    scores = {rank: value(line["score"].relative) for rank, line in lines.items()}
    good = {lines[rank]["pv"][0] for rank, score in scores.items() if score >= scores[1] - WITHIN}
    return {
        "ce": [str(scores[1])],
        "acd": [str(lines[1]["depth"])],
        "pv": san(board, lines[1]["pv"]),
        "bm": sorted(board.san(move) for move in {best} | good),
    }


def attempt(engine, line, nodes, number):
    """The row of a position of a suite."""
    board = chess.Board()
    asked = board.set_epd(line)
    course, searched, score = [], "", None
    with engine.analysis(board, chess.engine.Limit(nodes=nodes), game=number) as analysis:
        for info in analysis:
            searched = info.get("nodes", searched)
            if info.get("pv"):
                course.append((info["pv"][0], searched, info["depth"]))
            if "score" in info and not info.get("lowerbound") and not info.get("upperbound"):
                score = value(info["score"].relative)
        best = analysis.wait().move
    solution = ("", "")
    for move, *when in reversed(course if best in asked["bm"] else []):
        if move not in asked["bm"]:
            break
        solution = when
    points = most = ""
    if "c8" in asked:
        all_points = dict(zip(asked["c9"].split(), map(int, asked["c8"].split())))
        points, most = all_points.get(best.uci(), 0), max(all_points.values())
    row = [asked["id"], board.san(best), score, str(best in asked["bm"]).lower(), points, most, *solution]
    return [str(cell) for cell in row]


def compare_suite(engine, solve, suite, nodes):
    """The number of differences in a suite."""
    output = subprocess.run([*solve, "--format", "csv", suite], stdout=subprocess.PIPE, check=True, text=True).stdout
    columns = ["position", "move", "score", "solved", "points", "most_points", "nodes", "depth"]
    rows = [[row[name] for name in columns] for row in csv.DictReader(output.splitlines())]
    lines = [line for line in suite.read_text().splitlines() if line.strip()]
    expected = [attempt(engine, line, nodes, (suite, number)) for number, line in enumerate(lines)]
    for row, other in zip(rows, expected):
        if row != other:
            print(f"{row}\n    {other}")
    differences = sum(row != other for row, other in zip(rows, expected)) + abs(len(rows) - len(expected))
    solved = sum(row[3] == "true" for row in rows)
    print(f"{suite.name}: {solved} of {len(rows)} solved, {differences} differences")
    return differences


def lines_of(board):
    """Lines of a scripted engine: moves with their scores, of which the best is the first."""
    rng = random.Random(board.epd())
    moves = rng.sample(sorted(board.legal_moves, key=chess.Move.uci), min(3, board.legal_moves.count()))
    scores = rng.choices(rng.choice([[(True, -3), (True, -1), (True, -12)], [(True, 1), (True, 4), (False, 90)], [(False, 20), (False, -35), (True, -2)]]), k=len(moves))
    # A mate is better the sooner it is, and being mated the later.
    worth = lambda score: score[1] if not score[0] else (1e6 if score[1] > 0 else -1e6) - score[1]
    return list(zip(moves, sorted(scores, key=worth, reverse=True)))


def play():
    """Answers as that engine."""
    board = chess.Board()
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "uci":
            print("id name scripted\noption name MultiPV type spin default 1 min 1 max 9\noption name UCI_Chess960 type check default false\nuciok")
        elif word == "isready":
            print("readyok")
        elif word == "position":
            fen, _, moves = rest.partition(" moves ")
            board = chess.Board() if fen == "startpos" else chess.Board(fen.removeprefix("fen "))
            for move in moves.split():
                board.push_uci(move)
        elif word == "go":
            lines = lines_of(board)
            for rank, (move, (is_mate, number)) in enumerate(lines, 1):
                print(f"info depth 5 multipv {rank} score {'mate' if is_mate else 'cp'} {number} nodes 9 pv {move}")
            print(f"bestmove {lines[0][0]}")
        elif word == "quit":
            break
        sys.stdout.flush()


def compare_scripted(program):
    """The number of differences between the scores and best moves of the scripted engine and those that are written."""
    engine = f"{sys.executable} {pathlib.Path(__file__).resolve()} --play"
    command = [program, "analyse", "-q", "--engine", engine, "--nodes", "9", "--multipv", "3", "--bm", "within:0", "--registers", "off", "--ops", "none"]
    output = subprocess.run([*command, ROOT / "fixtures/classics.pgn"], stdout=subprocess.PIPE, check=True, text=True).stdout
    differences = 0
    for line in output.splitlines():
        board, found = chess.Board.from_epd(line)
        lines = lines_of(board) if any(board.legal_moves) else []
        best = {move for move, score in lines if score == lines[0][1]}
        score = value(chess.engine.Mate(lines[0][1][1]) if lines[0][1][0] else chess.engine.Cp(lines[0][1][1])) if lines else None
        if set(found.get("bm", [])) != best or lines and found.get("ce") != score:
            differences += 1
            print(f"{line}\n    bm {best}, ce {score}")
    print(f"scripted engine: {len(output.splitlines())} positions, {differences} differences")
    return differences + (not output)


def inside(score, draws):
    """Whether White's evaluation and the share of draws are in the ranges of the book."""
    return -300 <= value(score.white()) <= 300 and 50 <= draws <= 950


def compare_book(engine, command, depth, arguments):
    """The number of differences between a book and the positions that python-chess selects."""
    run = lambda *more: subprocess.run([*command, *more], stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
    expected, positions = [], run("--ops", "clocks")
    for number, line in enumerate(positions):
        *fields, fullmoves, halfmoves = line.replace(";", "").replace("fmvn ", "").replace("hmvc ", "").split()
        board = chess.Board(" ".join([*fields, halfmoves, fullmoves]))
        if not any(board.legal_moves):
            continue
        last = None
        # A limit that leaves no bound: python-chess misses one that follows wdl.
        with engine.analysis(board, chess.engine.Limit(depth=depth), game=("book", number)) as analysis:
            for info in analysis:
                last = dict(info) if "score" in info else last
        if inside(last["score"], last["wdl"].relative.draws):
            expected.append((fields, f"ce {value(last['score'].relative)}"))
    selected = run("--eval", "white:-3.00..3.00", "--draws", "0.05..0.95", *arguments)
    found = [(line.split()[:4], next(word for word in line.split("; ") if word.startswith("ce "))) for line in selected]
    differences = len(found) if len(found) != len(expected) else sum(map(lambda a, b: a != b, found, expected))
    print(f"book: {len(found)} of {len(positions)} selected, {differences} differences")
    return differences


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pgn2epd", default=ROOT / "target/release/pgn2epd", type=pathlib.Path)
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--positions", default=100, type=int)
    parser.add_argument("--nodes", default=10000, type=int)
    parser.add_argument("files", nargs="*", default=[ROOT / "fixtures/classics.pgn", ROOT / "fixtures/chess960.pgn"])
    arguments = parser.parse_args()
    # The folder of Debian is not always in the path.
    program = shutil.which(arguments.engine) or shutil.which(arguments.engine, path="/usr/games")
    if program is None:
        print(f"{arguments.engine} is not installed")
        sys.exit(77)
    differences = compare_scripted(arguments.pgn2epd)
    select = ["--sample", str(arguments.positions), "--ops", "hmvc,fmvn", "--registers", "off", "--quiet", "--castling", "shredder"]
    search = ["--engine", program, "--nodes", str(arguments.nodes), "--multipv", "3", "--bm", f"within:{WITHIN}"]
    command = [arguments.pgn2epd, "analyse", *search, *select, *arguments.files]
    output = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    with chess.engine.SimpleEngine.popen_uci(program) as engine:
        for number, line in enumerate(output.splitlines()):
            *fields, operations = line.split(" ", 4)
            found = {name: words for name, *words in map(str.split, operations.split(";")[:-1])}
            board = chess.Board(" ".join([*fields, *found["hmvc"], *found["fmvn"]]), chess960=True)
            board.chess960 = board.has_chess960_castling_rights()
            found = {name: words for name, words in found.items() if name in ("ce", "acd", "pv", "bm")}
            found["bm"] = sorted(found.get("bm", []))
            found = {name: words for name, words in found.items() if words}
            expected = answer(engine, board, arguments.nodes, number)
            if found != expected:
                differences += 1
                print(f"{line}\n    {expected}")
        print(f"{len(output.splitlines())} positions, {differences} differences")
        book = [arguments.pgn2epd, "book", "--ply", "8..40", "--quiet", ROOT / "fixtures/classics.pgn"]
        engine.configure({"UCI_ShowWDL": True})
        differences += compare_book(engine, book, 9, ["--engine", program, "--depth", "9"])
        engine.configure({"UCI_ShowWDL": False})
        solve = [arguments.pgn2epd, "solve", "--engine", program, "--nodes", str(arguments.nodes)]
        suites = [ROOT.parent / "shared/corpus/epd" / name for name in SUITES]
        for suite in filter(pathlib.Path.exists, suites):
            differences += compare_suite(engine, solve, suite, arguments.nodes)
    sys.exit(differences > 0)


if __name__ == "__main__":
    play() if sys.argv[1:] == ["--play"] else main()
