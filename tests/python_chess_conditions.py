#!/usr/bin/env python3
"""Compares conditions on the board and on several positions with definitions of their own on python-chess.

    tests/python_chess_conditions.py [--pgn2epd PROGRAM] [--games N] [FILE.pgn]...

Without files it reads those of fixtures/, and of ../shared/corpus if it exists. Of the first N games of each file (40) that
python-chess reads without an error, the positions that --where selects must be those for which the definition holds.

Exit status: 0 all equal, 1 differences, 77 python-chess is not installed.
"""

import argparse
import collections
import io
import json
import multiprocessing
import pathlib
import re
import subprocess
import sys

try:
    import chess
    import chess.pgn
except ImportError as error:
    print(f"{error}: nothing was compared", file=sys.stderr)
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent
chess.pgn.LOGGER.disabled = True


class Game:
    """The positions of the main line, the moves between them in SAN, and the tags."""

    def __init__(self, game):
        self.boards, self.sans, self.moves = [game.board()], [], list(game.mainline_moves())
        for move in self.moves:
            self.sans.append(re.sub("[+#]", "", self.boards[-1].san(move)))
            board = self.boards[-1].copy(stack=False)
            board.push(move)
            self.boards.append(board)
        self.tags = game.headers


def each(holds):
    return lambda game: [holds(board) for board in game.boards]


def squares(pattern):
    """The squares of a pattern from a8 to h1, each as the letters that may be there, `_` for none; None for a free square."""
    letters = {"A": "PNBRQK", "a": "pnbrqk", "!": "PNBRQKpnbrqk", "?": None}
    parts = re.findall(r"\[[^]]*\]|[^/]", pattern)
    for part in parts:
        if part.isdigit():
            yield from [None] * int(part)
        else:
            yield letters.get(part, part.strip("[]"))


def looks_like(pattern):
    wanted = list(squares(pattern))
    assert len(wanted) == 64, pattern

    def holds(board):
        text = re.sub(r"\d", lambda digit: "_" * int(digit[0]), board.board_fen()).replace("/", "")
        return all(letters is None or there in letters for there, letters in zip(text, wanted))

    return holds


def material(board):
    def side(color):
        return "".join(chess.piece_symbol(piece).upper() * len(board.pieces(piece, color)) for piece in range(6, 0, -1))

    return f"{side(chess.WHITE)}v{side(chess.BLACK)}"


def has(regex):
    return each(lambda board: re.fullmatch(regex, material(board)) is not None)


def both_ways(holds, turn):
    return each(lambda board: holds(board) or holds(turn(board)))


def mirrored(board):
    return board.transform(chess.flip_horizontal)


def attacks(color, piece, square=None, target=None):
    def holds(board):
        targets = [square] if square is not None else board.pieces(*target)
        return any(board.piece_type_at(by) in piece for at in targets for by in board.attackers(color, at))

    return each(holds)


def in_a_row(of, plies):
    def holds(game):
        values = of(game)
        return [at + 1 >= plies and all(values[at + 1 - plies:at + 1]) for at in range(len(values))]

    return holds


def then(first, second, within=10**9):
    def holds(game):
        one, other = first(game), second(game)
        return [other[at] and any(one[max(0, at - within):at]) for at in range(len(one))]

    return holds


def moves(*wanted):
    return lambda game: [at >= len(wanted) and game.sans[at - len(wanted):at] == list(wanted) for at in range(len(game.boards))]


def line(*wanted):
    return lambda game: [game.sans[:len(wanted)] == list(wanted) and at >= len(wanted) for at in range(len(game.boards))]


def same(board):
    return board.fen(en_passant="legal").rsplit(" ", 2)[0]


def reached(fen):
    def holds(game):
        found = [same(board) == fen for board in game.boards]
        return [any(found[:at + 1]) for at in range(len(found))]

    return holds


def repeated(count):
    def holds(game):
        seen, found = collections.Counter(), []
        for board in game.boards:
            seen[same(board)] += 1
            found.append(seen[same(board)] >= count)
        return found

    return holds


def of_game(holds):
    return lambda game: [holds(game.tags)] * len(game.boards)


def moved(holds):
    return lambda game: [holds(board, move) for board, move in zip(game.boards, game.moves)] + [False]


def both(*parts):
    return lambda game: [all(values) for values in zip(*(part(game) for part in parts))]


def number(piece, color=None):
    return lambda board: sum(len(board.pieces(piece, side)) for side in ([color] if color is not None else chess.COLORS))


def player(name, color=None, result=None):
    def holds(tags):
        sides = [("White", "w", "1-0"), ("Black", "b", "0-1")]
        return any(
            name.lower() in tags.get(side, "").lower() and color in (None, letter) and result in (None, tags.get("Result") == won)
            for side, letter, won in sides
        )

    return of_game(holds)


WHITE, BLACK = chess.WHITE, chess.BLACK
FIANCHETTO = "8/8/8/8/8/6P1/5PBP/6K1"
SICILIAN = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"
few_pawns = each(lambda board: number(chess.PAWN)(board) < 8)
check = each(chess.Board.is_check)
no_queens = each(lambda board: number(chess.QUEEN)(board) == 0)
CONDITIONS = {
    f'board ~ "{FIANCHETTO}"': each(looks_like(FIANCHETTO)),
    f'either(board ~ "{FIANCHETTO}")': both_ways(looks_like(FIANCHETTO), chess.Board.mirror),
    f'mirrored(board ~ "{FIANCHETTO}")': both_ways(looks_like(FIANCHETTO), mirrored),
    'board ~ "8/8/8/3[pP]4/8/8/8/8"': each(looks_like("8/8/8/3[pP]4/8/8/8/8")),
    'board ~ "8/8/8/3!4/3_??[Nb_]1/8/8/8"': each(looks_like("8/8/8/3!4/3_??[Nb_]1/8/8/8")),
    'board ~ "r3k3/8/8/8/8/A7/8/4K2R" or board ~ "8/8/a7/8/8/8/8/8"': each(
        lambda board: looks_like("r3k3/8/8/8/8/A7/8/4K2R")(board) or looks_like("8/8/a7/8/8/8/8/8")(board)),
    'not board ~ "8/8/8/3pp3/8/8/8/8" and ply > 4': lambda game: [
        at > 4 and not looks_like("8/8/8/3pp3/8/8/8/8")(board) for at, board in enumerate(game.boards)],
    'material ~ "KRP*vKRP*"': has("KRP*vKRP*"),
    'material = "KRP2+vKRP+"': has("KRPP+vKRP+"),
    'material ~ "KP*vKP*"': has("KP*vKP*"),
    'material ~ "KQ?R1-2B?N?P*vKQ?R1-2BP*"': has("KQ?RR?B?N?P*vKQ?RR?BP*"),
    'material ~ "KRMP*vKRMP*"': has("KR[BN]P*vKR[BN]P*"),
    'material ~ "KRM2P+vKRB2-N?P+"': has("KR(BB|BN|NN)P+vKRB?B?N?P+"),
    'either(material ~ "KRP*vKBP*")': has("KRP*vKBP*|KBP*vKRP*"),
    'material in ("KPvK", "KvKP", "KRvKR")': has("KPvK|KvKP|KRvKR"),
    'material != "KQR2B2N2P8vKQR2B2N2P8"': each(lambda board: material(board) != "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP"),
    "attacks(wN, e5)": attacks(WHITE, [chess.KNIGHT], chess.E5),
    "attacks(bA, d4)": attacks(BLACK, range(1, 7), chess.D4),
    "attacks(bP, wA) or attacks(wB, bQ)": lambda game: [
        any(pair) for pair in zip(
            each(lambda board: any(
                board.piece_type_at(by) == chess.PAWN for at in chess.SquareSet(board.occupied_co[WHITE]) for by in board.attackers(BLACK, at)))(game),
            attacks(WHITE, [chess.BISHOP], target=(chess.QUEEN, BLACK))(game))],
    "either(attacks(wN, f6))": lambda game: [
        any(pair) for pair in zip(attacks(WHITE, [chess.KNIGHT], chess.F6)(game), attacks(BLACK, [chess.KNIGHT], chess.F3)(game))],
    "repetition >= 2": repeated(2),
    "repetition = 3": lambda game: [three and not four for three, four in zip(repeated(3)(game), repeated(4)(game))],
    "queens = 0 for 6 plies": in_a_row(no_queens, 6),
    "check for 2 plies": in_a_row(check, 2),
    "(pawns < 8 and not check) for 3 plies": in_a_row(both(few_pawns, lambda game: [not held for held in check(game)]), 3),
    "check then queens = 0": then(check, no_queens),
    "check then check within 2 plies": then(check, check, 2),
    "queens = 0 for 4 plies then check within 7 plies then pawns < 8 within 20": then(
        then(in_a_row(no_queens, 4), check, 7), few_pawns, 20),
    'line = "1. e4 c5 2. Nf3"': line("e4", "c5", "Nf3"),
    'line = "d4"': line("d4"),
    'line = "1. d4 Nf6 2. c4 e6" and queens = 0': both(line("d4", "Nf6", "c4", "e6"), no_queens),
    'moves ~ "Nxd4"': moves("Nxd4"),
    'moves ~ "12... Nd4"': moves("Nd4"),
    'moves ~ "O-O O-O"': moves("O-O", "O-O"),
    'moves ~ "c4 e6 Nc3"': moves("c4", "e6", "Nc3"),
    'moves ~ "exd5 exd5" then queens = 0': then(moves("exd5", "exd5"), no_queens),
    f'reached "{SICILIAN} 0 2"': reached(SICILIAN),
    'reached "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq -"': reached(
        "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq -"),
    'player ~ "an"': player("an"),
    'White ~ "an"': of_game(lambda tags: "an" in tags.get("White", "").lower()),
    "Date > 2004": of_game(lambda tags: tags.get("Date", "")[:4].isdigit() and int(tags["Date"][:4]) > 2004),
    'ECO in "B00".."B99"': of_game(lambda tags: "B00" <= tags.get("ECO", "") <= "B99"),
    'Result = "1-0"': of_game(lambda tags: tags.get("Result") == "1-0"),
    "WhiteElo >= 2600": of_game(lambda tags: tags.get("WhiteElo", "").isdigit() and int(tags["WhiteElo"]) >= 2600),
    "not FEN": of_game(lambda tags: "FEN" not in tags),
    'material ~ "KRP*vKRMP*" for 3 plies': in_a_row(has("KRP*vKR[BN]P*"), 3),
    'either(material ~ "KRP*vKRMP*") for 3 plies': in_a_row(has("KRP*vKR[BN]P*|KR[BN]P*vKRP*"), 3),
    "checkmate": each(chess.Board.is_checkmate),
    "stalemate": each(chess.Board.is_stalemate),
    'termination = "checkmate"': lambda game: [game.boards[-1].is_checkmate()] * len(game.boards),
    'termination = "stalemate"': lambda game: [game.boards[-1].is_stalemate()] * len(game.boards),
    "repetition >= 3": repeated(3),
    "hmvc >= 100": each(lambda board: board.halfmove_clock >= 100),
    "insufficient": each(chess.Board.is_insufficient_material),
    'promotion in ("r", "b", "n")': moved(lambda board, move: move.promotion in (chess.ROOK, chess.BISHOP, chess.KNIGHT)),
    "plies >= 59": lambda game: [len(game.sans) >= 59] * len(game.boards),
    "plies <= 80": lambda game: [len(game.sans) <= 80] * len(game.boards),
    "turn = b": each(lambda board: not board.turn),
    "turn = w": each(lambda board: board.turn),
    "wR - bR = 1 and bB - wB = 1 and wN = bN and wQ = bQ": each(lambda board: [
        len(board.pieces(piece, WHITE)) - len(board.pieces(piece, BLACK))
        for piece in (chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.QUEEN)] == [1, -1, 0, 0]),
    'piece in ("K", "Q")': moved(lambda board, move: board.piece_type_at(move.from_square) in (chess.KING, chess.QUEEN)),
    'captured = "Q"': moved(lambda board, move: board.is_capture(move) and board.piece_type_at(move.to_square) == chess.QUEEN),
    'turn = w and san = "O-O"': moved(lambda board, move: board.turn and board.san(move) == "O-O"),
    "check then check within 1 ply": then(check, check, 1),
    'player ~ "a" and color = b': player("a", "b"),
    'player ~ "e" and score = 1': player("e", result=True),
    'player ~ "e" and color = w and score = 1 and line = "e4"': both(player("e", "w", True), line("e4")),
}


def games_of(file, count):
    """The first games that are read without an error, with their numbers."""
    games, number = [], 0
    with open(file, encoding="utf-8-sig", errors="replace") as stream:
        while number < count and (game := chess.pgn.read_game(stream)) is not None:
            number += 1
            # Those without moves may be read as one with the next.
            if game.next() and not game.errors and type(game.board()) is chess.Board and not game.board().chess960 and game.board().is_valid():
                games.append((number, Game(game)))
    return games


def compare(task):
    program, file, count = task
    games = games_of(file, count)
    numbers = {number for number, _ in games}
    wrong, compared, found_any = [], 0, set()
    for condition, holds in CONDITIONS.items():
        command = [program, "-q", "--where", condition, "--format", "jsonl", "--columns", "game,ply", file]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode not in (0, 1) or run.stderr and not run.stdout and "error" in run.stderr and "--where" in run.stderr:
            wrong.append(f"{condition}: {run.stderr}")
            continue
        rows = [json.loads(row) for row in io.StringIO(run.stdout)]
        found = {(row["game"], row["ply"]) for row in rows if row["game"] in numbers}
        expected = {(number, ply) for number, game in games for ply, held in enumerate(holds(game)) if held}
        compared += sum(len(game.boards) for _, game in games)
        if expected:
            found_any.add(condition)
        if found != expected:
            missing, more = sorted(expected - found)[:3], sorted(found - expected)[:3]
            wrong.append(f"{file}: {condition}: game and ply missing {missing}, superfluous {more}")
    return wrong, compared, found_any


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pgn2epd", default=ROOT / "target/release/pgn2epd", type=pathlib.Path)
    parser.add_argument("--games", default=40, type=int)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    corpus = ROOT.parent / "shared/corpus"
    files = arguments.files or [*sorted((ROOT / "fixtures").glob("*.pgn")), *sorted(corpus.glob("*.pgn"))]
    # Each row of the tables for users of other programs is tested here.
    tables = re.findall(r"^\| [^|]* \| `(.*?)` \|$", (ROOT / "docs/conditions.md").read_text(), re.MULTILINE)
    assert len(tables) > 30, tables
    wrong = [f"docs/conditions.md: {condition} is not tested" for condition in tables if condition not in CONDITIONS]
    tasks = [(arguments.pgn2epd.resolve(), file, arguments.games) for file in files]
    compared, found_any = 0, set()
    with multiprocessing.Pool() as pool:
        for faults, count, found in pool.imap(compare, tasks):
            wrong += faults
            compared += count
            found_any |= found
    for fault in wrong:
        print(fault, file=sys.stderr)
    never = CONDITIONS.keys() - found_any
    print(f"{len(files)} files, {len(CONDITIONS)} conditions, {compared} positions compared, {len(wrong)} differences")
    if never:
        print("no position has: " + "; ".join(sorted(never)), file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
